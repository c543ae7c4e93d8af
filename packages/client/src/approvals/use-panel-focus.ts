import { type RefObject, useEffect, useRef } from 'react'

/**
 * A panel that a person opened gets the focus, in its first field or button. When it closes, the card has it again, so that the
 * keys of the card go on.
 */
export function usePanelFocus<T extends HTMLElement>(): RefObject<T | null> {
  const panel = useRef<T>(null)
  useEffect(() => {
    const element = panel.current
    const card = element?.closest<HTMLElement>('[data-approval]')
    element?.querySelector<HTMLElement>('textarea, input, button')?.focus()
    return () => {
      const { activeElement } = document
      const isLost = activeElement === document.body || element?.contains(activeElement)
      if (isLost && card?.isConnected) card.focus({ preventScroll: true })
    }
  }, [])
  return panel
}
