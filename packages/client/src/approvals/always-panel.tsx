import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { useWorkspaceName } from './use-names.ts'
import { usePanelFocus } from './use-panel-focus.ts'
import { WholeText } from './whole-text.tsx'

type PanelProps = AnswerFormProps & { onClose: () => void }

/** The rule that "always" makes, shown before it is made. */
export function AlwaysPanel({ approval, send, isBusy, arming, onClose }: PanelProps) {
  const workspace = useWorkspaceName(approval.workspace_id)
  const panel = usePanelFocus<HTMLElement>(onClose)
  const t = text.approvals.always
  const rule = approval.proposed_rule
  if (!rule) return null
  return (
    <section
      ref={panel}
      data-panel
      aria-label={t.title}
      className="flex scroll-mt-3 scroll-mb-4 flex-col gap-3 rounded-lg border border-line bg-ground p-3 text-sm"
    >
      <div>
        <p className="font-medium">{t.title}</p>
        <p className="text-soft">{t.explains}</p>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="text-soft">{t.tool}</dt>
        <dd className="font-mono break-words">
          <SafeText text={rule.tool} />
        </dd>
        <dt className="text-soft">{t.scope}</dt>
        <dd className="break-words">{workspace === undefined ? t.thisWorkspace : t.workspace(workspace)}</dd>
      </dl>
      {rule.match === undefined ? <p>{t.any}</p> : <WholeText label={t.match} value={rule.match} />}
      <div className="flex flex-wrap gap-2">
        <AllowButton
          arming={arming}
          variant="primary"
          busy={isBusy}
          onClick={() => send({ decision: 'allow', scope: 'always' })}
        >
          {t.confirm}
        </AllowButton>
        <AllowButton
          arming={arming}
          disabled={isBusy}
          onClick={() => send({ decision: 'allow', scope: 'session' })}
        >
          {t.orSession}
        </AllowButton>
        <Button variant="ghost" onClick={onClose}>
          {text.ui.cancel}
        </Button>
      </div>
    </section>
  )
}
