/** Spare processes over stores in memory and an agent that does as it is told. */

import { randomUUID } from 'node:crypto'
import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSessionRig, recordOf, type SessionRig } from '../../../test/support/session-rig.ts'
import type { SessionRecord } from '../ports/records.ts'
import { isSameLaunch } from './spares.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const draft = (more: Partial<SessionRecord> = {}): SessionRecord => ({ ...recordOf(randomUUID()), ...more })
const store = (record: SessionRecord) => rig.sessions.create(record)

/** Somebody looks until a process is ready for this. */
async function ready(record: SessionRecord) {
  const before = rig.agent.processes.length
  rig.spares.wantNew(record)
  await rig.agent.until(
    () => rig.agent.processes.length > before && rig.manager.runners().every(({ live }) => live),
  )
  const process = rig.agent.processes.at(-1)
  if (!process) throw new Error('no process was started')
  return process
}

const ids = () => rig.manager.runners().map(({ id }) => id)

describe('spare processes', () => {
  it('begin when a session takes them, under the id that was kept', async () => {
    const process = await ready(draft())
    expect(process.spec).toMatchObject({ isSpare: true })
    let begun = 0
    process.onBegin = async () => void begun++
    expect(rig.manager.peek(process.spec.sessionId)).toBeUndefined()
    const { record } = await rig.spares.with(draft({ budgetUsd: 3, firstPrompt: 'hi' }), store)
    expect(record).toMatchObject({ id: process.spec.sessionId, budgetUsd: 3, firstPrompt: 'hi' })
    await rig.send('hi', { id: record.id })
    await process.message(1)
    expect([begun, rig.agent.processes.length]).toEqual([1, 1])
    expect(rig.manager.peek(record.id)?.record).toMatchObject({ cliSessionIds: [record.id] })
  })

  it('are replaced where they cannot begin: the message runs in a process of its own', async () => {
    const process = await ready(draft())
    process.onBegin = () => Promise.reject(new Error('not_a_spare'))
    const { record } = await rig.spares.with(draft(), store)
    await rig.send('hi', { id: record.id })
    await rig.agent.until(() => rig.agent.processes.length === 2)
    const own = rig.agent.processes[1]
    expect(await own?.message(1)).toMatchObject({ content: 'hi' })
    expect(own?.spec).toMatchObject({ isSpare: false, sessionId: record.id })
    expect([process.isClosed, process.sent]).toEqual([true, []])
  })

  it('leave nothing when the session is not made after all', async () => {
    const process = await ready(draft())
    const { sessionId } = process.spec
    await expect(
      rig.spares.with(draft(), () => Promise.reject(new Error('the disk is full'))),
    ).rejects.toThrow()
    await vi.waitFor(() => expect([process.isClosed, ids()]).toEqual([true, []]))
    expect(await rig.coordination.leases.epochOf(sessionId)).toBe(0)
    expect(await rig.coordination.events.readSession(sessionId, undefined, 9)).toEqual([])
  })

  it('are taken once, however many sessions are made at the same time', async () => {
    const process = await ready(draft())
    const made = await Promise.all([1, 2, 3].map(() => rig.spares.with(draft(), store)))
    expect(made.filter(({ record }) => record.id === process.spec.sessionId)).toHaveLength(1)
    expect(new Set(made.map(({ record }) => record.id)).size).toBe(3)
  })

  it('are started once for those who ask for the same at the same time', async () => {
    for (let asked = 0; asked < 3; asked++) rig.spares.wantNew(draft())
    await ready(draft())
    await ready(draft({ cwd: '/later' }))
    expect(rig.agent.processes.map(({ spec }) => spec.cwd)).toEqual([draft().cwd, '/later'])
  })

  it('are no more than configured: the one that was asked for first goes', async () => {
    const [first, second] = [await ready(draft({ cwd: '/one' })), await ready(draft({ cwd: '/two' }))]
    const third = await ready(draft({ cwd: '/three' }))
    expect([first, second, third].map(({ isClosed }) => isClosed)).toEqual([true, false, false])
    expect(ids()).toEqual([second.spec.sessionId, third.spec.sessionId])
  })

  it('are not used when what they were started with has changed', async () => {
    const process = await ready(draft())
    rig.manager.runners()[0]?.restartWhenIdle(say('cli_words', { text: 'settings have changed' }))
    const { record } = await rig.spares.with(draft(), store)
    expect(record.id).not.toBe(process.spec.sessionId)
  })

  it('are not used minutes after they began early, however long that takes', async () => {
    const process = await ready(draft())
    let begin = () => {}
    process.onBegin = () =>
      new Promise((resolve) => {
        begin = resolve
      })
    const early = rig.manager.runners()[0]?.beginEarly()
    rig.clock.advance(180_000)
    const { record } = await rig.spares.with(draft(), store)
    expect(record.id).not.toBe(process.spec.sessionId)
    begin()
    await early
  })

  it('are started again after one was ended while it started; after a start that failed, only when some time has passed', async () => {
    const before = rig.agent.processes.length
    rig.spares.wantNew(draft())
    await rig.agent.until(
      () => rig.manager.runners().some(({ starting }) => starting) || rig.agent.processes.length > before,
    )
    rig.spares.endAll()
    await vi.waitFor(() => expect(ids()).toEqual([]))
    expect((await ready(draft())).isClosed).toBe(false)

    rig.agent.crash = 'it crashed'
    rig.spares.wantNew(draft({ cwd: '/other' }))
    await vi.waitFor(() => expect(rig.faults).toContain('a spare process did not start'))
    rig.agent.crash = undefined
    rig.spares.wantNew(draft({ cwd: '/other' }))
    expect(ids()).toHaveLength(1)
    rig.clock.advance(60_000)
    await ready(draft({ cwd: '/other' }))
  })

  it('of a server that died are forgotten, with all that was stored of them', async () => {
    const { sessionId } = (await ready(draft())).spec
    expect(await rig.coordination.leases.epochOf(sessionId)).toBe(1)
    const next = await rig.crash()
    await next.manager.start()
    expect(await next.coordination.leases.epochOf(sessionId)).toBe(0)
    expect(await next.coordination.events.readSession(sessionId, undefined, 9)).toEqual([])
    await next.manager.stop(0)
  })
})

describe('isSameLaunch', () => {
  const one = draft({ workspaceId: 'w', cwd: '/projects', outputSchema: { type: 'object' } })

  it('is so for sessions that differ in what a process is not started with', () => {
    const other = { ...one, id: 'x', firstPrompt: 'hi', budgetUsd: 2, createdAt: 'later', requestHash: 'h' }
    expect(isSameLaunch(one, structuredClone(other))).toBe(true)
  })

  it.each<Partial<SessionRecord>>([
    { cwd: '/projects/below' },
    { workspaceId: 'v' },
    { principal: 'guest' },
    { model: 'opus' },
    { effort: 'high' },
    { permissionMode: 'bypassPermissions' },
    { maxTurns: 3 },
    { unattended: true },
    { folderConfirmed: !one.folderConfirmed },
    { demo: true },
    { title: 'a title' },
    { outputSchema: { type: 'array' } },
    { resumeFrom: { sessionId: 'another' } },
  ])('is not so where %o', (change) => {
    expect(isSameLaunch(one, { ...one, ...change })).toBe(false)
  })
})
