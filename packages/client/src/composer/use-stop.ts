/** Stop: by button or Escape, shown at once, and always with an answer. */
import { useEffect, useReducer, useRef } from 'react'
import { api, errorText } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { pageOutbox, whenSent } from './outbox-store.ts'
import { lateAfterMs, notStopping, reduceStop, type StopState } from './stop-state.ts'

/** So long a stop waits for a message that is on its way. */
const sendingMs = 1000

export interface Stop {
  state: StopState
  stop: () => void
  /** For a process that does not answer. */
  endProcess: () => Promise<void>
}

export function useStop(sessionId: string, turnId: string | undefined, mayStop: boolean): Stop {
  const [state, dispatch] = useReducer(reduceStop, notStopping)
  useEffect(() => dispatch({ type: 'turn', turnId }), [turnId])
  const isStopping = state.state === 'stopping'
  useEffect(() => {
    if (!isStopping) return
    const timer = setTimeout(() => dispatch({ type: 'timed_out' }), lateAfterMs)
    return () => clearTimeout(timer)
  }, [isStopping])
  const stop = () => {
    if (turnId === undefined || !mayStop || isStopping) return
    dispatch({ type: 'asked', turnId })
    // What was sent before the stop is stopped too: it must not arrive after it.
    whenSent(pageOutbox(), sessionId, sendingMs)
      .then(() => api.interruptSession({ params: { id: sessionId }, body: {} }))
      .catch((error: unknown) => dispatch({ type: 'failed', fault: errorText(error) }))
  }
  useEscape(turnId !== undefined && mayStop, stop)
  const endProcess = async () => {
    await api
      .stopSession({ params: { id: sessionId }, body: {} })
      .catch((error: unknown) => toast.error(errorText(error)))
  }
  return { state, stop, endProcess }
}

/** Escape anywhere on the page, unless something is open that it closes, or another field has it. */
function useEscape(enabled: boolean, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!enabled) return
    // Read before anything can close itself on this key.
    let before = { taken: false, tooltip: false }
    const noteState = (event: KeyboardEvent) => {
      if (event.key === 'Escape') before = { taken: isTaken(event.target), tooltip: hasTooltip() }
    }
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || before.taken) return
      // A tooltip closes on Escape too and claims the key; nobody means the tooltip.
      if (event.defaultPrevented && !before.tooltip) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', noteState, true)
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', noteState, true)
      window.removeEventListener('keydown', press)
    }
  }, [enabled])
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [role="menu"], [role="dialog"], [role="listbox"]')) return true
  if (!(target instanceof HTMLElement) || target.hasAttribute('data-message-editor')) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}

function hasTooltip(): boolean {
  return document.querySelector('[role="tooltip"]') !== null
}
