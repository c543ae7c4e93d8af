/** What every store of short-lived entries keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShortLived, ShortLivedEntry } from './coordination.ts'
import { type CoordinationSubject, createManualClock, type OpenCoordination } from './fixtures.conformance.ts'

const most = { ofKind: 100, ofSource: 100 }

export function shortLivedConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: short-lived entries`, () => {
    const clock = createManualClock()
    let subject: CoordinationSubject
    let store: ShortLived
    let kinds = 0
    beforeAll(async () => {
      subject = await open(clock)
      store = subject.coordination.shortLived
    })
    afterAll(() => subject.close())
    /** Entries of a kind that no other test uses. */
    const newKind = () => {
      const kind = `kind-${++kinds}`
      return (id: string, more: Partial<ShortLivedEntry> = {}): ShortLivedEntry => ({
        kind,
        id,
        source: 'here',
        value: '{"n":1}',
        expiresAt: clock.now() + 1000,
        ...more,
      })
    }

    it('keeps an entry until its time is over', async () => {
      const entry = newKind()('a')
      expect(await store.put(entry, most)).toBe(true)
      clock.advance(999)
      expect(await store.get(entry.kind, 'a')).toEqual(entry)
      expect(await store.list(entry.kind)).toEqual([entry])
      clock.advance(1)
      expect(await store.get(entry.kind, 'a')).toBeUndefined()
      expect(await store.list(entry.kind)).toEqual([])
      expect(await store.replace(entry, '{}')).toBe(false)
      expect(await store.take(entry.kind, 'a')).toBeUndefined()
    })

    it('lists a kind by its own, those that end first come first', async () => {
      const [entry, other] = [newKind(), newKind()]
      const late = entry('late', { expiresAt: clock.now() + 900 })
      const soon = entry('soon', { expiresAt: clock.now() + 500 })
      for (const one of [late, soon, other('late')]) await store.put(one, most)
      expect(await store.list(late.kind)).toEqual([soon, late])
      await store.take(late.kind, 'late')
      expect(await store.get(other('late').kind, 'late')).toEqual(other('late'))
    })

    it('refuses more than there is room for, of a kind and of a source, and an id that is taken', async () => {
      const entry = newKind()
      const room = { ofKind: 3, ofSource: 2 }
      const put = (id: string, source: string) => store.put(entry(id, { source }), room)
      expect(await put('a', 'x')).toBe(true)
      expect(await store.put(entry('a', { source: 'y', value: '{}' }), room)).toBe(false)
      expect(await store.get(entry('a').kind, 'a')).toMatchObject({ source: 'x' })
      expect(await put('b', 'x')).toBe(true)
      expect(await put('c', 'x')).toBe(false)
      expect(await put('c', 'y')).toBe(true)
      expect(await put('d', 'z')).toBe(false)
      await store.take(entry('a').kind, 'a')
      expect(await put('d', 'z')).toBe(true)
      clock.advance(1000)
      expect(await put('e', 'x')).toBe(true)
    })

    it('keeps to the room when many come at once', async () => {
      const entry = newKind()
      const all = Array.from({ length: 50 }, (_, n) => store.put(entry(`${n}`), { ofKind: 100, ofSource: 5 }))
      expect((await Promise.all(all)).filter(Boolean)).toHaveLength(5)
    })

    it('changes only what the caller has read', async () => {
      const entry = newKind()('a')
      await store.put(entry, most)
      expect(await store.replace(entry, '{"n":2}')).toBe(true)
      expect(await store.replace(entry, '{"n":3}')).toBe(false)
      expect(await store.get(entry.kind, 'a')).toEqual({ ...entry, value: '{"n":2}' })
      expect(await store.replace({ ...entry, id: 'b' }, '{}')).toBe(false)
    })

    it('gives an entry to one of those who take it at once', async () => {
      const entry = newKind()('a')
      await store.put(entry, most)
      const taken = await Promise.all(Array.from({ length: 20 }, () => store.take(entry.kind, 'a')))
      expect(taken.filter((one) => one !== undefined)).toEqual([entry])
      expect(await store.get(entry.kind, 'a')).toBeUndefined()
    })

    it('keeps entries when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const entry = newKind()('a')
      await store.put(entry, most)
      store = (await subject.reopen()).shortLived
      expect(await store.take(entry.kind, 'a')).toEqual(entry)
    })
  })
}
