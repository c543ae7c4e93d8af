/** The keys of an approval card: which does what, and who hears them. */
import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { isJustHanded } from './card-focus.ts'

export type CardAction = 'allow' | 'session' | 'deny' | 'edit'

export interface PressedKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
  /** Where the focus is: on the card itself, on a control in it, or in a field that one types into. */
  on: 'card' | 'control' | 'field'
}

const letters: Readonly<Record<string, CardAction>> = { a: 'allow', s: 'session', d: 'deny', e: 'edit' }

/** Nothing while one types, for keys that are held down, and for those that are the browser's. */
export function cardAction(pressed: PressedKey): CardAction | undefined {
  if (pressed.on === 'field' || pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey)
    return undefined
  if (pressed.key === 'Enter') return pressed.on === 'card' ? 'allow' : undefined
  return letters[pressed.key.toLowerCase()]
}

/** What a key that was pressed in a card means there. */
export function pressedAction(event: KeyboardEvent, card: HTMLElement): CardAction | undefined {
  const { key, ctrlKey, metaKey, altKey, repeat } = event
  return cardAction({ key, ctrlKey, metaKey, altKey, repeat, on: focusedPart(event.target, card) })
}

/** Where in a card a key was pressed. */
export function focusedPart(target: EventTarget | null, card: EventTarget | null): PressedKey['on'] {
  if (target === card) return 'card'
  if (!(target instanceof HTMLElement)) return 'control'
  const isField = target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
  return isField || (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type))
    ? 'field'
    : 'control'
}

/** Gets a key that was pressed in a card. `false`: it is not for this. */
type CardKeyHandler = (event: KeyboardEvent, card: HTMLElement) => unknown

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

/** Ctrl+Enter or Cmd+Enter sends from a field in which Enter is a new line. */
export function onSendKeys(send: () => void): (event: ReactKeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    send()
  }
}
