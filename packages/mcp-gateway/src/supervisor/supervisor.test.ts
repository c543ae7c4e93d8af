import { isLiving } from '@dorkos/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type GatewayFixture,
  gatewayFixture,
  inState,
  plainEntry,
  statusWhere,
  textOf,
} from '../../test/support/gateway-fixture.ts'
import { HandClock } from '../../test/support/hand-clock.ts'
import type { ServerChange } from './supervised-server.ts'

let fixture: GatewayFixture
beforeEach(() => {
  fixture = gatewayFixture()
})
afterEach(() => fixture.end())

describe('shared', () => {
  it('runs one process for ten holders, and none once they have gone', async () => {
    const countFile = `${fixture.dir}/starts`
    const supervisor = fixture.supervisor({ idleMs: 0 })
    const entry = plainEntry({ server: { countFile } })
    const holds = Array.from({ length: 10 }, (_, index) => supervisor.hold(entry, { id: `s${index}` }))
    const pids = await Promise.all(holds.map((hold) => textOf(call(hold, 'pid'))))
    expect(new Set(pids).size).toBe(1)
    expect(fixture.starts(countFile)).toHaveLength(1)
    const status = supervisor.list()
    expect(status).toHaveLength(1)
    expect(status[0]).toMatchObject({
      key: supervisor.keyOf(entry),
      state: 'connected',
      sessions: 10,
      tools: 12,
      resources: 1,
      pids: [Number(pids[0])],
      serverInfo: { name: 'plain', version: '1' },
    })
    const stopped = new Promise<void>((resolve) => {
      supervisor.onChange(() => supervisor.list()[0]?.state === 'stopped' && resolve())
    })
    for (const hold of holds) {
      hold.release()
      hold.release()
    }
    await stopped
    await supervisor.close()
    expect(isLiving(Number(pids[0]))).toBe(false)
  })

  it('is kept for a while after the last holder, who finds it again', async () => {
    const clock = new HandClock()
    const supervisor = fixture.supervisor({ clock, idleMs: 1000 })
    const first = supervisor.hold(plainEntry(), { id: 'a' })
    const pid = await textOf(call(first, 'pid'))
    first.release()
    clock.advance(999)
    const second = supervisor.hold(plainEntry(), { id: 'b' })
    clock.advance(5000)
    expect(await textOf(call(second, 'pid'))).toBe(pid)
    await expect(call(first, 'pid')).rejects.toThrow('no longer held')
    second.release()
    clock.advance(1000)
    expect(supervisor.list()[0]).toMatchObject({ state: 'stopped', pids: [], sessions: 0 })
    const third = supervisor.hold(plainEntry(), { id: 'c' })
    expect(third.catalogue().tools).toHaveLength(12)
    expect(await textOf(call(third, 'pid'))).not.toBe(pid)
  })

  it('distinguishes entries by how they are started, not by how long a call may take', () => {
    const supervisor = fixture.supervisor()
    const key = supervisor.keyOf(plainEntry({ env: { A: '1', B: '2' } }))
    expect(key).toMatch(/^plain-[0-9a-f]{12}$/)
    expect(supervisor.keyOf(plainEntry({ env: { B: '2', A: '1' }, timeoutMs: 1 }))).toBe(key)
    expect(supervisor.keyOf(plainEntry({ env: { A: '1', B: '3' } }))).not.toBe(key)
    expect(supervisor.keyOf(plainEntry({ name: 'x', env: { A: '1', B: '2' } }))).not.toBe(key)
    const keyFor = (audience: string) =>
      supervisor.keyOf({ ...plainEntry({ env: { A: '1', B: '2' } }), audience })
    expect(keyFor('one')).toMatch(/^plain-[0-9a-f]{32}$/)
    expect(keyFor('one')).not.toBe(keyFor('other'))
  })
})

