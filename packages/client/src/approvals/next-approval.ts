/** The way to the next open approval by keyboard, from wherever one is. */
import { navigate } from 'wouter/use-browser-location'
import { live } from '../live/live.ts'
import { inInboxOrder } from './inbox.ts'

/**
 * Focuses the next open card of this screen; after its last one, or where there is none, shows the next of all in the inbox. False:
 * nothing waits.
 */
function goToNextApproval(): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-approval][data-open]')]
  const focused = cards.findIndex((card) => card.contains(document.activeElement))
  const card = cards[focused + 1]
  if (card) {
    bringIn(card)
    return true
  }
  const all = inInboxOrder(live.store.approvals.now())
  const next = following(
    all.map(({ id }) => id),
    cards[focused]?.dataset.approval,
  )
  if (next === undefined) return false
  const shown = cards.find(({ dataset }) => dataset.approval === next)
  if (shown) bringIn(shown)
  else {
    navigate(`/inbox#${next}`)
    bringInSoon(next)
  }
  return true
}

/** The one after `id`, and after the last the first. */
function following(ids: readonly string[], id: string | undefined): string | undefined {
  return ids[((id === undefined ? -1 : ids.indexOf(id)) + 1) % ids.length]
}

function bringIn(card: HTMLElement): void {
  card.focus({ preventScroll: true })
  card.scrollIntoView({ block: 'nearest' })
}

const framesToWait = 120

/** The screen that shows it has to be loaded first. */
function bringInSoon(id: string, frames = framesToWait): void {
  const card = document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`)
  if (card) bringIn(card)
  else if (frames > 0) requestAnimationFrame(() => bringInSoon(id, frames - 1))
}

/** Alt+A, also while one types: it is no letter of any text here. On a Mac it would be one, so the key's place counts. */
export function listenForNextApproval(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.code !== 'KeyA' || !event.altKey || event.ctrlKey || event.metaKey || event.repeat) return
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return
    event.preventDefault()
    goToNextApproval()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
