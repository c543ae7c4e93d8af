import { isQueueHeld, type Session, type Turn } from '@dorkos/shared'
import { memo, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useIsPhone } from '../browser/use-media.ts'
import { live } from '../live/live.ts'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'
import { ComposerActions, ForkAction } from './composer-actions.tsx'
import { clearDraft, messageDraftOf, returnToDraft } from './drafts.ts'
import { historyOf } from './history.ts'
import { toContent, type Written } from './message-content.ts'
import { MessageEditor } from './message-editor.tsx'
import { toneOf } from './mode-picker.tsx'
import { OutboxList } from './outbox-list.tsx'
import { pageOutbox } from './outbox-store.ts'
import { nextMode } from './permission-modes.ts'
import { SessionPickers } from './session-pickers.tsx'
import { StopNotice } from './stop-notice.tsx'
import { useCapabilities } from './use-capabilities.ts'
import type { SearchFiles } from './use-file-search.ts'
import { useReadyProcess } from './use-ready-process.ts'
import { useSessionChange } from './use-session-change.ts'
import { useStop } from './use-stop.ts'

interface ComposerProps {
  sessionId: string
  state: PageSession
  /** A message was taken. */
  onSent?: () => void
}

/**
 * Where one writes to a session. While the agent speaks, its state changes many times a second; only what the box shows goes on to it, so
 * that typing stays quick.
 */
export function Composer({ sessionId, state, onSent }: ComposerProps) {
  const items = useRef(state.items)
  items.current = state.items
  const handed = useRef(state.handed)
  handed.current = state.handed
  const history = useCallback(() => historyOf(items.current), [])
  const hasMessage = useCallback(
    (id: string) =>
      items.current.some((item) => item.kind === 'user' && item.messageId === id) ||
      handed.current.some((turn) => turn.id === id),
    [],
  )
  if (!state.session || state.phase === 'gone') return null
  return (
    <SessionComposer
      key={sessionId}
      session={state.session}
      turnId={state.turn?.id}
      queue={state.queue}
      history={history}
      hasMessage={hasMessage}
      onSent={onSent}
    />
  )
}

const QueueList = deferred(async () => (await import('./queue-list.tsx')).QueueList)

interface SessionComposerProps {
  session: Session
  /** The turn that runs. */
  turnId: string | undefined
  queue: readonly Turn[]
  history: () => readonly string[]
  /** Whether the conversation has the message of this turn. */
  hasMessage: (id: string) => boolean
  onSent?: (() => void) | undefined
}

const SessionComposer = memo(function SessionComposer(props: SessionComposerProps) {
  const { session, queue, turnId, history, hasMessage } = props
  const canChat = useCan('chat')
  const runs = turnId ?? (session.state === 'working' || session.state === 'waiting' ? 'unknown' : undefined)
  const stop = useStop(session.id, runs, canChat)
  const isKnown = useCallback(
    (id: string) => id === turnId || queue.some((turn) => turn.id === id) || hasMessage(id),
    [turnId, queue, hasMessage],
  )
  // While messages are held and no turn runs, none is on its way into one: what a stop caught there is in the queue again.
  const isCalledBack = turnId === undefined && isQueueHeld(queue)
  const isSettled = useCallback((id: string) => isCalledBack || hasMessage(id), [isCalledBack, hasMessage])
  useRetryWhenBack()
  return (
    <section
      aria-label={text.composer.region}
      className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-3 pt-1 max-sm:gap-1 pb-[calc(env(safe-area-inset-bottom)+0.25rem)] sm:px-6 sm:pb-2"
    >
      <StopNotice stop={stop} />
      <OutboxList sessionId={session.id} isKnown={isKnown} hasMessage={isSettled} />
      {queue.length > 0 && (
        <QueueList sessionId={session.id} queue={queue} running={runs !== undefined} readOnly={!canChat} />
      )}
      {canChat ? (
        <Editor
          session={session}
          running={runs !== undefined}
          stop={stop}
          history={history}
          onSent={props.onSent}
        />
      ) : (
        <Notice tone="neutral">{text.composer.readOnly}</Notice>
      )}
    </section>
  )
})

