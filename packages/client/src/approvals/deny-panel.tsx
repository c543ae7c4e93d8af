import { useState } from 'react'
import { text } from '../text/card-text.ts'
import { Checkbox } from '../ui/field.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { MessagePanel } from './message-panel.tsx'

/** Denies a call, and stops the turn if one likes. */
export function DenyPanel({ onClose, ...form }: AnswerFormProps & { onClose: () => void }) {
  const [stops, setStops] = useState(false)
  const t = text.approvals.deny
  return (
    <MessagePanel
      {...form}
      label={t.label}
      placeholder={t.placeholder}
      action={t.send}
      variant="danger"
      required
      takesFocus
      interrupt={stops}
      onClose={onClose}
    >
      <Checkbox label={t.stop} checked={stops} onChange={(event) => setStops(event.target.checked)} />
    </MessagePanel>
  )
}
