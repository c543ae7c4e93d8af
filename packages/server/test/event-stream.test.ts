/** Event streams over real HTTP, fed by the real CLI. How they take cuts and slow readers is in src/http and in the drills. */
import { createServer } from 'node:net'
import { createApiClient, StreamCursor, type StreamFrame } from '@dorkos/shared'
import { type ModelRequest, reply, text, toolUse } from '@dorkos/testkit'
import Database from 'libsql'
import { afterEach, describe, expect, it } from 'vitest'
import { Frames, fold } from './support/collect-frames.ts'
import { type Host, startHost } from './support/start-host.ts'

let host: Host
const open: Frames[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((frames) => frames.close()))
  await host?.close()
})

function follow(id: string, lastEventId?: string, client = host.client): Frames {
  const frames = Frames.ofSession(client, id, lastEventId)
  open.push(frames)
  return frames
}

function followAll(sessions: string[], from: { cursor?: StreamCursor } = {}): Frames {
  const frames = new Frames((signal) => host.client.followAll({ sessions, signal, maxRetryMs: 200, ...from }))
  open.push(frames)
  return frames
}

const isEnd = (frame: StreamFrame, turnId?: string) =>
  frame.frame === 'message' &&
  frame.event.type === 'turn_end' &&
  (turnId === undefined || frame.event.turn_id === turnId)

async function send(id: string, content: string): Promise<string> {
  return (await host.client.sendMessage({ params: { id }, body: { content } })).turn.id
}

/** Some text, a tool, some more text; in small pieces. */
const works = (request: ModelRequest) => {
  const pieces = { deltaDelayMs: 5, deltaSize: 4 }
  if (request.toolResults.length > 0) return reply([text('and that was all of it '.repeat(4))], pieces)
  if (request.lastUserText !== 'work') return reply([text(`heard: ${request.lastUserText}`)])
  return reply([text('let me look at it first '.repeat(4)), toolUse('mcp__dorkos__ping', {})], pieces)
}

describe('one session', { timeout: 90_000 }, () => {
  it('cold, warm and from the beginning: all clients come to the same', async () => {
    host = await startHost(works)
    const body = { content: 'work', permission_mode: 'acceptEdits' as const }
    const { session } = await host.client.createSession({ body })
    const { id } = session
    const whole = follow(id, '1-1')
    await whole.next((frame) => frame.frame === 'message' && frame.event.type === 'text_delta')

    const cold = follow(id)
    await cold.until(() => cold.all.length > 0)
    await whole.next((frame) => isEnd(frame))
    await cold.next((frame) => isEnd(frame))
    const [snapshot] = cold.all
    if (snapshot?.frame !== 'snapshot') throw new Error('the first frame is no snapshot')
    expect(snapshot.snapshot).toMatchObject({ session: { id }, at: snapshot.cursor })
    const joined = [...snapshot.snapshot.turn, ...cold.events]
    const ids = whole.events.map((event) => event.id)
    expect(ids).toEqual(ids.map((_id, index) => `1-${index + 2}`))
    expect(fold(joined)).toEqual(fold(whole.events))
    expect(Object.values(fold(joined)).join()).toContain('let me look at it first '.repeat(4).trim())
    expect(joined[0]?.type).toBe('turn_start')

    const middle = ids[Math.floor(ids.length / 2)] ?? ''
    const warm = follow(id, middle)
    await warm.next((frame) => isEnd(frame))
    expect(warm.of('snapshot')).toEqual([])
    expect(warm.events.map((event) => event.id)).toEqual(
      ids.slice(ids.indexOf(middle) + 1, ids.indexOf(middle) + 1 + warm.events.length),
    )

    // Live from here on: the same events to all, in the same order.
    const before = whole.events.length
    const turnId = await send(id, 'and now?')
    const clients = [whole, cold, warm]
    await Promise.all(clients.map((client) => client.next((frame) => isEnd(frame, turnId))))
    const live = whole.events.slice(before).map((event) => event.id)
    const end = live[whole.events.slice(before).findIndex((event) => event.type === 'turn_end')]
    const upToEnd = live.slice(0, live.indexOf(end ?? '') + 1)
    for (const client of clients)
      expect(client.events.map((event) => event.id)).toEqual(expect.arrayContaining(upToEnd))
    for (const client of [cold, warm]) {
      const seen = client.events.map((event) => event.id)
      expect(seen.slice(seen.indexOf(upToEnd[0] ?? ''), seen.indexOf(end ?? '') + 1)).toEqual(upToEnd)
    }
    expect(host.model.problems).toEqual([])
  })

  it('resync and a snapshot for a position that the log does not have; live from there', async () => {
    host = await startHost([reply([text('hello')])])
    const { session } = await host.client.createSession({ body: { title: 'quiet' } })
    await host.client.startSession({ params: { id: session.id } })
    const positions = ['9-1', '1-99999', '0-1', 'garbage', '1-1-1']
    const clients = positions.map((position) => follow(session.id, position))
    for (const client of clients) {
      await client.next(({ frame }) => frame === 'snapshot')
      expect(client.all.map(({ frame }) => frame).slice(0, 2)).toEqual(['resync', 'snapshot'])
    }
    const turnId = await send(session.id, 'hello')
    for (const client of clients) await client.next((frame) => isEnd(frame, turnId))
  })
})

