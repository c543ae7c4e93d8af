/** What every store of session records keeps to. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newSessionId, time } from './fixtures.conformance.ts'
import type { Records, SessionRecord } from './records.ts'

type Get = () => Records

const later = '2025-06-02T00:00:00.000Z'

export function newSession(more: Partial<SessionRecord> = {}): SessionRecord {
  const id = newSessionId()
  return {
    id,
    workspaceId: 'ws_main0000',
    cwd: '/projects \u0000 \ud800',
    title: undefined,
    firstPrompt: undefined,
    model: undefined,
    effort: undefined,
    permissionMode: 'default',
    state: 'idle',
    cliSessionIds: [id],
    archived: false,
    pinned: false,
    unattended: false,
    folderConfirmed: true,
    maxTurns: undefined,
    budgetUsd: undefined,
    outputSchema: undefined,
    demo: true,
    forkedFrom: undefined,
    resumeFrom: undefined,
    principal: 'owner',
    createdAt: time,
    updatedAt: time,
    ...more,
  }
}

export function sessionTests(get: Get): void {
  it('creates a session once for a key of the same principal', async () => {
    const session = newSession()
    const key = randomUUID()
    expect(await get().sessions.create(session, key)).toEqual({ created: true, record: session })
    expect(await get().sessions.create(newSession(), key)).toEqual({ created: false, record: session })
    const guest = newSession({ principal: 'guest' })
    expect(await get().sessions.create(guest, key)).toEqual({ created: true, record: guest })
    expect(await get().sessions.create(newSession({ id: session.id }))).toEqual({
      created: false,
      record: session,
    })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => get().sessions.create(newSession(), 'at once')),
    )
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ record }) => record.id)).size).toBe(1)
  })

  it('changes the fields that are given, and clears those given as undefined', async () => {
    const session = newSession({ title: 'old', budgetUsd: 5, effort: 'high', folderConfirmed: false })
    await get().sessions.create(session)
    const changed = await get().sessions.change(session.id, {
      title: undefined,
      effort: undefined,
      archived: true,
      folderConfirmed: true,
    })
    const expected = {
      ...session,
      title: undefined,
      effort: undefined,
      archived: true,
      folderConfirmed: true,
    }
    expect(changed).toEqual(expected)
    expect(await get().sessions.get(session.id)).toEqual(expected)
    expect(await get().sessions.change(session.id, { updatedAt: later })).toMatchObject({ updatedAt: later })
    const hostile = { id: newSessionId(), principal: 'guest', createdAt: later }
    expect(await get().sessions.change(session.id, hostile as object)).toMatchObject({
      id: session.id,
      principal: 'owner',
      createdAt: time,
    })
    expect(await get().sessions.change(newSessionId(), { title: 'x' })).toBeUndefined()
  })

  it('finds a session by each id that the CLI used', async () => {
    const session = newSession()
    await get().sessions.create(session)
    const [first, second] = [session.id, newSessionId()]
    await get().sessions.change(session.id, { cliSessionIds: [first, second] })
    for (const id of [first, second])
      expect(await get().sessions.byCliId(id)).toMatchObject({
        id: session.id,
        cliSessionIds: [first, second],
      })
    expect(await get().sessions.byCliId(newSessionId())).toBeUndefined()
    await get().sessions.remove(session.id)
    expect(await get().sessions.byCliId(second)).toBeUndefined()
    expect(await get().sessions.get(session.id)).toBeUndefined()
  })

  it('gets many at once, without those that are not there', async () => {
    const sessions = [newSession(), newSession()]
    for (const session of sessions) await get().sessions.create(session)
    const found = await get().sessions.getMany([...sessions.map(({ id }) => id), newSessionId(), "'"])
    expect(found).toEqual(new Map(sessions.map((session) => [session.id, session])))
    expect(await get().sessions.getMany([])).toEqual(new Map())
  })
}

export function sessionListTests(get: Get): void {
  it('lists newest first in pages, also where times are alike', async () => {
    const workspaceId = randomUUID()
    const sessions = Array.from({ length: 7 }, (_, index) =>
      newSession({ workspaceId, updatedAt: `2025-06-0${1 + Math.floor(index / 3)}T00:00:00.000Z` }),
    )
    for (const session of sessions) await get().sessions.create(session)
    await get().sessions.create(newSession())
    const seen: SessionRecord[] = []
    for (;;) {
      const last = seen.at(-1)
      const page = await get().sessions.list({
        principal: null,
        workspaceId,
        limit: 2,
        ...(last && { before: { updatedAt: last.updatedAt, id: last.id } }),
      })
      if (page.length === 0) break
      seen.push(...page)
    }
    const expected = sessions.toSorted((a, b) =>
      `${a.updatedAt}|${a.id}` < `${b.updatedAt}|${b.id}` ? 1 : -1,
    )
    expect(seen).toEqual(expected)
  })

  it('lists archived sessions apart', async () => {
    const workspaceId = randomUUID()
    const [kept, archived] = [newSession({ workspaceId }), newSession({ workspaceId, archived: true })]
    for (const session of [kept, archived]) await get().sessions.create(session)
    const list = async (filter: { archived?: boolean }) =>
      new Set(
        (await get().sessions.list({ principal: null, workspaceId, limit: 10, ...filter })).map(
          ({ id }) => id,
        ),
      )
    expect(await list({ archived: false })).toEqual(new Set([kept.id]))
    expect(await list({ archived: true })).toEqual(new Set([archived.id]))
    expect(await list({})).toEqual(new Set([kept.id, archived.id]))
  })

  it('lists pinned sessions apart', async () => {
    const workspaceId = randomUUID()
    const [other, pinned] = [newSession({ workspaceId }), newSession({ workspaceId })]
    for (const session of [other, pinned]) await get().sessions.create(session)
    await get().sessions.change(pinned.id, { pinned: true })
    const list = async (filter: { pinned?: boolean }) =>
      new Set(
        (await get().sessions.list({ principal: null, workspaceId, limit: 10, ...filter })).map(
          ({ id }) => id,
        ),
      )
    expect(await list({ pinned: true })).toEqual(new Set([pinned.id]))
    expect(await list({ pinned: false })).toEqual(new Set([other.id]))
    expect(await list({})).toEqual(new Set([pinned.id, other.id]))
  })
}
