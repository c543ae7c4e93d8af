/** A message that may or may not have reached the agent before the server stopped: a person decides. */
import { api } from '../api.ts'
import type { TurnItem } from '../live/live-session.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useConversation } from './conversation-context.tsx'
import { useCommand } from './session-commands.ts'

export function Unconfirmed({ item }: { item: TurnItem }) {
  const { sessionId, canChat } = useConversation()
  const [run, busy] = useCommand()
  const settle = (action: 'run' | 'drop') =>
    run(() => api.settleMessage({ params: { id: sessionId, messageId: item.turnId }, body: { action } }))
  return (
    <div className="pt-1 pb-4">
      <Notice tone="info">
        <p>{text.conversation.unconfirmed}</p>
        {canChat && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" variant="primary" busy={busy} onClick={() => settle('run')}>
              {text.conversation.unconfirmedRun}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => settle('drop')}>
              {text.conversation.unconfirmedDrop}
            </Button>
          </div>
        )}
      </Notice>
    </div>
  )
}
