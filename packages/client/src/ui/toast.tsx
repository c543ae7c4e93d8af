/** Short messages at the edge of the page, for what happened out of sight. */
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { text } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'
import { type Tone, toneClasses } from './notice.tsx'

interface Shown {
  id: number
  tone: Tone
  message: string
  /** Takes back what it reports. */
  undo?: (() => void) | undefined
}

let shown: readonly Shown[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function dismiss(id: number): void {
  set(shown.filter((one) => one.id !== id))
}

/** How long something can be taken back. */
export const undoMs = 8000

function show(tone: Tone, message: string, undo?: () => void): void {
  const id = ++last
  // The same words twice help nobody, unless each takes back something else.
  const others = shown.filter((one) => one.message !== message || one.undo !== undefined)
  set([...others, { id, tone, message, undo }].slice(-4))
  setTimeout(() => dismiss(id), undo ? undoMs : tone === 'danger' ? 10_000 : 5000)
}

export const toast = {
  info: (message: string) => show('neutral', message),
  ok: (message: string) => show('ok', message),
  error: (message: string) => show('danger', message),
  undo: (message: string, undo: () => void) => show('neutral', message, undo),
}

export function Toasts() {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
  const [path] = useLocation()
  // What acts is at the head of a page, but at the foot of a conversation: they stand where it is not.
  const isConversation = path.startsWith('/sessions/')
  return (
    <div
      role="status"
      aria-live="polite"
      className={cx(
        'pointer-events-none fixed inset-x-3 z-50 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-4 sm:items-end',
        isConversation
          ? 'top-[calc(env(safe-area-inset-top)+4rem)]'
          : 'bottom-[calc(env(safe-area-inset-bottom)+1rem)]',
      )}
    >
      {all.map(({ id, tone, message, undo }) => (
        <div
          key={id}
          className={cx(
            'pointer-events-auto flex max-w-md items-start gap-2 rounded-lg border border-line py-2 pr-1 pl-3 text-sm shadow-lg',
            tone === 'neutral' ? 'bg-card text-text' : toneClasses[tone],
          )}
        >
          <span className="min-w-0 flex-1 break-words">{message}</span>
          {undo && (
            <button
              type="button"
              className="link shrink-0 font-medium"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              {text.ui.undo}
            </button>
          )}
          <IconButton
            label={text.ui.dismiss}
            icon={X}
            iconSize={14}
            className="-my-1"
            onClick={() => dismiss(id)}
          />
        </div>
      ))}
    </div>
  )
}
