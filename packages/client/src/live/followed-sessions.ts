/**
 * Which sessions the stream carries. Each is counted by those who show it, kept for a while after the last of them is gone, and
 * only so many are kept at once.
 */
export interface FollowedSessions {
  /** Somebody shows this session, until the returned function is called. */
  follow(id: string): () => void
  /** Takes it out, whoever shows it. */
  drop(id: string): void
  has(id: string): boolean
  ids(): string[]
  /** Takes those out that nobody shows. */
  dropUnused(): void
}

const keptMs = 30_000
const maxFollowed = 8

export function createFollowedSessions(notify: {
  changed(): void
  dropped(id: string): void
}): FollowedSessions {
  /** In the order of their last use. */
  const entries = new Map<string, { count: number; timer: ReturnType<typeof setTimeout> | undefined }>()

  function drop(id: string): void {
    const entry = entries.get(id)
    if (!entry) return
    clearTimeout(entry.timer)
    entries.delete(id)
    notify.dropped(id)
    notify.changed()
  }

  /** The least recently used goes, one that nobody shows first. */
  function makeRoom(): void {
    while (entries.size > maxFollowed) {
      const unused = [...entries].find(([, { count }]) => count === 0)
      const [oldest] = unused ?? [...entries.keys()]
      if (oldest === undefined) return
      drop(oldest)
    }
  }

  function leave(id: string): void {
    const entry = entries.get(id)
    if (!entry) return
    entry.count -= 1
    if (entry.count > 0) return
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => drop(id), keptMs)
  }

  return {
    drop,
    has: (id) => entries.has(id),
    ids: () => [...entries.keys()],
    follow(id) {
      const known = entries.get(id)
      const entry = known ?? { count: 0, timer: undefined }
      clearTimeout(entry.timer)
      entry.timer = undefined
      entry.count += 1
      entries.delete(id)
      entries.set(id, entry)
      if (!known) {
        makeRoom()
        notify.changed()
      }
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        // It may have been dropped and followed anew by another.
        if (entries.get(id) === entry) leave(id)
      }
    },
    dropUnused() {
      for (const [id, { count }] of [...entries]) if (count === 0) drop(id)
    },
  }
}
