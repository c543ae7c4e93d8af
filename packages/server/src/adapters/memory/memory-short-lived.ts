/** What is good for minutes, in memory. */
import type { Clock } from '../../core/ports/clock.ts'
import type { ShortLived, ShortLivedEntry } from '../../core/ports/coordination.ts'

export function createMemoryShortLived(clock: Clock): ShortLived {
  const entries = new Map<string, ShortLivedEntry>()
  const keyOf = ({ kind, id }: Pick<ShortLivedEntry, 'kind' | 'id'>) => JSON.stringify([kind, id])
  const current = (kind: string) => {
    for (const [key, { expiresAt }] of entries) if (expiresAt <= clock.now()) entries.delete(key)
    return [...entries.values()].filter((entry) => entry.kind === kind)
  }
  const find = (kind: string, id: string) => current(kind).find((entry) => entry.id === id)
  return {
    async put(entry, most) {
      const others = current(entry.kind)
      const own = others.filter(({ source }) => source === entry.source)
      if (others.length >= most.ofKind || own.length >= most.ofSource || find(entry.kind, entry.id))
        return false
      entries.set(keyOf(entry), { ...entry })
      return true
    },
    async get(kind, id) {
      const found = find(kind, id)
      return found && { ...found }
    },
    async list(kind) {
      const sorted = current(kind).toSorted((a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1))
      return sorted.map((entry) => ({ ...entry }))
    },
    async replace({ kind, id, value }, next) {
      const found = find(kind, id)
      if (found?.value !== value) return false
      found.value = next
      return true
    },
    async take(kind, id) {
      const found = find(kind, id)
      if (found) entries.delete(keyOf(found))
      return found
    },
  }
}
