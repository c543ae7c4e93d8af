/** Before a turn begins: the message has been accepted, and the agent gets ready. Pure. */
import type { Item, SessionState, UserItem } from '../live/session-state.ts'

/** Since when the agent gets ready for a message; undefined when it does not, or nobody can tell. */
export function startingSince({ turn, handed, queue, session }: SessionState): string | undefined {
  if (turn !== undefined) return undefined
  const [first] = handed
  if (first !== undefined) return first.created_at
  // After a failure messages may wait for a person.
  const begins = session?.state === 'idle' || session?.state === 'working'
  return begins ? queue[0]?.created_at : undefined
}

const none: readonly UserItem[] = []

/** What was said, with what the agent was given and has not begun. */
export function withHanded(items: readonly Item[], handed: SessionState['handed']): readonly Item[] {
  const shown = handed.length === 0 ? none : handed.map(asItem).filter(({ key }) => !hasKey(items, key))
  return shown.length === 0 ? items : [...items, ...shown]
}

function hasKey(items: readonly Item[], key: string): boolean {
  return items.findLastIndex((item) => item.key === key) !== -1
}

function asItem({ id, content, created_at }: SessionState['handed'][number]): UserItem {
  const key = `user:${id}`
  return { kind: 'user', key, time: created_at, messageId: id, content: content ?? '', synthetic: false }
}
