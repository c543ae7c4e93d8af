/** Messages that wait, and those on their way from the queue into a turn. */
import type { Turn } from '@dorkos/shared'
import type { SessionDraft } from './session-draft.ts'

/** What leaves the queue while no turn runs went to the agent, which may take a while to begin. */
export function onQueue(draft: SessionDraft, queue: readonly Turn[]): void {
  const isIn = (list: readonly Turn[], { id }: Turn) => list.some((one) => one.id === id)
  const left = draft.queue.filter((turn) => !isIn(queue, turn) && !isIn(draft.handed, turn))
  const gone = draft.turn === undefined ? left.filter(({ id }) => !isShown(draft, id)) : []
  const handed = draft.handed.filter((turn) => !isIn(queue, turn))
  draft.queue = queue
  if (gone.length > 0 || handed.length < draft.handed.length) draft.handed = [...handed, ...gone]
}

/** The conversation has the message now, or it never ran. */
export function settleHanded(draft: SessionDraft, id: string): void {
  if (draft.handed.some((turn) => turn.id === id)) draft.handed = draft.handed.filter((one) => one.id !== id)
}

/** It never runs: that it leaves the queue means nothing. */
export function leaveQueue(draft: SessionDraft, id: string): void {
  if (draft.queue.some((turn) => turn.id === id)) draft.queue = draft.queue.filter((one) => one.id !== id)
}

function isShown({ items }: SessionDraft, id: string): boolean {
  const keys = [`user:${id}`, `turn:${id}`]
  return items.findLastIndex(({ key }) => keys.includes(key)) !== -1
}
