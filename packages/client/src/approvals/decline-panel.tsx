import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { isText, useDraft } from './approval-draft.ts'
import { longestMessage } from './deny-panel.tsx'
import { onSendKeys } from './send-keys.ts'

/** Gives no answer to a question; with words, if one likes. */
export function DeclinePanel({
  approval,
  send,
  isBusy,
  disabled,
  onClose,
}: AnswerFormProps & { onClose?: () => void }) {
  const [message, setMessage] = useDraft(approval.id, 'message', '', isText)
  const t = text.approvals.question
  const submit = () => send({ decision: 'deny', ...(message.trim() !== '' && { message }) })
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-ground p-3">
      <Field label={t.declineLabel}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={2}
            maxLength={longestMessage}
            placeholder={t.declinePlaceholder}
            value={message}
            disabled={disabled}
            onChange={(event) => setMessage(event.target.value)}
            onKeyDown={onSendKeys(submit)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy} disabled={disabled} onClick={submit}>
          {t.declineSend}
        </Button>
        {onClose && (
          <Button variant="ghost" onClick={onClose}>
            {text.ui.cancel}
          </Button>
        )}
      </div>
    </div>
  )
}
