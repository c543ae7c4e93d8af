import { type RefObject, useEffect, useRef } from 'react'
import { isJustHanded } from './next-focus.ts'

/** Gets a key that was pressed in a card. `false`: it is not for this. */
export type CardKeyHandler = (event: KeyboardEvent, card: HTMLElement) => unknown

/** The shell has shortcuts of two keys, such as `g a`: their second key is never an answer. */
const firstOfTwo = 'g'
const sequenceMs = 1500

/** Listens on the whole card around the element with the returned ref: keys are pressed on its frame, too. */
export function useCardKeys(onKey: CardKeyHandler): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null)
  const handler = useRef(onKey)
  useEffect(() => {
    handler.current = onKey
  })
  useEffect(() => {
    const card = part.current?.closest<HTMLElement>('[data-approval]')
    if (!card) return
    let firstAt = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isJustHanded(card)) return
      const isSecond = event.timeStamp - firstAt < sequenceMs
      firstAt = event.key === firstOfTwo && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (isSecond) return
      if (handler.current(event, card) !== false) event.preventDefault()
    }
    card.addEventListener('keydown', listen)
    return () => card.removeEventListener('keydown', listen)
  }, [])
  return part
}
