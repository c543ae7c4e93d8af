/** Where the focus goes when a card was answered by keys: to the next open card, else to where one writes. */
import { armingMs } from './arming.ts'

const handedAt = new WeakMap<HTMLElement, number>()

/** False: there is nowhere to go. */
export function focusNext(answered: string): boolean {
  const card = nextCard(answered)
  if (card) {
    handedAt.set(card, performance.now())
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest' })
    return true
  }
  const editor = document.querySelector<HTMLElement>('[data-message-editor]:not(:disabled)')
  editor?.focus({ preventScroll: true })
  return editor !== null
}

/** The one below, or else the first: those that are left above were passed over. */
function nextCard(answered: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>('[data-approval]')]
  const at = all.findIndex(({ dataset }) => dataset.approval === answered)
  const isOpen = ({ dataset }: HTMLElement) => dataset.open !== undefined && dataset.approval !== answered
  return all.slice(at + 1).find(isOpen) ?? all.find(isOpen)
}

/** The focus came to this card by itself just now: a key pressed at this moment was meant for the one before. */
export function isJustHanded(card: HTMLElement): boolean {
  return performance.now() - (handedAt.get(card) ?? Number.NEGATIVE_INFINITY) < armingMs
}
