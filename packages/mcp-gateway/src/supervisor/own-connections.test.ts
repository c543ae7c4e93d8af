/** `sharing: session`: lists come from one process that all share, calls go to one of the holder's own. */
import { writeFileSync } from 'node:fs'
import { isLiving } from '@dorkos/processes'
import { describe, expect, it } from 'vitest'
import { call, inState, plainEntry, statusWhere, textOf } from '../../test/support/gateway-fixture.ts'
import { HandClock } from '../../test/support/hand-clock.ts'
import { useGateway } from '../../test/support/use-gateway.ts'
import type { Holder, OwnEnd, ServerHold } from './supervised-server.ts'

const used = useGateway()

const pidOf = async (hold: ServerHold) => Number(await textOf(call(hold, 'pid')))
const toolsOf = (hold: ServerHold) => hold.catalogue().tools.map(({ name }) => name)
const failure = (answer: Promise<unknown>) =>
  answer.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

function holder(id: string) {
  const ends: OwnEnd[] = []
  const who: Holder = { id, onOwnEnd: (end) => ends.push(end) }
  return { who, ends }
}

function entryOf(server: Record<string, unknown> = {}) {
  const countFile = `${used.fixture.dir}/starts`
  const entry = plainEntry({ sharing: 'session', server: { countFile, ...server } })
  return { entry, starts: () => used.fixture.starts(countFile) }
}

describe('a process for each holder', () => {
  it('starts at the first call, once for calls that come together, and is there for those that follow', async () => {
    const { entry, starts } = entryOf()
    const supervisor = used.fixture.supervisor()
    const [a, b] = [supervisor.hold(entry, { id: 'a' }), supervisor.hold(entry, { id: 'b' })]
    await inState(a, 'connected')
    expect(toolsOf(a)).toContain('echo')
    expect(starts()).toHaveLength(1)
    const [first, second] = await Promise.all([pidOf(a), pidOf(a)])
    expect(second).toBe(first)
    expect(starts()).toHaveLength(2)
    const other = await pidOf(b)
    expect(await pidOf(a)).toBe(first)
    const [listing] = starts()
    expect(new Set([listing, first, other]).size).toBe(3)
    expect(a.status()).toMatchObject({ sessions: 2, ownConnections: 2, pids: [listing, first, other] })
    expect(supervisor.list()).toHaveLength(1)
  })

  it('keeps what it was given from the others, and notifies its holder alone of what changes', async () => {
    const { entry } = entryOf()
    const supervisor = used.fixture.supervisor()
    const [a, b] = [supervisor.hold(entry, { id: 'a' }), supervisor.hold(entry, { id: 'b' })]
    const changes: string[] = []
    for (const [name, hold] of Object.entries({ a, b }))
      hold.onChange(({ type }) => type !== 'status' && changes.push(`${name} ${type}`))
    await pidOf(a)
    await pidOf(b)
    changes.length = 0
    await call(a, 'grow', { name: 'zebra' })
    await statusWhere(a, () => toolsOf(a).includes('zebra'))
    expect(changes).toEqual(['a resource_updated', 'a catalogue'])
    expect(toolsOf(b)).not.toContain('zebra')
    expect(await textOf(call(a, 'zebra'))).toBe('zebra')
    expect(await failure(call(b, 'zebra'))).toContain('no tool zebra')
    // A third one, which has none of its own yet, sees what the shared one lists; people see all of it.
    expect(toolsOf(supervisor.hold(entry, { id: 'c' }))).not.toContain('zebra')
    expect(supervisor.catalogue(supervisor.keyOf(entry)).tools.map(({ name }) => name)).toContain('zebra')
    a.release()
    expect(supervisor.catalogue(supervisor.keyOf(entry)).tools.map(({ name }) => name)).not.toContain('zebra')
  })

  it('ends with the last hold of its holder, and a new hold that comes before finds it', async () => {
    const { entry } = entryOf()
    const supervisor = used.fixture.supervisor()
    const { who, ends } = holder('a')
    const [a, b] = [supervisor.hold(entry, who), supervisor.hold(entry, { id: 'b' })]
    await inState(a, 'connected')
    const [pidA, pidB] = [await pidOf(a), await pidOf(b)]
    const again = supervisor.hold(entry, who)
    a.release()
    a.release()
    expect(await pidOf(again)).toBe(pidA)
    expect(await failure(pidOf(a))).toContain('no longer held by a')
    again.release()
    await expect.poll(() => isLiving(pidA)).toBe(false)
    expect(b.status()).toMatchObject({ state: 'connected', sessions: 1, ownConnections: 1 })
    expect(isLiving(pidB)).toBe(true)
    // Its holder has left: nothing of this is news to it.
    expect(ends).toEqual([])
  })

  it('ends with the supervisor, and when the server is connected anew', async () => {
    const { entry } = entryOf()
    const supervisor = used.fixture.supervisor()
    const a = supervisor.hold(entry, { id: 'a' })
    await inState(a, 'connected')
    const first = await pidOf(a)
    expect(await supervisor.reconnect(supervisor.keyOf(entry))).toMatchObject({ ownConnections: 0 })
    await expect.poll(() => isLiving(first)).toBe(false)
    const second = await pidOf(a)
    await supervisor.close()
    expect(isLiving(second)).toBe(false)
    expect(await failure(pidOf(a))).toContain('was stopped')
  })

  it('is asked for a holder alone what the server asks during its calls', async () => {
    const { entry } = entryOf()
    const supervisor = used.fixture.supervisor()
    const asked: string[] = []
    const person = (id: string): Holder => ({
      id,
      async onElicitation({ message }) {
        asked.push(`${id}: ${message}`)
        return { action: 'accept', content: { color: id } }
      },
    })
    const [a, b] = [supervisor.hold(entry, person('a')), supervisor.hold(entry, person('b'))]
    const answers = await Promise.all(
      [a, b].map((hold) => textOf(call(hold, 'ask', { text: hold === a ? 'this' : 'that' }))),
    )
    expect(answers.map((answer) => JSON.parse(answer).content)).toEqual([{ color: 'a' }, { color: 'b' }])
    expect(asked.toSorted()).toEqual(['a: What of this?', 'b: What of that?'])
  })
})

