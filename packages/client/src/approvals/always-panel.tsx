import { useState } from 'react'
import { useWorkspaceName } from '../queries/use-names.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { usePanelFocus } from './card-focus.ts'
import { answerOf, choiceWords, firstChoice, type RuleChoice } from './rule-choice.ts'
import { RuleChoiceFields } from './rule-choice-fields.tsx'
import { WholeText } from './whole-text.tsx'

type PanelProps = AnswerFormProps & { onClose: () => void }

/** The rule that "always" makes: what it is for and where it holds are chosen, and said in words, before it is made. */
export function AlwaysPanel({ approval, send, isBusy, arming, onClose }: PanelProps) {
  const panel = usePanelFocus<HTMLElement>(onClose)
  const [choice, setChoice] = useState<RuleChoice>(() => firstChoice(approval))
  const t = text.approvals.always
  const rule = approval.proposed_rule
  if (!rule) return null
  const answer = answerOf(choice)
  return (
    <section
      ref={panel}
      data-panel
      aria-label={t.title}
      className="flex scroll-mt-3 scroll-mb-4 flex-col gap-3 rounded-lg border border-line bg-ground p-3 text-sm"
    >
      <RuleChoiceFields approval={approval} choice={choice} setChoice={setChoice} />
      {choice.kind === 'call' && rule.match !== undefined && <WholeText label={t.match} value={rule.match} />}
      <Meaning approval={approval} choice={choice} isWhole={answer !== undefined} />
      <div className="flex flex-wrap gap-2">
        <AllowButton
          arming={arming}
          variant="primary"
          busy={isBusy}
          reason={answer === undefined ? t.noFields : undefined}
          onClick={() => answer && send(answer)}
        >
          {t.confirm}
        </AllowButton>
        <Button variant="ghost" onClick={onClose}>
          {text.ui.cancel}
        </Button>
      </div>
    </section>
  )
}

/** What will run unasked, while it is chosen. */
function Meaning({
  approval,
  choice,
  isWhole,
}: Pick<PanelProps, 'approval'> & { choice: RuleChoice; isWhole: boolean }) {
  const workspace = useWorkspaceName(approval.workspace_id)
  const t = text.approvals.always
  const isBroad = choice.kind === 'tool' || choice.kind === 'prefix'
  const words = isWhole ? choiceWords(choice, approval, workspace) : t.noFields
  return (
    <Notice tone={isBroad ? 'warn' : 'neutral'}>
      <bdi className="break-words">
        <SafeText text={words} />
      </bdi>
      {choice.scope === 'everywhere' && approval.proposed_rule?.fields && ` ${t.sameName}`}
    </Notice>
  )
}
