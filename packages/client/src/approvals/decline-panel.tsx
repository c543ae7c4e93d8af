import { text } from '../text/card-text.ts'
import type { AnswerFormProps } from './answer-form-props.ts'
import { MessagePanel } from './message-panel.tsx'

/** Gives no answer to a question; with words, if one likes. */
export function DeclinePanel({ onClose, ...form }: AnswerFormProps & { onClose?: () => void }) {
  const t = text.approvals.question
  return (
    <MessagePanel
      {...form}
      label={t.declineLabel}
      placeholder={t.declinePlaceholder}
      action={t.declineSend}
      rows={2}
      takesFocus={onClose !== undefined}
      onClose={onClose}
    />
  )
}