describe('many sessions on one stream', { timeout: 90_000 }, () => {
  it('begins with the server’s state; known sessions go on, others begin with a snapshot; the topic reports what changes', async () => {
    host = await startHost((request) =>
      request.toolResults.length > 0 || request.lastUserText !== 'work'
        ? reply([text('done')])
        : reply([toolUse('Bash', { command: 'touch x' })]),
    )
    const first = (await host.client.createSession({ body: {} })).session.id
    const one = followAll([first])
    await one.next(({ frame }) => frame === 'snapshot')
    await send(first, 'one')
    await one.next((frame) => isEnd(frame))
    expect(one.all[0]).toMatchObject({ frame: 'server_snapshot', snapshot: { approvals: [] } })
    expect(one.of('snapshot').map(({ session }) => session)).toEqual([first])
    await one.close()
    const cursor = new StreamCursor()
    for (const frame of one.all) cursor.note(frame)

    const turnId = await send(first, 'two')
    await follow(first)
      .next((frame) => isEnd(frame, turnId))
      .catch(() => undefined)
    const second = (await host.client.createSession({ body: { title: 'another' } })).session.id
    const both = followAll([first, second], { cursor })
    await both.next((frame) => isEnd(frame, turnId))
    await both.next(({ frame }) => frame === 'snapshot')
    expect(both.all[0]?.frame).toBe('server_snapshot')
    expect(both.of('resync')).toEqual([])
    expect(both.of('snapshot').map(({ session }) => session)).toEqual([second])
    // Nothing between the cursor and now is missing.
    const seen = [...one.events, ...both.events]
      .filter(({ session }) => session === first)
      .map(({ id }) => id)
    const replay = follow(first, '1-1')
    await replay.next((frame) => isEnd(frame, turnId))
    const log = replay.events.map(({ id }) => id)
    const from = log.indexOf(seen[0] ?? '')
    expect(seen.slice(0, log.length - from)).toEqual(log.slice(from, from + seen.length))

    await send(second, 'work')
    const isPending = (frame: StreamFrame) =>
      frame.frame === 'server' &&
      frame.event.type === 'approval_changed' &&
      frame.event.approval.state === 'pending'
    const asked = await both.next(isPending)
    if (asked.frame !== 'server' || asked.event.type !== 'approval_changed') throw new Error('no approval')
    const { approval } = asked.event
    await both.until(() =>
      both.serverEvents.some(
        (event) =>
          event.type === 'session_changed' &&
          event.session.id === second &&
          event.session.pending_approvals === 1,
      ),
    )
    const late = followAll([])
    expect(await late.next(({ frame }) => frame === 'server_snapshot')).toMatchObject({
      snapshot: { approvals: [{ id: approval.id }] },
    })
    await host.client.answerApproval({
      params: { id: approval.id },
      body: { decision: 'deny', message: 'no' },
    })
    for (const client of [both, late])
      await client.until(() =>
        client.serverEvents.some(
          (event) => event.type === 'approval_changed' && event.approval.state === 'denied',
        ),
      )
  })

  it('a cursor that is not of this log is a resync of everything', async () => {
    host = await startHost([])
    const { session } = await host.client.createSession({ body: { title: 'quiet' } })
    const first = followAll([session.id])
    const snapshot = await first.next(({ frame }) => frame === 'snapshot')
    await first.close()
    const cursor = new StreamCursor()
    cursor.note({ ...snapshot, cursor: snapshot.cursor?.replace(/^[^.]+/, 'another') ?? '' })
    const frames = followAll([session.id], { cursor })
    await frames.next(({ frame }) => frame === 'snapshot')
    const kinds = frames.all.map(({ frame }) => frame).filter((frame) => frame !== 'server')
    expect(kinds).toEqual(['server_snapshot', 'resync', 'snapshot'])
  })
})