describe('a process that fails', () => {
  it('is news to its holder alone, and the next call starts another', async () => {
    const { entry, starts } = entryOf()
    const supervisor = used.fixture.supervisor()
    const [one, other] = [holder('a'), holder('b')]
    const [a, b] = [supervisor.hold(entry, one.who), supervisor.hold(entry, other.who)]
    await inState(a, 'connected')
    const [pidA, pidB] = [await pidOf(a), await pidOf(b)]
    const waiting = textOf(call(b, 'wait', { ms: 300, text: 'b' }))
    expect(await failure(call(a, 'crash'))).toMatch(
      /^MCP server "plain" ended during the call: it was ended by SIGKILL.*\. It served this session alone, and what it kept is gone; the next call starts it anew\.$/,
    )
    expect(one.ends).toEqual([{ reason: 'failed', error: expect.stringContaining('SIGKILL') }])
    expect(await waiting).toBe('waited for b')
    expect(starts()).toHaveLength(3)
    expect(a.status()).toMatchObject({ state: 'connected', ownConnections: 1 })
    expect(a.status().history.map(({ state }) => state)).toEqual(['pending', 'connected'])
    const again = await pidOf(a)
    expect([pidA, pidB]).not.toContain(again)
    expect(await pidOf(b)).toBe(pidB)
    expect(other.ends).toEqual([])
  })

  it('while it is idle too', async () => {
    const { entry } = entryOf()
    const { who, ends } = holder('a')
    const hold = used.fixture.supervisor().hold(entry, who)
    const pid = await pidOf(hold)
    process.kill(pid, 'SIGKILL')
    await statusWhere(hold, ({ ownConnections }) => ownConnections === 0)
    expect(ends).toMatchObject([{ reason: 'failed' }])
    expect(await pidOf(hold)).not.toBe(pid)
  })

  it('at its start says why, to every call that waits for it, and is not tried again by itself', async () => {
    const { entry, starts } = entryOf({ failFrom: 2 })
    const { who, ends } = holder('a')
    const hold = used.fixture.supervisor().hold(entry, who)
    await inState(hold, 'connected')
    const said = await Promise.all([failure(call(hold, 'pid')), failure(call(hold, 'echo'))])
    for (const one of said)
      expect(one).toMatch(/^MCP server "plain" is not connected: ended with exit code 4\. It served/)
    expect(starts()).toHaveLength(2)
    expect(ends).toHaveLength(1)
    expect(hold.status()).toMatchObject({ state: 'connected', ownConnections: 0 })
    await failure(call(hold, 'pid'))
    expect(starts()).toHaveLength(3)
  })
})

