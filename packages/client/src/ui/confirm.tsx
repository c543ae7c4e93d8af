import { useState } from 'react'
import { errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

export interface ConfirmProps {
  open: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  message: string
  /** The verb on the button. */
  action: string
  danger?: boolean
  /** Its error is shown, and the window stays. */
  onConfirm: () => Promise<unknown> | unknown
}

export function Confirm({ open, onClose, title, message, action, danger, onConfirm }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const confirm = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <p className="pb-2 text-sm text-soft">{message}</p>
      {fault && <Notice tone="danger">{fault}</Notice>}
    </Dialog>
  )
}
