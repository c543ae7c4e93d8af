import { type FormEvent, useId, useState } from 'react'
import { errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Input } from './field.tsx'

interface NameDialogProps {
  title: string
  description?: string
  /** Of the field. */
  label: string
  name: string
  maxLength: number
  /** What is said to an empty name. */
  missing: string
  /** Gets the name without the spaces around it. What it throws is shown, and the window stays. */
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for another name of something. */
export function NameDialog(props: NameDialogProps) {
  const { title, description, label, maxLength, missing, onSave, onClose } = props
  const [name, setName] = useState(props.name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const form = useId()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setFault(missing)
    setBusy(true)
    try {
      await onSave(name.trim())
      onClose()
    } catch (error) {
      setFault(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      {...(description !== undefined && { description })}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void save(event)} className="pb-2">
        <Field label={label} fault={fault}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              dir="auto"
              autoComplete="off"
              maxLength={maxLength}
              value={name}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => {
                setName(target.value)
                setFault(undefined)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
