import { text } from '../text/text.ts'
import { Confirm } from '../ui/confirm.tsx'

interface BypassConfirmProps {
  open: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown> | unknown
}

export function BypassConfirm(props: BypassConfirmProps) {
  const { bypassTitle, bypassText, bypassAction } = text.composer
  return <Confirm {...props} title={bypassTitle} message={bypassText} action={bypassAction} danger />
}
