import { Check, Code, ListChecks, MessageSquareReply, Pencil } from 'lucide-react'
import { useState } from 'react'
import { JsonView } from '../render/json-view.tsx'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { isText, useDraft } from './approval-draft.ts'
import { longestMessage } from './deny-panel.tsx'
import { onSendKeys } from './send-keys.ts'
import { usePanelFocus } from './use-panel-focus.ts'
import { WholeText } from './whole-text.tsx'

/** A plan to read: approve it, with or without asking about edits, or send it back. */
export function PlanReview(form: AnswerFormProps) {
  const { approval, send, isBusy, disabled, arming } = form
  const { plan: given, ...rest } = approval.input
  const original = typeof given === 'string' ? given : ''
  const [plan, setPlan] = useDraft(approval.id, 'plan', original, isText)
  const [panel, setPanel] = useState<'none' | 'edit' | 'feedback'>('none')
  const [showsSource, setShowsSource] = useState(false)
  const isEdited = plan !== original
  const t = text.approvals.plan
  const off = disabled || isBusy
  const approve = (mode: 'default' | 'acceptEdits') =>
    send({
      decision: 'allow',
      scope: 'once',
      permission_mode: mode,
      ...(isEdited && { updated_input: { plan } }),
    })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {panel === 'edit' ? (
        <PlanEditor plan={plan} onChange={setPlan} />
      ) : (
        <PlanText plan={plan} asSource={showsSource} />
      )}
      {Object.keys(rest).length > 0 && (
        <details>
          <summary className="text-xs text-soft">{text.approvals.input.more}</summary>
          <JsonView value={rest} whole />
        </details>
      )}
      {isEdited && <Notice tone="info">{t.edited}</Notice>}
      <fieldset aria-label={text.approvals.actions.group} className="flex min-w-0 flex-wrap gap-2">
        <AllowButton
          arming={arming}
          variant="primary"
          icon={Check}
          busy={isBusy}
          disabled={off}
          title={t.approveHint}
          onClick={() => approve('default')}
        >
          {t.approve}
        </AllowButton>
        <AllowButton
          arming={arming}
          icon={ListChecks}
          disabled={off}
          title={t.approveEditsHint}
          onClick={() => approve('acceptEdits')}
        >
          {t.approveEdits}
        </AllowButton>
        <Button
          icon={MessageSquareReply}
          disabled={off}
          aria-expanded={panel === 'feedback'}
          onClick={() => setPanel(panel === 'feedback' ? 'none' : 'feedback')}
        >
          {t.keepPlanning}
        </Button>
        <Button
          icon={Pencil}
          variant="ghost"
          disabled={off}
          onClick={() => setPanel(panel === 'edit' ? 'none' : 'edit')}
        >
          {panel === 'edit' ? t.stopEditing : t.edit}
        </Button>
        {panel !== 'edit' && plan.trim() !== '' && (
          <Button
            icon={Code}
            variant="ghost"
            title={t.sourceHint}
            aria-pressed={showsSource}
            onClick={() => setShowsSource(!showsSource)}
          >
            {t.source}
          </Button>
        )}
      </fieldset>
      {panel === 'feedback' && <Feedback {...form} onClose={() => setPanel('none')} />}
    </div>
  )
}

/** As its Markdown means it, or letter by letter: that leaves out nothing. */
function PlanText({ plan, asSource }: { plan: string; asSource: boolean }) {
  const t = text.approvals.plan
  if (asSource) return <WholeText label={t.sourceLabel} value={plan} />
  return (
    <div className="min-w-0 rounded-lg border border-line bg-ground px-4 py-2">
      {plan.trim() === '' ? <p className="text-soft">{t.empty}</p> : <Markdown text={plan} />}
    </div>
  )
}

function PlanEditor({ plan, onChange }: { plan: string; onChange: (plan: string) => void }) {
  return (
    <Field label={text.approvals.plan.editLabel}>
      {(ids) => (
        <Textarea
          {...ids}
          dir="auto"
          rows={Math.min(Math.max(plan.split('\n').length + 1, 6), 24)}
          className="font-mono"
          value={plan}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function Feedback({ approval, send, isBusy, onClose }: AnswerFormProps & { onClose: () => void }) {
  const [message, setMessage] = useDraft(approval.id, 'message', '', isText)
  const panel = usePanelFocus<HTMLDivElement>()
  const t = text.approvals.plan
  const submit = () => send({ decision: 'deny', ...(message.trim() !== '' && { message }) })
  return (
    <div ref={panel} className="flex flex-col gap-2 rounded-lg border border-line bg-ground p-3">
      <Field label={t.feedback}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={3}
            maxLength={longestMessage}
            placeholder={t.feedbackPlaceholder}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            onKeyDown={onSendKeys(submit)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={isBusy} onClick={submit}>
          {t.sendFeedback}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {text.ui.cancel}
        </Button>
      </div>
    </div>
  )
}
