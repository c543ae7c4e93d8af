/** What a person must know about the session before they go on. */
import { api } from '../api.ts'
import { useIsPhone } from '../browser/use-media.ts'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { deferred } from '../ui/deferred.tsx'
import { Notice } from '../ui/notice.tsx'
import { useConversation } from './conversation-context.tsx'
import { FolderBanner } from './folder-banner.tsx'
import { useCommand, useFork } from './session-commands.ts'

const BackgroundNotice = deferred(
  async () => (await import('../commands/background-notice.tsx')).BackgroundNotice,
  null,
)

export function SessionBanners({ state }: { state: PageSession }) {
  const { canChat } = useConversation()
  const { session } = state
  const [run, busy] = useCommand()
  const fork = useFork(state.id)
  const isPhone = useIsPhone()
  if (session === undefined) return null
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-1.5 px-4 empty:hidden sm:px-6 [&:not(:empty)]:pt-2">
      {session.in_use_elsewhere && (
        <Notice
          tone="warn"
          action={
            canChat && (
              <Button size="sm" onClick={() => fork()}>
                {text.conversation.forkInstead}
              </Button>
            )
          }
        >
          {text.conversation.inUse}
        </Notice>
      )}
      {session.needs_folder_confirmation && <FolderBanner session={session} />}
      {session.state === 'paused' && (
        <Notice
          tone="neutral"
          action={
            canChat && (
              <Button
                size="sm"
                busy={busy}
                onClick={() => run(() => api.resumeSession({ params: { id: session.id }, body: {} }))}
              >
                {text.conversation.resume}
              </Button>
            )
          }
        >
          {text.conversation.paused}
        </Notice>
      )}
      {isCutByRestart(state) && <Notice>{text.conversation.interruptedByRestart}</Notice>}
      {!isPhone && state.tasks.length > 0 && state.turn === undefined && (
        <BackgroundNotice tasks={state.tasks} />
      )}
      {/* On a phone its badge in the header says it. */}
      {session.unattended && !isPhone && <Notice tone="neutral">{text.conversation.unattended}</Notice>}
    </div>
  )
}

/** The last turn was cut off, no process runs, and nobody has said anything since. */
function isCutByRestart({ session, items, turn, queue }: PageSession): boolean {
  if (session?.state !== 'interrupted' || session.live || turn !== undefined || queue.length > 0) return false
  const last = items.findLast(({ kind }) => kind === 'turn')
  return (
    last?.kind === 'turn' &&
    last.outcome === 'interrupted' &&
    (last.reasonCode === 'server_restart' || last.reasonCode === 'process_ended')
  )
}
