import { useState } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Textarea } from '../ui/field.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { isText, useDraft } from './approval-draft.ts'
import { onSendKeys } from './send-keys.ts'
import { usePanelFocus } from './use-panel-focus.ts'

/** Longer ones the server refuses. */
export const longestMessage = 10_000

/** Denies with words that the agent reads. */
export function DenyPanel({ approval, send, isBusy, onClose }: AnswerFormProps & { onClose: () => void }) {
  const [message, setMessage] = useDraft(approval.id, 'message', '', isText)
  const [stops, setStops] = useState(false)
  const panel = usePanelFocus<HTMLDivElement>()
  const t = text.approvals.deny
  const submit = () => {
    if (message.trim() !== '') send({ decision: 'deny', message, ...(stops && { interrupt: true }) })
  }
  return (
    <div ref={panel} className="flex flex-col gap-2 rounded-lg border border-line bg-ground p-3">
      <Field label={t.label}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={3}
            maxLength={longestMessage}
            placeholder={t.placeholder}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            onKeyDown={onSendKeys(submit)}
          />
        )}
      </Field>
      <Checkbox label={t.stop} checked={stops} onChange={(event) => setStops(event.target.checked)} />
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" busy={isBusy} disabled={message.trim() === ''} onClick={submit}>
          {t.send}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {text.ui.cancel}
        </Button>
      </div>
    </div>
  )
}
