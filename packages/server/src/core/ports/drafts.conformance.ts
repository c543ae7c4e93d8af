/** What every store of drafts keeps to. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { SavedDraft } from './drafts.ts'
import { time } from './fixtures.conformance.ts'
import type { Records } from './records.ts'
import { newSession } from './session-records.conformance.ts'

export function draftTests(get: () => Records): void {
  const draft = (more: Partial<SavedDraft> = {}): SavedDraft => ({
    principal: randomUUID(),
    key: 'new',
    text: 'hello \u0000\u202e',
    revision: 10,
    updated_at: time,
    ...more,
  })
  const shown = ({ principal: _, ...rest }: SavedDraft) => rest

  it('keeps a draft that was made from what is there, and answers with what is there otherwise', async () => {
    const { drafts } = get()
    const first = draft()
    const { principal } = first
    expect(await drafts.save(first, 5, 9)).toEqual({ saved: false, stored: undefined })
    expect(await drafts.save(first, 0, 9)).toEqual({ saved: true, stored: shown(first) })
    const second = draft({ principal, text: 'second', revision: 11 })
    expect(await drafts.save(second, 0, 9)).toEqual({ saved: false, stored: shown(first) })
    expect(await drafts.save(second, 10, 9)).toEqual({ saved: true, stored: shown(second) })
    expect(await drafts.list(principal)).toEqual([shown(second)])
    const both = await Promise.all(
      ['a', 'b'].map((text) => drafts.save(draft({ principal, text, revision: 12 }), 11, 9)),
    )
    expect(both.map(({ saved }) => saved).toSorted()).toEqual([false, true])
  })

  it('removes one without text', async () => {
    const { drafts } = get()
    const one = draft()
    const { principal } = one
    await drafts.save(one, 0, 9)
    expect(await drafts.save(draft({ principal, text: '', revision: 11 }), 10, 9)).toEqual({
      saved: true,
      stored: undefined,
    })
    expect(await drafts.list(principal)).toEqual([])
    expect(await drafts.save(draft({ principal, text: '', revision: 12 }), 0, 9)).toEqual({
      saved: true,
      stored: undefined,
    })
  })

  it('is one person’s alone, and keeps their newest', async () => {
    const { drafts } = get()
    const [one, other] = [draft(), draft({ text: 'mine' })]
    await drafts.save(one, 0, 2)
    await drafts.save(other, 0, 2)
    const keys = [randomUUID(), randomUUID()]
    for (const [index, key] of keys.entries())
      await drafts.save(draft({ principal: one.principal, key, revision: 20 + index }), 0, 2)
    expect((await drafts.list(one.principal)).map(({ key }) => key)).toEqual(keys.toReversed())
    expect(await drafts.list(other.principal)).toEqual([shown(other)])
  })

  it('goes with its session', async () => {
    const { drafts, sessions } = get()
    const session = newSession()
    await sessions.create(session)
    const one = draft({ key: session.id })
    await drafts.save(one, 0, 9)
    await sessions.remove(session.id)
    expect(await drafts.list(one.principal)).toEqual([])
  })
}
