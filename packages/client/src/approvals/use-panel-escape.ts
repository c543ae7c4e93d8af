import { type RefObject, useEffect, useRef } from 'react'

/**
 * Escape closes what is open in a card before it leaves the card, wherever in the card the focus is. No one else gets the key: it
 * would stop the turn.
 */
export function usePanelEscape(
  panel: RefObject<HTMLElement | null>,
  onClose: (() => void) | undefined,
): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = panel.current
    const card = element?.closest<HTMLElement>('[data-approval]')
    const around = card ?? element
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || !close.current) return
      event.preventDefault()
      // Of two that are open one is closed.
      event.stopImmediatePropagation()
      if (element?.contains(document.activeElement)) card?.focus({ preventScroll: true })
      close.current()
    }
    around?.addEventListener('keydown', onKey, true)
    return () => around?.removeEventListener('keydown', onKey, true)
  }, [panel])
}