interface EditorProps {
  session: Session
  running: boolean
  stop: ReturnType<typeof useStop>
  history: () => readonly string[]
  onSent: (() => void) | undefined
}

function Editor({ session, running, stop, history, onSent }: EditorProps) {
  const { id } = session
  const words = text.composer
  const isElsewhere = session.in_use_elsewhere === true
  const canApprove = useCan('approve')
  const { settings, change } = useSessionChange(session)
  const { commands, models, needCommands } = useCapabilities(id, session.live, !isElsewhere)
  const fork = useFork(id)
  const mayDrive = canApprove || ['default', 'plan'].includes(settings.permission_mode)
  const isReadied = mayDrive && !isElsewhere && !session.archived && session.origin === 'dorkos'
  useReadyProcess(isReadied ? id : undefined, () => api.prepareSession({ params: { id }, body: {} }))
  const isPhone = useIsPhone()
  const isBypass = settings.permission_mode === 'bypassPermissions'
  const search = useCallback<SearchFiles>(
    async (q, signal) =>
      (await api.searchSessionFiles({ params: { id }, query: { q, limit: 30 }, signal })).files,
    [id],
  )
  const submit = (written: Written, how: 'send' | 'steer') => {
    const delivery = how === 'steer' && running ? 'steer' : 'queue'
    pageOutbox().add(id, toContent(written.text, written.attachments), delivery)
    if (session.archived) unarchive(id)
    onSent?.()
    return true
  }
  const resume = () =>
    void api
      .resumeSession({ params: { id }, body: {} })
      .catch((error: unknown) => toast.error(errorText(error)))
  return (
    <div>
      {/* On a phone the session's header says it. */}
      {isBypass && !isPhone && <BypassBar />}
      <MessageEditor
        draftKey={id}
        placeholder={
          isElsewhere ? words.placeholderElsewhere : running ? words.placeholderRunning : words.placeholder
        }
        disabled={isElsewhere}
        focusAtStart
        folds
        tone={toneOf(settings.permission_mode)}
        commands={commands}
        onCommandsNeeded={needCommands}
        searchFiles={search}
        history={history}
        onSubmit={submit}
        onCycleMode={() => void change({ permission_mode: nextMode(settings.permission_mode, canApprove) })}
        actions={(send, isEmpty) =>
          isElsewhere ? (
            <ForkAction busy={fork.busy} onFork={() => void fork.run()} />
          ) : (
            <ComposerActions
              running={running}
              paused={session.state === 'paused'}
              isEmpty={isEmpty}
              stop={stop}
              submit={send}
              onResume={resume}
            />
          )
        }
      />
      {!isElsewhere && (
        <div className="pt-1 max-sm:pt-0">
          <SessionPickers session={session} models={models} settings={settings} change={change} />
        </div>
      )}
    </div>
  )
}

/** Who writes to a session works with it: it is in the list again. */
function unarchive(id: string): void {
  api
    .changeSession({ params: { id }, body: { archived: false } })
    .catch((error: unknown) => toast.error(errorText(error)))
}

/** Cannot be overlooked: nothing is asked in this mode. */
function BypassBar() {
  return (
    <p
      role="status"
      className="mb-1 w-fit rounded-md bg-danger-fill px-2 py-0.5 text-xs font-semibold text-white"
    >
      {text.composer.bypassWord}
    </p>
  )
}

/** What waits for the connection goes as soon as it is back. */
function useRetryWhenBack(): void {
  const connection = useConnectionState()
  useEffect(() => {
    if (connection === 'open') pageOutbox().retry()
  }, [connection])
}

/** How the page stands with the server, without the seconds that `useConnection` counts. */
function useConnectionState() {
  const { subscribe, get } = live.store.connection
  return useSyncExternalStore(subscribe, () => get().state)
}

/** Goes on in a copy of the session. What is being written comes along. */
function useFork(sessionId: string): { busy: boolean; run: () => Promise<void> } {
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const run = async () => {
    setBusy(true)
    try {
      const fork = await api.forkSession({ params: { id: sessionId }, body: {} })
      const { text, attachments } = messageDraftOf(sessionId)
      returnToDraft(fork.id, text, attachments)
      clearDraft(sessionId)
      navigate(`/sessions/${fork.id}`)
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
