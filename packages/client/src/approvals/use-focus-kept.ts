import { type RefObject, useEffect, useRef } from 'react'

/**
 * When a card is decided its buttons go, and with them the focus of who pressed one: then the card itself gets it. A card that
 * did not have the focus never takes it.
 */
export function useFocusKept(isOpen: boolean): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null)
  const had = useRef(false)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const enter = () => {
      had.current = true
    }
    const leave = (event: FocusEvent) => {
      // Without a next element the focus fell to nothing, which is what is mended here.
      if (event.relatedTarget instanceof Node) had.current = element.contains(event.relatedTarget)
    }
    const elsewhere = (event: FocusEvent | PointerEvent) => {
      if (event.target instanceof Node && !element.contains(event.target)) had.current = false
    }
    element.addEventListener('focusin', enter)
    element.addEventListener('focusout', leave)
    document.addEventListener('focusin', elsewhere)
    document.addEventListener('pointerdown', elsewhere)
    return () => {
      element.removeEventListener('focusin', enter)
      element.removeEventListener('focusout', leave)
      document.removeEventListener('focusin', elsewhere)
      document.removeEventListener('pointerdown', elsewhere)
    }
  }, [])
  useEffect(() => {
    if (isOpen || !had.current) return
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body)
      card.current?.focus({ preventScroll: true })
  }, [isOpen])
  return card
}
