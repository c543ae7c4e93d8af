import { type RefObject, useEffect } from 'react'

/** Where the focus was before it came to the cards: there is one focus, so there is one place. */
let cameFrom: HTMLElement | undefined

/** Escape on a card answers nothing and stops nothing: the focus goes back to where it came from. */
export function useLeaving(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener(
      'focusin',
      ({ relatedTarget }) => {
        // From one card to the next it stays what it was.
        if (relatedTarget instanceof Element && relatedTarget.closest('[data-approval]')) return
        cameFrom = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
      },
      { signal },
    )
    element.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.preventDefault()
        event.stopPropagation()
        leave(element)
      },
      { signal },
    )
    return () => stop.abort()
  }, [card])
}

/** In the inbox to its entry in the list; else to where one was, or where one writes, or nowhere. */
function leave(card: HTMLElement): void {
  const entry = `[data-entry="${CSS.escape(card.dataset.approval ?? '')}"]`
  const places = [
    document.querySelector<HTMLElement>(entry),
    cameFrom,
    document.querySelector<HTMLElement>('[data-message-editor]:not(:disabled)'),
  ]
  for (const place of places) {
    place?.focus({ preventScroll: true })
    if (place && document.activeElement === place) return
  }
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
