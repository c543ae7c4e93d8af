import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { answers } from './answers.ts'
import { focusNext } from './next-focus.ts'

/**
 * When a card is decided its buttons go, and with them the focus of who pressed one. One who uses keys is led on; else the card
 * itself gets it. A card that did not have the focus never moves it. `onAnswered`: it was answered in this card.
 */
export function useFocusKept(
  id: string,
  isOpen: boolean,
  onAnswered?: () => void,
): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null)
  const { had, byKeys } = useFocusWatch(card)
  const settle = useRef((_element: HTMLElement | null) => {})
  settle.current = (element) => {
    had.current = false
    onAnswered?.()
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement !== element) return
    if (!(byKeys.current && focusNext(id))) element?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (!isOpen && had.current) settle.current(card.current)
  }, [isOpen, had])
  // In a conversation the call takes the place of its card as soon as it is decided.
  useLayoutEffect(
    () => () => {
      const { state } = answers.get(id)
      if (had.current && (state === 'busy' || state === 'settled')) queueMicrotask(() => settle.current(null))
    },
    [id, had],
  )
  return card
}

/** Whether the focus is, or was until it fell to nothing, in the card; and whether keys were used there last. */
function useFocusWatch(card: RefObject<HTMLElement | null>) {
  const had = useRef(false)
  const byKeys = useRef(false)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    const elsewhere = (event: Event) => {
      if (event.target instanceof Node && !element.contains(event.target)) had.current = false
    }
    element.addEventListener('focusin', () => (had.current = true), { signal })
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        // Without a next element the focus fell to nothing, which is what is mended here.
        if (relatedTarget instanceof Node) had.current = element.contains(relatedTarget)
      },
      { signal },
    )
    element.addEventListener('keydown', () => (byKeys.current = true), { signal, capture: true })
    element.addEventListener('pointerdown', () => (byKeys.current = false), { signal, capture: true })
    document.addEventListener('focusin', elsewhere, { signal })
    document.addEventListener('pointerdown', elsewhere, { signal })
    return () => stop.abort()
  }, [card])
  return { had, byKeys }
}
