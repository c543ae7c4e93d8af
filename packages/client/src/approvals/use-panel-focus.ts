import { type RefObject, useEffect, useRef } from 'react'
import { usePanelEscape } from './use-panel-escape.ts'

/**
 * A panel that a person opened gets the focus, in its first field or button, and is brought into sight with its buttons. When it
 * closes, also by Escape, the card has the focus again, so that the keys of the card go on.
 */
export function usePanelFocus<T extends HTMLElement>(
  onClose: (() => void) | undefined,
  takesFocus = true,
): RefObject<T | null> {
  const panel = useRef<T>(null)
  usePanelEscape(panel, onClose)
  useEffect(() => {
    const element = panel.current
    if (!takesFocus || !element) return
    const card = element.closest<HTMLElement>('[data-approval]')
    element.querySelector<HTMLElement>('textarea, input, button')?.focus({ preventScroll: true })
    const forget = showOnceMeasured(element)
    return () => {
      forget()
      const { activeElement } = document
      const isLost = activeElement === document.body || element.contains(activeElement)
      if (isLost && card?.isConnected) card.focus({ preventScroll: true })
    }
  }, [takesFocus])
  return panel
}

/** A conversation has to learn how high its rows are now: before that, its end is not yet below the panel. */
function showOnceMeasured(panel: HTMLElement): () => void {
  if (typeof ResizeObserver === 'undefined') return () => {}
  const observer = new ResizeObserver(() => {
    observer.disconnect()
    panel.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(panel)
  return () => observer.disconnect()
}
