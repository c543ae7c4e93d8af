import { once } from 'node:events'
import { connect } from 'node:net'
import {
  ApiError,
  createApiClient,
  maxSessionsPerStream,
  type NewEvent,
  type StreamFrame,
  say,
} from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFaultyBus } from '../../test/support/faulty-bus.ts'
import { type HttpFixture, secretOf, startHttp } from '../../test/support/http-fixture.ts'
import { messageId, otherSessionId, session, sessionId, time, turn } from '../../test/support/http-samples.ts'
import { createMemoryEventBus } from '../adapters/memory/memory-event-bus.ts'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'

const text = (value: string): NewEvent => ({ type: 'text_delta', message_id: 'm', index: 0, text: value })
const read = secretOf('read')

let http: HttpFixture
beforeEach(async () => {
  http = await startHttp({ heartbeatMs: 30 })
})
afterEach(() => http.close())

interface SseRecord {
  event: string
  id: string | undefined
  data: string
}

/** A stream read by hand, so that the test sees what goes over the wire. */
async function open(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const abort = new AbortController()
  const response = await fetch(`${http.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${read}`, ...headers },
    signal: abort.signal,
  })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  async function next(): Promise<SseRecord | undefined> {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end !== -1) {
        const lines = buffer.slice(0, end).split('\n')
        buffer = buffer.slice(end + 2)
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        if (field('data') === undefined) continue
        return { event: field('event') ?? 'message', id: field('id'), data: field('data') ?? '' }
      }
      const chunk = await reader?.read().catch(() => undefined)
      if (!chunk || chunk.done) return undefined
      buffer += decoder.decode(chunk.value, { stream: true })
    }
  }
  return { response, next, close: () => abort.abort(), raw: () => reader?.read() }
}

const eventsPath = `/api/sessions/${sessionId}/events`

