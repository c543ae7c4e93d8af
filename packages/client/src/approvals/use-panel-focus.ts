import { type RefObject, useEffect, useRef } from 'react'
import { usePanelEscape } from './use-panel-escape.ts'

/**
 * A panel that a person opened gets the focus, in its first field or button. When it closes, also by Escape, the card has it again,
 * so that the keys of the card go on.
 */
export function usePanelFocus<T extends HTMLElement>(
  onClose: (() => void) | undefined,
  takesFocus = true,
): RefObject<T | null> {
  const panel = useRef<T>(null)
  usePanelEscape(panel, onClose)
  useEffect(() => {
    if (!takesFocus) return
    const element = panel.current
    const card = element?.closest<HTMLElement>('[data-approval]')
    element?.querySelector<HTMLElement>('textarea, input, button')?.focus()
    return () => {
      const { activeElement } = document
      const isLost = activeElement === document.body || element?.contains(activeElement)
      if (isLost && card?.isConnected) card.focus({ preventScroll: true })
    }
  }, [takesFocus])
  return panel
}
