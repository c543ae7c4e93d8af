/** The way to the next open approval by keyboard, from wherever one is. */
import { navigate } from 'wouter/use-browser-location'
import { live } from '../live/live.ts'
import { groupBySession, neighbour } from './inbox.ts'

/** Focuses the next open card of this screen; where there is none, opens the inbox. False: nothing waits. */
export function goToNextApproval(): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-approval][data-open]')]
  const ids = cards.map((card) => card.dataset.approval ?? '')
  const focused = cards.find((card) => card.contains(document.activeElement))?.dataset.approval
  const next = neighbour(ids, focused, 1)
  const card = cards.find(({ dataset }) => dataset.approval === next)
  if (card && card.dataset.approval !== focused) {
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest' })
    return true
  }
  const others = groupBySession(live.store.approvals.now()).flatMap(({ approvals }) => approvals)
  const first = others.find(({ id }) => !ids.includes(id))
  if (!first) return card !== undefined
  navigate(`/inbox#${first.id}`)
  return true
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