describe('the stream of one session', () => {
  it('begins with a snapshot and goes on live', async () => {
    await http.publish(text('before'))
    const stream = await open(eventsPath)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers.get('cache-control')).toBe('no-store')
    const snapshot = await stream.next()
    expect(snapshot).toMatchObject({ event: 'snapshot', id: '1-2' })
    expect(JSON.parse(snapshot?.data ?? '')).toMatchObject({ session: sessionId, snapshot: { at: '1-2' } })
    await http.publish(text('after'))
    expect(await stream.next()).toMatchObject({ event: 'message', id: '1-3' })
    stream.close()
  })

  it('goes on after the last event that the client has', async () => {
    for (let count = 0; count < 450; count++) await http.publish(text(`${count}`))
    const stream = await open(eventsPath, { 'last-event-id': '1-3' })
    for (let seq = 4; seq <= 451; seq++) expect((await stream.next())?.id).toBe(`1-${seq}`)
    await http.publish(text('live'))
    expect((await stream.next())?.id).toBe('1-452')
    stream.close()
  })

  it('goes over into the next epoch', async () => {
    await http.publish(text('a'))
    const stream = await open(eventsPath, { 'last-event-id': '1-2' })
    await http.takeOver()
    await http.publish(text('b'))
    expect((await stream.next())?.id).toBe('2-1')
    expect((await stream.next())?.id).toBe('2-2')
    stream.close()
  })

  it.each([
    ['ahead of the log', '1-99'],
    ['of an epoch that is not there', '7-1'],
    ['past the end of an old epoch', '1-3'],
    ['of the transcript', '0-5'],
    ['malformed', 'abc'],
    ['malformed', '1-2-3'],
    ['before the first', '1-0'],
  ])('says resync for an id that is %s', async (_name, id) => {
    await http.publish(text('a'))
    await http.takeOver()
    const stream = await open(eventsPath, { 'last-event-id': id })
    const resync = await stream.next()
    expect(resync).toMatchObject({ event: 'resync', id: undefined })
    expect(JSON.parse(resync?.data ?? '')).toMatchObject({ session: sessionId })
    expect(await stream.next()).toMatchObject({ event: 'snapshot', id: '2-1' })
    stream.close()
  })

  it('says resync when the log was trimmed', async () => {
    await http.publish(text('a'))
    await http.publish(text('b'))
    await http.events.trim('2100-01-01T00:00:00.000Z')
    await http.publish(text('c'))
    const stream = await open(eventsPath, { 'last-event-id': '1-2' })
    expect((await stream.next())?.event).toBe('resync')
    expect(await stream.next()).toMatchObject({ event: 'snapshot', id: '1-4' })
    stream.close()
  })

  it('is 404, as JSON, for a session that is not there', async () => {
    http.stub('sessions.snapshot', () =>
      Promise.reject(new AppError('not_found', say('cli_words', { text: 'no such session' }))),
    )
    const { response } = await open(eventsPath)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(http.app.openStreams).toBe(0)
  })

  it('does not send twice what the log had before the hub published it', async () => {
    await http.publish(text('a'))
    const publish = await http.append(text('b'))
    const stream = await open(eventsPath, { 'last-event-id': '1-1' })
    expect((await stream.next())?.id).toBe('1-2')
    expect((await stream.next())?.id).toBe('1-3')
    publish()
    await http.publish(text('c'))
    expect((await stream.next())?.id).toBe('1-4')
    stream.close()
  })

  it.each([3, 999, 1000, 1001, 2500])(
    'loses none of %i events between the last read of the log and live',
    async (count) => {
      await http.publish(text('a'))
      http.afterRead = async () => {
        http.afterRead = undefined
        for (let index = 0; index < count; index++) await http.publish(text(`${index}`))
      }
      const stream = await open(eventsPath, { 'last-event-id': '1-1' })
      for (let seq = 2; seq <= count + 2; seq++) expect((await stream.next())?.id).toBe(`1-${seq}`)
      await http.publish(text('live'))
      expect((await stream.next())?.id).toBe(`1-${count + 3}`)
      stream.close()
    },
  )

  it('loses nothing that happens while the snapshot is made, however much it is', async () => {
    await http.publish(text('a'))
    http.stub('sessions.snapshot', async () => {
      for (let count = 0; count < 2500; count++) await http.publish(text(`${count}`))
      return { session, at: '1-2', mcp_servers: [], todos: [], approvals: [], queue: [], turn: [] }
    })
    const stream = await open(eventsPath)
    expect(await stream.next()).toMatchObject({ event: 'snapshot', id: '1-2' })
    for (let seq = 3; seq <= 2502; seq++) expect((await stream.next())?.id).toBe(`1-${seq}`)
    stream.close()
  })

  it('reads the log only when the bus is heard: what comes before that is in it', async () => {
    await http.close()
    const bus = createFaultyBus(createMemoryEventBus(), 50)
    http = await startHttp(
      {},
      {
        ...bus,
        subscribe(sessionIds, listener) {
          setImmediate(() => http.publish(text('while nobody is heard yet')))
          return bus.subscribe(sessionIds, listener)
        },
      },
    )
    await http.takeOver()
    const stream = await open(eventsPath, { 'last-event-id': '1-1' })
    expect((await stream.next())?.id).toBe('1-2')
    stream.close()
  })

  it('has a heartbeat', async () => {
    await http.publish(text('a'))
    const stream = await open(eventsPath)
    let seen = ''
    while (!seen.includes(': heartbeat\n\n')) {
      const chunk = await stream.raw()
      seen += new TextDecoder().decode(chunk?.value)
    }
    stream.close()
  })
})