describe('how many there may be', () => {
  it('the longest idle one is ended for another, over all servers, and gone before that one starts', async () => {
    const { entry } = entryOf()
    const elsewhere = plainEntry({ name: 'elsewhere', sharing: 'session' })
    const supervisor = used.fixture.supervisor({ mostOwn: 2 })
    const [one, other] = [holder('a'), holder('b')]
    const [a, b] = [supervisor.hold(entry, one.who), supervisor.hold(elsewhere, other.who)]
    const pidA = await pidOf(a)
    const pidB = await pidOf(b)
    expect(await pidOf(a)).toBe(pidA)
    const c = supervisor.hold(entry, { id: 'c' })
    const pidC = await pidOf(c)
    expect(isLiving(pidB)).toBe(false)
    expect([one.ends, other.ends]).toEqual([[], [{ reason: 'room' }]])
    expect([pidA, pidC].filter(isLiving)).toEqual([pidA, pidC])
    // It comes back at its next call, and the longest idle one goes.
    await pidOf(b)
    expect(isLiving(pidA)).toBe(false)
  })

  it('one that is at work is not; when all are, the call says what can be done', async () => {
    const { entry, starts } = entryOf()
    const supervisor = used.fixture.supervisor({ mostOwn: 1 })
    const [a, b] = [supervisor.hold(entry, { id: 'a' }), supervisor.hold(entry, { id: 'b' })]
    await inState(a, 'connected')
    const pidA = await pidOf(a)
    const stop = new AbortController()
    const params = { name: 'wait', arguments: { ms: 60_000 } }
    const busy = failure(a.request('tools/call', params, { signal: stop.signal }))
    expect(await failure(pidOf(b))).toBe(
      'No more than 1 processes of MCP servers may serve one session each, and all of them are at work. Try again when a call has ended. A person can end a session, let sessions share the server, or raise the limit.',
    )
    expect(starts()).toHaveLength(2)
    expect(await pidOf(a)).toBe(pidA)
    stop.abort()
    await busy
    expect(await pidOf(b)).not.toBe(pidA)
  })

  it('one that was left is out of the count only when it is gone', async () => {
    const { entry } = entryOf({ ignoreEnd: true })
    const supervisor = used.fixture.supervisor({ mostOwn: 1 })
    const [a, b] = [supervisor.hold(entry, { id: 'a' }), supervisor.hold(entry, { id: 'b' })]
    const pidA = await pidOf(a)
    a.release()
    expect(isLiving(pidA)).toBe(true)
    await pidOf(b)
    expect(isLiving(pidA)).toBe(false)
  })
})

it('is ended after a while without a call, and not while one is under way', async () => {
  const clock = new HandClock()
  const { entry } = entryOf()
  const { who, ends } = holder('a')
  const hold = used.fixture.supervisor({ clock, ownIdleMs: 1000 }).hold(entry, who)
  await inState(hold, 'connected')
  const pid = await pidOf(hold)
  clock.advance(999)
  const waiting = textOf(call(hold, 'wait', { ms: 200, text: 'a' }))
  clock.advance(5000)
  expect(await waiting).toBe('waited for a')
  expect(await pidOf(hold)).toBe(pid)
  clock.advance(1000)
  expect(ends).toEqual([{ reason: 'idle' }])
  expect(hold.status()).toMatchObject({ state: 'connected', ownConnections: 0 })
  await expect.poll(() => isLiving(pid)).toBe(false)
  expect(await pidOf(hold)).not.toBe(pid)
})

describe('what the process of its own offers', () => {
  it('can be looked at when it is open, before the request is sent', async () => {
    const wordFile = `${used.fixture.dir}/word`
    writeFileSync(wordFile, 'well')
    const { entry } = entryOf({ wordFile })
    const supervisor = used.fixture.supervisor()
    const [a, b] = [supervisor.hold(entry, { id: 'a' }), supervisor.hold(entry, { id: 'b' })]
    await inState(a, 'connected')
    const described = (hold: ServerHold) => hold.catalogue().tools[0]?.description
    writeFileSync(wordFile, 'badly')
    const check = () => {
      throw new Error(String(described(a)))
    }
    expect(described(a)).toBe('does ask well')
    const refused = a.request('tools/call', { name: 'grow', arguments: { name: 'sent' } }, { check })
    expect(await failure(refused)).toBe('does ask badly')
    expect(described(b)).toBe('does ask well')
    expect(supervisor.catalogue(supervisor.keyOf(entry)).tools[0]?.description).toBe('does ask badly')
    // It was not sent.
    expect(await failure(call(a, 'sent'))).toContain('no tool sent')
  })
})
