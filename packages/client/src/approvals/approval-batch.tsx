import type { Approval } from '@dorkos/shared'
import { useRef, useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { useApprovals } from '../live/use-live.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Field, Input } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { AllowButton } from './allow-button.tsx'
import { answers } from './answers.ts'
import { RiskBadge } from './approval-header.tsx'
import { useArming } from './arming.ts'
import { answerAll, batchOf, batchWords } from './batch.ts'
import { CallBody } from './call-body.tsx'
import { subjectOf } from './call-view.ts'
import { usePanelEscape } from './card-focus.ts'
import { longestMessage } from './message-panel.tsx'
import { ToolLabel } from './tool-label.tsx'

/** Below the last of several calls that wait at once in a session. */
export function ApprovalBatch({ approval }: { approval: Approval }) {
  const batch = batchOf(useApprovals(), approval.session_id, answers.get)
  return batch.length > 1 && batch.at(-1)?.id === approval.id ? <BatchBar batch={batch} /> : null
}

/** Allows or denies all of `batch`, once they were listed: what comes in meanwhile is not among them. */
export function BatchBar({ batch }: { batch: readonly Approval[] }) {
  const [asked, setAsked] = useState<{ decision: 'allow' | 'deny'; batch: readonly Approval[] }>()
  const mayAnswer = useCan('approve')
  const t = text.approvals.batch
  const n = batch.length
  return (
    <section aria-label={t.title(n)} className="flex flex-col gap-2 rounded-lg bg-raised p-3">
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
        <p className="flex-1 basis-48 text-sm max-sm:col-span-2">{t.title(n)}</p>
        {/* The same width, whatever their words. */}
        {mayAnswer && (
          <span className="grid grid-cols-2 gap-2 max-sm:col-span-2">
            <Button size="sm" onClick={() => setAsked({ decision: 'deny', batch })}>
              {t.denyAll(n)}
            </Button>
            <Button size="sm" onClick={() => setAsked({ decision: 'allow', batch })}>
              {t.allowAll(n)}
            </Button>
          </span>
        )}
      </div>
      {asked && <BatchConfirm key={asked.decision} {...asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

interface BatchConfirmProps {
  decision: 'allow' | 'deny'
  batch: readonly Approval[]
  onClose: () => void
}

function BatchConfirm({ decision, batch, onClose }: BatchConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const part = useRef<HTMLDivElement>(null)
  const arming = useArming(part)
  usePanelEscape(part, onClose)
  const t = text.approvals.batch
  const confirm = async () => {
    setBusy(true)
    const words = message.trim() === '' ? {} : { message }
    const result = await answerAll(
      answers,
      batch,
      decision === 'allow' ? { decision, scope: 'once' } : { decision, ...words },
    )
    const notify = result.other > 0 ? toast.error : toast.ok
    notify(batchWords(result))
    onClose()
  }
  return (
    <div ref={part} className="flex flex-col gap-2">
      <ol className="flex flex-col gap-1 text-sm">
        {batch.map((approval) => (
          <BatchEntry key={approval.id} approval={approval} />
        ))}
      </ol>
      {decision === 'deny' && (
        <Field label={t.message}>
          {(ids) => (
            <Input
              {...ids}
              dir="auto"
              maxLength={longestMessage}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        {decision === 'allow' ? (
          <AllowButton
            arming={arming}
            variant="primary"
            size="sm"
            busy={isBusy}
            onClick={() => void confirm()}
          >
            {t.confirmAllow(batch.length)}
          </AllowButton>
        ) : (
          <Button variant="danger" size="sm" busy={isBusy} onClick={() => void confirm()}>
            {t.confirmDeny(batch.length)}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onClose}>
          {text.ui.cancel}
        </Button>
      </div>
    </div>
  )
}

/** One line, and the whole call when it is opened. */
function BatchEntry({ approval }: { approval: Approval }) {
  const label = (
    <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <RiskBadge risk={approval.risk} />
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
        <ToolLabel tool={approval.tool} />
      </span>
      <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
        <SafeText text={subjectOf(approval)} />
      </span>
    </span>
  )
  return (
    <li className="min-w-0">
      <Disclosure look="inline" label={label} bodyClassName="py-2">
        <CallBody approval={approval} />
      </Disclosure>
    </li>
  )
}