describe('the catalogue', () => {
  it('follows the server, is published once for each real change, and stays while the server is away', async () => {
    const supervisor = fixture.supervisor()
    const hold = supervisor.hold(plainEntry({ server: { pageSize: 5 } }), { id: 'a' })
    const changes: ServerChange[] = []
    expect(hold.catalogue().tools).toEqual([])
    const isOfLists = ({ type }: ServerChange) => type === 'catalogue' || type === 'resource_updated'
    hold.onChange((change) => isOfLists(change) && changes.push(change))
    await inState(hold, 'connected')
    expect(hold.catalogue().tools.map((tool) => tool.name)).toContain('wait')
    expect(hold.catalogue().tools[0]).toMatchObject({ 'x-own': { kept: true } })
    expect(changes).toEqual([{ type: 'catalogue' }])
    await call(hold, 'grow', { name: 'zebra' })
    await statusWhere(hold, () => hold.catalogue().tools.some((tool) => tool.name === 'zebra')).catch(
      () => {},
    )
    expect(changes).toEqual([
      { type: 'catalogue' },
      { type: 'resource_updated', uri: 'test://a' },
      { type: 'catalogue' },
    ])
    expect(await textOf(call(hold, 'zebra'))).toBe('zebra')
    await call(hold, 'crash').catch(() => {})
    expect(hold.status().state).toBe('pending')
    expect(hold.catalogue().tools).toHaveLength(13)
    await inState(hold, 'connected')
    expect(hold.catalogue().tools).toHaveLength(12)
  })

  it('asks only for what the server says it has', async () => {
    const hold = fixture
      .supervisor()
      .hold(plainEntry({ server: { capabilities: { tools: {} } } }), { id: 'a' })
    expect(await inState(hold, 'connected')).toMatchObject({ tools: 12, resources: 0, prompts: 0 })
  })
})

describe('reconnect', () => {
  it('ends what runs and resolves with the new state', async () => {
    const supervisor = fixture.supervisor()
    const hold = supervisor.hold(plainEntry(), { id: 'a' })
    const catalogues: ServerChange[] = []
    hold.onChange((change) => change.type === 'catalogue' && catalogues.push(change))
    const pid = Number(await textOf(call(hold, 'pid')))
    const status = await supervisor.reconnect(supervisor.keyOf(hold.entry))
    expect(status?.state).toBe('connected')
    expect(isLiving(pid)).toBe(false)
    expect(status?.history.map((change) => change.state)).toEqual([
      'pending',
      'connected',
      'pending',
      'connected',
    ])
    expect(catalogues).toHaveLength(1)
    expect(await supervisor.reconnect('unknown')).toBeUndefined()
  })

  it('also tries a server that nobody holds, and stops it after a while', async () => {
    const clock = new HandClock()
    const supervisor = fixture.supervisor({ clock, idleMs: 1000 })
    const hold = supervisor.hold(plainEntry(), { id: 'a' })
    await inState(hold, 'connected')
    hold.release()
    clock.advance(1000)
    expect(hold.status().state).toBe('stopped')
    expect((await supervisor.reconnect(hold.status().key))?.state).toBe('connected')
    clock.advance(1000)
    expect(hold.status().state).toBe('stopped')
  })
})

it('is closed with every process, twice without harm, and takes no more holders', async () => {
  const supervisor = fixture.supervisor()
  const entries = ['a', 'b', 'c'].map((name) => plainEntry({ name }))
  const holds = entries.map((entry) => supervisor.hold(entry, { id: 's' }))
  const pids = await Promise.all(holds.map(async (hold) => Number(await textOf(call(hold, 'pid')))))
  const inFlight = call(holds[0]!, 'wait', { ms: 60_000 }).catch((error: unknown) => error)
  await Promise.all([supervisor.close(), supervisor.close()])
  expect(pids.filter(isLiving)).toEqual([])
  expect(await inFlight).toMatchObject({ code: -32000 })
  expect(supervisor.list().map((status) => status.state)).toEqual(['stopped', 'stopped', 'stopped'])
  expect(() => supervisor.hold(plainEntry(), { id: 'x' })).toThrow('closed')
})
