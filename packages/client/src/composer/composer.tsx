import { useCallback, useRef } from 'react'
import type { PageSession } from '../live/page-session.ts'
import { historyOf } from './history.ts'
import { SessionComposer } from './session-composer.tsx'

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
