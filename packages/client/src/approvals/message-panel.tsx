import type { ReactNode } from 'react'
import { text } from '../text/card-text.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { isText, useApprovalDraft } from './approval-draft.ts'
import { usePanelFocus } from './card-focus.ts'
import { onSendKeys } from './card-keys.ts'

/** Longer ones the server refuses. */
export const longestMessage = 10_000

interface MessagePanelProps extends AnswerFormProps {
  label: string
  placeholder: string
  /** What is on the button. */
  action: string
  variant?: ButtonProps['variant']
  rows?: number
  /** Without words nothing is sent. */
  required?: boolean
  /** A person opened it in order to write. */
  takesFocus?: boolean
  /** The turn ends as well. */
  interrupt?: boolean
  onClose?: (() => void) | undefined
  /** Between the words and the button. */
  children?: ReactNode
}

/** Denies, with words that the agent reads. */
export function MessagePanel({
  approval,
  send,
  isBusy,
  disabled,
  label,
  placeholder,
  action,
  variant = 'plain',
  rows = 3,
  required = false,
  takesFocus = false,
  interrupt = false,
  onClose,
  children,
}: MessagePanelProps) {
  const [message, setMessage] = useApprovalDraft(approval.id, 'message', '', isText)
  const panel = usePanelFocus<HTMLDivElement>(onClose, takesFocus)
  const isEmpty = message.trim() === ''
  const submit = () => {
    if (required && isEmpty) return
    send({ decision: 'deny', ...(!isEmpty && { message }), ...(interrupt && { interrupt: true }) })
  }
  // Who may not answer is not asked for words.
  if (disabled) return null
  return (
    <div
      ref={panel}
      data-panel={takesFocus || undefined}
      className="flex scroll-mt-3 scroll-mb-4 flex-col gap-2 rounded-lg border border-line bg-ground p-3"
    >
      <Field label={label}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={rows}
            maxLength={longestMessage}
            placeholder={placeholder}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            onKeyDown={onSendKeys(submit)}
          />
        )}
      </Field>
      {children}
      <div className="flex flex-wrap gap-2">
        <ReasonButton
          variant={variant}
          busy={isBusy}
          reason={required && isEmpty ? text.composer.needsText : undefined}
          onClick={submit}
        >
          {action}
        </ReasonButton>
        {onClose && (
          <Button variant="ghost" onClick={onClose}>
            {text.ui.cancel}
          </Button>
        )}
      </div>
    </div>
  )
}