describe('how many there may be', { timeout: 90_000 }, () => {
  it('32 of one token unless more are allowed; each of 500 gets every event', async () => {
    host = await startHost([reply([text('hello to all')])])
    const { session } = await host.client.createSession({ body: { title: 'watched' } })
    const { id } = session
    const { secret } = await host.client.createToken({ body: { name: 'wall', scopes: ['read'] } })
    const client = createApiClient({ baseUrl: host.server.url, token: secret })
    const openUpTo = async (count: number) => {
      while (open.length < count) follow(id, undefined, client)
      await Promise.all(open.map((frames) => frames.until(() => frames.all.length > 0)))
    }
    await openUpTo(32)
    const refused = await fetch(`${host.server.url}/api/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('32 open event streams, the most that `events.maxStreamsPerToken`')

    await host.client.changeConfig({ body: { set: { 'events.maxStreamsPerToken': 500 } } })
    await openUpTo(500)
    const turnId = await send(id, 'hello')
    await Promise.all(open.map((frames) => frames.next((frame) => isEnd(frame, turnId))))
    const seen = open.map(({ events }) => JSON.stringify(fold(events)))
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toContain('hello to all')
    expect(open.map((frames) => frames.fault).filter(Boolean)).toEqual([])
  })
})

describe('the end of a stream', { timeout: 90_000 }, () => {
  it('comes with its token, and with the server; the next server goes on', async () => {
    const port = await freePort()
    host = await startHost([reply([text('before')]), reply([text('after')])], {
      flags: { '--port': String(port) },
    })
    const { session } = await host.client.createSession({ body: { content: 'hello' } })
    const { id } = session
    const issued = await host.client.createToken({ body: { name: 'phone', scopes: ['read'] } })
    const lasting = await host.client.createToken({ body: { name: 'laptop', scopes: ['read'] } })
    const clientOf = (token: string) => createApiClient({ baseUrl: host.server.url, token })
    const phone = follow(id, '1-1', clientOf(issued.secret))
    const laptop = follow(id, '1-1', clientOf(lasting.secret))
    await Promise.all([phone, laptop].map((client) => client.next((frame) => isEnd(frame))))
    await host.client.revokeToken({ params: { id: issued.token.id } })
    await phone.until(() => phone.isOver).catch(() => undefined)
    expect(phone.fault).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(laptop.isOver).toBe(false)

    await host.restart()
    await laptop.next(({ frame }) => frame === 'closing')
    const turnId = await send(id, 'again')
    await laptop.next((frame) => isEnd(frame, turnId))
    expect(laptop.of('resync')).toEqual([])
    expect(laptop.of('snapshot')).toEqual([])
    const ids = laptop.events.map((event) => event.id)
    expect(ids).toContain('2-1')
    expect(new Set(ids).size).toBe(ids.length)

    // Old events go: what a client had of them cannot be continued.
    await host.server.close({ graceMs: 0 })
    const database = new Database(`${host.home}/dorkos.db`)
    database.exec("UPDATE events SET time = '2001-01-01T00:00:00.000Z' WHERE epoch = 1")
    database.close()
    await host.restart()
    const stale = follow(id, '1-5')
    await stale.next(({ frame }) => frame === 'snapshot')
    expect(stale.all[0]).toMatchObject({ frame: 'resync', session: id })
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