describe('the stream of many sessions', () => {
  const path = (sessions: string[]) => `/api/events?sessions=${sessions.join(',')}`
  const both = [sessionId, otherSessionId]
  const cursor = (eventId: string, id = sessionId) => `${http.events.id.slice(0, 8)}.${id}.${eventId}`
  const brief = (record: SseRecord | undefined) => `${record?.event} ${record?.id}`

  it('begins with the server’s state and a snapshot of each session', async () => {
    await http.publish(text('a'))
    const stream = await open(path(both))
    expect(await stream.next()).toMatchObject({ event: 'server_snapshot', id: undefined })
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('1-2')}`)
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('0-0', otherSessionId)}`)
    await http.publish(text('b'), otherSessionId)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-1', otherSessionId)}`)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-2', otherSessionId)}`)
    http.publishServer({ type: 'status_changed', time })
    expect(brief(await stream.next())).toBe('server undefined')
    stream.close()
  })

  it('goes on with those that the client has a cursor of, and shows the others whole', async () => {
    await http.publish(text('a'))
    await http.publish(text('b'), otherSessionId)
    await http.publish(text('c'))
    // As a browser comes back by itself: with the last id alone.
    const stream = await open(path(both), { 'last-event-id': cursor('1-1') })
    expect((await stream.next())?.event).toBe('server_snapshot')
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('1-2', otherSessionId)}`)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-2')}`)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-3')}`)
    await http.publish(text('d'), otherSessionId)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-3', otherSessionId)}`)
    stream.close()
  })

  it('goes on with several, each from its own cursor, and with one that had no event yet', async () => {
    await http.publish(text('a'))
    await http.publish(text('b'), otherSessionId)
    const cursors = [cursor('1-1'), cursor('0-0', otherSessionId)]
    const stream = await open(path(both), { 'last-event-id': cursors.join(',') })
    const seen = []
    for (let count = 0; count < 4; count++) seen.push(brief(await stream.next()))
    expect(seen).toEqual([
      'server_snapshot undefined',
      `message ${cursor('1-2')}`,
      `message ${cursor('1-1', otherSessionId)}`,
      `message ${cursor('1-2', otherSessionId)}`,
    ])
    stream.close()
  })

  it.each([
    ['of another log', () => `other.${sessionId}.1-1`],
    ['malformed', () => cursor('1e3-1')],
    ['malformed', () => `${cursor('1-1')}.5`],
    ['malformed', () => '1-2'],
    ['empty', () => ''],
    ['partly of another log', () => `${cursor('1-1')},other.${otherSessionId}.1-1`],
  ])('says resync of all for a cursor that is %s', async (_name, of) => {
    await http.publish(text('a'))
    const stream = await open(path([sessionId]), { 'last-event-id': of() })
    expect((await stream.next())?.event).toBe('server_snapshot')
    const resync = await stream.next()
    expect(resync?.event).toBe('resync')
    expect(JSON.parse(resync?.data ?? '').session).toBeNull()
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('1-2')}`)
    stream.close()
  })

  it.each([
    ['ahead of the log', '1-99'],
    ['of an epoch that is not there', '2-1'],
    ['trimmed', '1-2'],
  ])('says resync of the one session whose cursor is %s', async (_name, eventId) => {
    await http.publish(text('a'))
    await http.publish(text('b'))
    await http.events.trim('2100-01-01T00:00:00.000Z')
    await http.publish(text('c'))
    await http.publish(text('d'), otherSessionId)
    const cursors = [cursor(eventId), cursor('1-1', otherSessionId)]
    const stream = await open(path(both), { 'last-event-id': cursors.join(',') })
    await stream.next()
    const resync = await stream.next()
    expect([resync?.event, JSON.parse(resync?.data ?? '').session]).toEqual(['resync', sessionId])
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('1-4')}`)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-2', otherSessionId)}`)
    stream.close()
  })

  it('goes on from the end of a session of which everything was trimmed', async () => {
    await http.publish(text('a'))
    await http.events.trim('2100-01-01T00:00:00.000Z')
    const stream = await open(path([sessionId]), { 'last-event-id': cursor('1-2') })
    await stream.next()
    await http.publish(text('b'))
    expect(brief(await stream.next())).toBe(`message ${cursor('1-3')}`)
    stream.close()
  })

  it('takes as many sessions as there may be, with the longest cursors', async () => {
    const ids = Array.from({ length: maxSessionsPerStream }, (_, index) => {
      return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    })
    const far = '9'.repeat(15)
    const cursors = ids.map((id) => cursor(`${far}-${far}`, id))
    const stream = await open(path(ids), { 'last-event-id': cursors.join(',') })
    expect(stream.response.status).toBe(200)
    await stream.next()
    for (const id of ids) expect(JSON.parse((await stream.next())?.data ?? '').session).toBe(id)
    expect((await stream.next())?.event).toBe('snapshot')
    stream.close()
    expect((await open(path([...ids, sessionId]))).response.status).toBe(400)
  })

  it('goes on without a session that is gone', async () => {
    http.stub('sessions.snapshot', async (_actor: Actor, id: string) => {
      if (id === sessionId) throw new AppError('not_found', say('cli_words', { text: 'gone' }))
      return { session, mcp_servers: [], todos: [], approvals: [], queue: [], turn: [] }
    })
    const stream = await open(path(both))
    await stream.next()
    expect(JSON.parse((await stream.next())?.data ?? '')).toEqual({ session: sessionId, reason: 'not_found' })
    expect((await stream.next())?.event).toBe('snapshot')
    await http.publish(text('of the one that is gone'))
    await http.publish(text('b'), otherSessionId)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-1', otherSessionId)}`)
    stream.close()
  })

  it('does not send what a snapshot held already, and all that it did not', async () => {
    await http.publish(text('a'))
    http.stub('sessions.snapshot', async () => {
      await http.publish(text('b'))
      await http.publish(text('c'))
      return { session, at: '1-3', mcp_servers: [], todos: [], approvals: [], queue: [], turn: [] }
    })
    const stream = await open(path([sessionId]))
    await stream.next()
    expect(brief(await stream.next())).toBe(`snapshot ${cursor('1-3')}`)
    await http.publish(text('d'))
    expect(brief(await stream.next())).toBe(`message ${cursor('1-4')}`)
    expect(brief(await stream.next())).toBe(`message ${cursor('1-5')}`)
    stream.close()
  })

  it('sends the server’s whole state again when some of its topic was missed', async () => {
    await http.close()
    const bus = createFaultyBus(createMemoryEventBus())
    http = await startHttp({}, bus)
    const stream = await open('/api/events')
    expect((await stream.next())?.event).toBe('server_snapshot')
    await bus.interrupt(() => http.publishServer({ type: 'status_changed', time }))
    expect((await stream.next())?.event).toBe('server_snapshot')
    http.publishServer({ type: 'rules_changed', time })
    expect(JSON.parse((await stream.next())?.data ?? '').type).toBe('rules_changed')
    stream.close()
  })

  it('sends the server’s state as it is after what was missed while it was read', async () => {
    await http.close()
    const bus = createFaultyBus(createMemoryEventBus())
    http = await startHttp({}, bus)
    http.onServerSnapshot = async () => {
      http.onServerSnapshot = undefined
      http.publishServer({ type: 'rules_changed', time })
      await bus.interrupt(() => http.publishServer({ type: 'status_changed', time }))
    }
    const stream = await open('/api/events')
    expect(JSON.parse((await stream.next())?.data ?? '').snapshot.reads).toBe(2)
    http.publishServer({ type: 'config_changed', time, keys: [] })
    expect(JSON.parse((await stream.next())?.data ?? '').type).toBe('config_changed')
    stream.close()
  })

  it('ends a stream that cannot be read on, so that its client comes back', async () => {
    await http.close()
    const bus = createFaultyBus(createMemoryEventBus())
    http = await startHttp({}, bus)
    await http.publish(text('a'))
    const stream = await open(eventsPath)
    await stream.next()
    await http.publish(text('b'))
    expect((await stream.next())?.id).toBe('1-3')
    // Live by now, so that only what was missed is read.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    http.afterRead = () => Promise.reject(new Error('the log cannot be read'))
    await bus.interrupt(async () => void (await http.publish(text('c'))))
    expect(await stream.next()).toBeUndefined()
    expect(http.app.openStreams).toBe(0)
  })

  it('refuses lists that hold anything but session ids', async () => {
    expect((await open('/api/events?sessions=../x')).response.status).toBe(400)
    expect((await open(`/api/events?sessions=${sessionId};`)).response.status).toBe(400)
  })
})

