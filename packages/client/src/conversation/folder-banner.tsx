/** A session outside of any workspace, whose folder nobody has confirmed: every call asks until somebody does. */
import type { Session } from '@dorkos/shared'
import { api } from '../api.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useConversation } from './conversation-context.tsx'
import { useCommand } from './session-commands.ts'

export function FolderBanner({ session }: { session: Session }) {
  const { canApprove } = useConversation()
  const [run, busy] = useCommand()
  const words = text.conversation.folder
  const confirm = () => run(() => api.confirmFolder({ params: { id: session.id }, body: {} }))
  return (
    <Notice
      tone="warn"
      action={
        canApprove && (
          <Button size="sm" busy={busy} onClick={confirm}>
            {words.confirm}
          </Button>
        )
      }
    >
      <p>{words.unconfirmed}</p>
      <p dir="ltr" className="font-mono [overflow-wrap:anywhere]">
        <SafeText text={session.cwd} />
      </p>
      {!canApprove && <p>{words.needsApprove}</p>}
    </Notice>
  )
}
