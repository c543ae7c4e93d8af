import { useEffect, useRef } from 'react'
import { createShortcutReader, type ShortcutId } from './shortcuts.ts'

const textInputs = new Set([
  'text',
  'search',
  'email',
  'url',
  'tel',
  'password',
  'number',
  'date',
  'time',
  'datetime-local',
])

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  // Menus and lists find their entries by letters.
  if (target.closest('[role="menu"], [role="listbox"]')) return true
  return target instanceof HTMLInputElement && textInputs.has(target.type)
}

/** Listens for all shortcuts of the shell. What somebody else handled, and what happens under a dialog, is left alone. */
export function useShortcuts(run: (id: ShortcutId) => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const read = createShortcutReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      // On many keyboards AltGr is what makes a bracket; it counts as Ctrl and Alt at once.
      const altGraph = event.getModifierState('AltGraph')
      const id = read({
        key: event.key,
        ctrl: event.ctrlKey && !altGraph,
        meta: event.metaKey,
        alt: event.altKey && !altGraph,
        typing: isTyping(event.target),
        time: event.timeStamp,
      })
      if (id === undefined) return
      if (document.querySelector('dialog[open]') && id !== 'palette') return
      event.preventDefault()
      latest.current(id)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
