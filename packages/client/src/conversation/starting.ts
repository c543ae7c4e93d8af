/** Before a turn begins: the message has been accepted, and the agent gets ready. Pure. */
import type { Item, PageSession, UserItem } from '../live/page-session.ts'

/** Since when the agent gets ready for a message; undefined when it does not, or that is unknown. */
export function startingSince(state: PageSession): string | undefined {
  const { turn, handed, queue, session, items } = state
  if (turn !== undefined) return undefined
  // After a failure messages may wait for a person.
  const begins = session?.state === 'idle' || session?.state === 'working'
  const first = handed[0] ?? (begins ? queue[0] : undefined)
  const last = items.at(-1)?.time ?? ''
  if (first === undefined) return undefined
  // It may have waited for the turn before.
  return [first.created_at, last].toSorted().at(-1)
}

/** With the one message that waits among those on their way, where nothing keeps the agent from taking it at once. */
export function withNextHanded(state: PageSession): PageSession {
  return nextToRun(state) === undefined ? state : { ...state, handed: state.queue, queue: [] }
}

/** The message that the agent takes next, and at once; undefined when it may have to wait. */
export function nextToRun({ turn, handed, queue, session }: PageSession): string | undefined {
  const isFree = session?.state === 'idle' || session?.state === 'working'
  if (!isFree || session.in_use_elsewhere || turn !== undefined || handed.length > 0) return undefined
  const [first, second] = queue
  return second === undefined && first?.state === 'queued' && !first.held ? first.id : undefined
}

const none: readonly UserItem[] = []

/** What was said, with what the agent was given and has not begun. */
export function withHanded(items: readonly Item[], handed: PageSession['handed']): readonly Item[] {
  const shown = handed.length === 0 ? none : handed.map(asItem).filter(({ key }) => !hasKey(items, key))
  return shown.length === 0 ? items : [...items, ...shown]
}

function hasKey(items: readonly Item[], key: string): boolean {
  return items.findLastIndex((item) => item.key === key) !== -1
}

function asItem({ id, content, created_at }: PageSession['handed'][number]): UserItem {
  const key = `user:${id}`
  return { kind: 'user', key, time: created_at, messageId: id, content: content ?? '', synthetic: false }
}