describe('streams end', () => {
  it('when their token is revoked, and only theirs', async () => {
    await http.publish(text('a'))
    const mine = await open(eventsPath)
    const other = await open(eventsPath, { authorization: `Bearer ${secretOf('read', 'chat')}` })
    await mine.next()
    await other.next()
    http.revoke(read)
    expect(await mine.next()).toBeUndefined()
    expect(http.app.openStreams).toBe(1)
    await http.publish(text('b'))
    expect((await other.next())?.id).toBe('1-3')
    expect((await open(eventsPath)).response.status).toBe(401)
    other.close()
  })

  it('when the token is revoked while they are being opened', async () => {
    http.stub('sessions.snapshot', async () => {
      http.revoke(read)
      return { session, mcp_servers: [], todos: [], approvals: [], queue: [], turn: [] }
    })
    expect((await open(eventsPath)).response.status).toBe(401)
  })

  it('when the server closes, with the time to come back', async () => {
    const stream = await open(eventsPath)
    await stream.next()
    http.app.closeStreams()
    const closing = await stream.next()
    expect(closing?.event).toBe('closing')
    expect(JSON.parse(closing?.data ?? '').retry_ms).toBeGreaterThanOrEqual(250)
    expect(await stream.next()).toBeUndefined()
    expect((await open(eventsPath)).response.status).toBe(503)
  })

  it('leave nothing behind when the client goes', async () => {
    const stream = await open(eventsPath)
    await stream.next()
    expect(http.app.openStreams).toBe(1)
    stream.close()
    while (http.app.openStreams > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('for a client that does not read, while the others go on; it resumes by id', async () => {
    await http.close()
    http = await startHttp({ maxQueuedBytes: 256 * 1024 })
    await http.publish(text('a'))
    const slow = connect(http.port, '127.0.0.1')
    slow.write(`GET ${eventsPath} HTTP/1.1\r\nHost: ${http.host}\r\nAuthorization: Bearer ${read}\r\n\r\n`)
    await once(slow, 'readable')
    slow.pause()
    const fast = await open(eventsPath)
    await fast.next()
    const large = 'x'.repeat(100_000)
    let published = 2
    while (http.app.openStreams > 1) {
      await http.publish(text(large))
      published++
      expect((await fast.next())?.id).toBe(`1-${published}`)
      expect(published).toBeLessThan(1000)
    }
    expect(http.log.some(({ message }) => message === 'a slow client was dropped')).toBe(true)
    const again = await open(eventsPath, { 'last-event-id': '1-3' })
    for (let seq = 4; seq <= published; seq++) expect((await again.next())?.id).toBe(`1-${seq}`)
    slow.destroy()
    fast.close()
    again.close()
  })

  it('are limited in number', async () => {
    await http.close()
    http = await startHttp({ mostStreams: () => ({ maxStreams: 3, maxStreamsPerToken: 2 }) })
    const streams = [await open(eventsPath), await open('/api/events')]
    const refused = (secret: string) =>
      fetch(`${http.url}${eventsPath}`, { headers: { authorization: `Bearer ${secret}` } })
    const third = await refused(read)
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await third.text()).toContain('2 open event streams, the most that `events.maxStreamsPerToken`')
    const other = secretOf('read', 'chat')
    streams.push(await open(eventsPath, { authorization: `Bearer ${other}` }))
    const fourth = await refused(other)
    expect(fourth.status).toBe(503)
    expect(await fourth.text()).toContain('3 open event streams, the most that `events.maxStreams`')
    for (const stream of streams) stream.close()
  })
})

describe('sending a message with a stream', () => {
  const start = (id = messageId): NewEvent => ({ type: 'turn_start', turn_id: id, cause: 'message' })
  const end = (id = messageId, outcome: 'completed' | 'joined' = 'completed'): NewEvent => ({
    type: 'turn_end',
    turn_id: id,
    outcome,
  })
  const client = () => createApiClient({ baseUrl: http.url, token: secretOf('chat') })
  const stream = () =>
    client().streamMessage({
      params: { id: sessionId },
      body: { content: 'hello' },
      idempotencyKey: 'key-1',
    })

  async function collect(): Promise<string[]> {
    const seen: string[] = []
    for await (const frame of stream()) {
      if (frame.frame === 'accepted') seen.push(`accepted ${frame.accepted.turn.state}`)
      else if (frame.frame === 'message') {
        const { event } = frame
        seen.push(event.type === 'text_delta' ? event.text : event.type)
      }
    }
    return seen
  }

  it('streams the turn of the message and ends with it', async () => {
    await http.publish(text('earlier'))
    http.stub('sessions.send', async () => {
      await http.publish(text('of the turn before'))
      await http.publish(end('44444444-4444-4444-8444-444444444444'))
      await http.publish(start())
      setImmediate(async () => {
        await http.publish(text('one'))
        await http.publish(end())
        await http.publish(text('later'))
      })
      return { turn, after: '1-2' }
    })
    expect(await collect()).toEqual(['accepted queued', 'turn_start', 'one', 'turn_end'])
    expect(http.calls.find(({ name }) => name === 'sessions.send')?.args[3]).toBe('key-1')
    while (http.app.openStreams > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('goes on with the turn that took the message in', async () => {
    const other = '44444444-4444-4444-8444-444444444444'
    await http.publish(start(other))
    http.stub('sessions.send', async () => {
      setImmediate(async () => {
        await http.publish(text('not yet ours'))
        await http.publish(end(messageId, 'joined'))
        await http.publish(text('both'))
        await http.publish(end(other))
        await http.publish(text('later'))
      })
      return { turn, after: '1-2' }
    })
    expect(await collect()).toEqual(['accepted queued', 'turn_end', 'both', 'turn_end'])
  })

  it('ends at once for a message whose turn is over', async () => {
    http.stub('sessions.send', async () => ({ turn: { ...turn, state: 'ended', outcome: 'completed' } }))
    expect(await collect()).toEqual(['accepted ended'])
  })

  it('answers a refusal as JSON', async () => {
    http.stub('sessions.send', () =>
      Promise.reject(new AppError('budget_reached', say('cli_words', { text: 'no money' }))),
    )
    await expect(collect()).rejects.toMatchObject({ code: 'budget_reached', status: 402 })
  })

  it('says that it broke off, when it did', async () => {
    http.stub('sessions.send', async () => {
      setImmediate(() => http.revoke(secretOf('chat')))
      return { turn }
    })
    await expect(collect()).rejects.toThrow('broke off')
  })
})

describe('the client’s follow', () => {
  it('stops where another try would not help', async () => {
    const states: string[] = []
    const follow = async (token: string) => {
      const client = createApiClient({ baseUrl: http.url, token })
      for await (const _frame of client.followSession(sessionId, {
        onState: (state) => states.push(state.state),
      })) {
        // Nothing comes.
      }
    }
    await expect(follow('wrong')).rejects.toMatchObject({ status: 401 })
    await expect(follow(secretOf('chat'))).rejects.toBeInstanceOf(ApiError)
    expect(states).toEqual(['connecting', 'closed', 'connecting', 'closed'])
  })

  it('ends without an error when it is aborted', async () => {
    const abort = new AbortController()
    const frames: StreamFrame[] = []
    const client = createApiClient({ baseUrl: http.url, token: read })
    for await (const frame of client.followAll({ sessions: [], signal: abort.signal })) {
      frames.push(frame)
      abort.abort()
    }
    expect(frames.map(({ frame }) => frame)).toEqual(['server_snapshot'])
  })

  it('leaves a connection on which nothing comes', async () => {
    await http.close()
    http = await startHttp({ heartbeatMs: 60_000 })
    await http.publish(text('a'))
    const abort = new AbortController()
    const errors: (string | undefined)[] = []
    const client = createApiClient({ baseUrl: http.url, token: read })
    const frames: string[] = []
    for await (const frame of client.followSession(sessionId, {
      signal: abort.signal,
      heartbeatMs: 20,
      maxRetryMs: 1,
      onState: (state) => {
        if (state.state !== 'waiting') return
        errors.push(state.error?.message)
        if (errors.length === 3) abort.abort()
      },
    })) {
      frames.push(frame.frame)
    }
    expect(errors).toHaveLength(3)
    expect(errors[0]).toMatch(/Nothing came/)
    expect(frames).toEqual(['snapshot'])
  })
})
