/** Which key does what on an approval that has the focus. Pure. */
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
  return cardAction({ key, ctrlKey, metaKey, altKey, repeat, on: focusPlace(event.target, card) })
}

/** Where in a card a key was pressed. */
export function focusPlace(target: EventTarget | null, card: EventTarget | null): PressedKey['on'] {
  if (target === card) return 'card'
  if (!(target instanceof HTMLElement)) return 'control'
  const isField = target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
  return isField || (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type))
    ? 'field'
    : 'control'
}
