import { ApiError, type StreamEvent, type StreamFrame } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeClient, fakeLeader, fakePage, settled } from '../../test/support/fake-stream.ts'
import { aSession } from '../../test/support/recorded-logs.ts'
import { createLive, type Live } from './create-live.ts'

const id = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`

const snapshot = (session: string, cursor = 'c1'): StreamFrame => ({
  frame: 'snapshot',
  session,
  snapshot: {
    session: aSession(session),
    at: '1-1',
    mcp_servers: [],
    todos: [],
    approvals: [],
    queue: [],
    turn: [],
  },
  cursor,
})
const delta = (session: string, seq: number, cursor = `c${seq}`, time = new Date().toISOString()) =>
  ({
    frame: 'message',
    event: {
      id: `1-${seq}`,
      session,
      time,
      type: 'text_delta',
      message_id: 'm',
      index: 0,
      text: 'x',
    } as StreamEvent,
    cursor,
  }) satisfies StreamFrame
const refusal = (status: number) => new ApiError('not_found', status, 'no')

let page: ReturnType<typeof fakePage>
let leader: ReturnType<typeof fakeLeader>
let fake: ReturnType<typeof fakeClient>
let live: Live
const signedOut = vi.fn()

function begin(answers: Parameters<typeof fakeClient>[0] = {}): void {
  fake = fakeClient(answers)
  live = createLive({
    client: fake.client,
    nextFrame: (run) => run(),
    page: page.page,
    leader: leader.leader,
    signedOut,
    faultText: String,
  })
  live.start()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  page = fakePage()
  leader = fakeLeader()
  begin()
})
afterEach(() => {
  live.stop()
  vi.useRealTimers()
})

const connection = () => live.store.connection.now()
const opened = async () => {
  fake.stream.state({ state: 'open' })
  await settled()
}

describe('the set of sessions', () => {
  it('opens the stream again from its cursor, with what it has of each', async () => {
    expect(fake.stream).toMatchObject({ sessions: [], lastEventId: undefined })
    live.follow(id(1))
    live.follow(id(2))
    await settled()
    // One change, however many came in the moment.
    expect(fake.streams).toHaveLength(2)
    expect(fake.streams[0]?.isOpen).toBe(false)
    expect(fake.stream).toMatchObject({ sessions: [id(1), id(2)], lastEventId: undefined })
    await opened()
    await fake.stream.send(snapshot(id(1)), delta(id(1), 2))
    live.follow(id(3))
    await settled()
    expect(fake.stream).toMatchObject({ sessions: [id(1), id(2), id(3)], lastEventId: 'c2' })
    // It was open, and opening it anew is nothing to report.
    fake.stream.state({ state: 'connecting', attempt: 0 })
    expect(connection().state).toBe('open')
    vi.advanceTimersByTime(3000)
    expect(connection().state).toBe('reconnecting')
    // What was in a snapshot comes again after the cursor: once is enough.
    await fake.stream.send(delta(id(1), 2), delta(id(1), 3))
    expect(live.store.session(id(1)).now().items).toMatchObject([{ text: 'xx' }])
  })

  it('keeps one for a while after the last who shows it', async () => {
    const leave = [live.follow(id(1)), live.follow(id(1))]
    await settled()
    await fake.stream.send(snapshot(id(1)))
    for (const one of leave) one()
    vi.advanceTimersByTime(29_000)
    const back = live.follow(id(1))
    vi.advanceTimersByTime(60_000)
    expect(live.store.session(id(1)).now().phase).toBe('ready')
    back()
    back()
    vi.advanceTimersByTime(30_000)
    await settled()
    expect(fake.stream).toMatchObject({ sessions: [], lastEventId: undefined })
    expect(live.store.session(id(1)).now().phase).toBe('loading')
    // What was missed in between is not known.
    live.follow(id(1))
    await settled()
    expect(fake.stream).toMatchObject({ sessions: [id(1)], lastEventId: undefined })
  })

  it('has eight at most: the least recently used goes, one that nobody shows first', async () => {
    live.follow(id(1))
    live.follow(id(2))()
    for (let n = 3; n <= 9; n++) live.follow(id(n))
    await settled()
    expect(fake.stream.sessions).toEqual([1, 3, 4, 5, 6, 7, 8, 9].map(id))
    live.follow(id(10))
    await settled()
    expect(fake.stream.sessions).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map(id))
  })

  it('never holds what is no session id', async () => {
    live.follow('../../etc/passwd')
    live.follow('')
    await settled()
    expect(fake.streams).toHaveLength(1)
    expect(live.store.session('').now().phase).toBe('gone')
  })

  it('loses one that is gone, and not the others', async () => {
    live.follow(id(1))
    live.follow(id(2))
    await settled()
    await fake.stream.send(snapshot(id(1)), { frame: 'resync', session: id(2), reason: 'not_found' })
    expect(live.store.session(id(2)).now().phase).toBe('gone')
    expect(live.store.session(id(1)).now().phase).toBe('ready')
    // A server that answers with 404 for all.
    live.stop()
    begin({
      getSession: ({ params }) =>
        params.id === id(2) ? Promise.reject(refusal(404)) : Promise.resolve(aSession(params.id)),
    })
    live.follow(id(1))
    live.store.session(id(2)).subscribe(() => {})
    live.follow(id(2))
    await settled()
    await fake.stream.fail(refusal(404))
    expect(fake.stream.sessions).toEqual([id(1)])
    expect(live.store.session(id(2)).now().phase).toBe('gone')
  })

  it('begins anew where the stream cannot go on', async () => {
    live.follow(id(1))
    await settled()
    await fake.stream.send(snapshot(id(1)), { frame: 'resync', session: null, reason: 'the log is another' })
    expect(live.store.session(id(1)).now().phase).toBe('loading')
    live.follow(id(2))
    await settled()
    expect(fake.stream).toMatchObject({ lastEventId: undefined })
  })
})

describe('the connection', () => {
  it('publishes its state', async () => {
    expect(connection()).toMatchObject({ state: 'connecting', attempt: 0 })
    fake.stream.state({ state: 'waiting', attempt: 1, retryInMs: 500, error: undefined })
    expect(connection()).toMatchObject({ state: 'connecting', attempt: 1, retryAt: Date.now() + 500 })
    await opened()
    expect(connection()).toMatchObject({ state: 'open', attempt: 0, retryAt: undefined })
    const heard = Date.now()
    vi.advanceTimersByTime(1000)
    await fake.stream.send({ frame: 'closing', retry_ms: 100 })
    expect(connection()).toMatchObject({ state: 'reconnecting' })
    fake.stream.state({ state: 'waiting', attempt: 1, retryInMs: 500, error: undefined })
    expect(connection().lastHeardAt).toBe(heard + 1000)
    page.online = false
    fake.stream.state({ state: 'waiting', attempt: 2, retryInMs: 500, error: undefined })
    expect(connection().state).toBe('offline')
  })

  it('does not sit out a wait when there is reason to try', async () => {
    await opened()
    const reasons = [() => page.comeBack(), () => page.hide(false)]
    for (const reason of reasons) {
      const { stream } = fake
      stream.state({ state: 'waiting', attempt: 5, retryInMs: 15_000, error: undefined })
      reason()
      expect(stream.isOpen).toBe(false)
      expect(fake.stream).not.toBe(stream)
      await opened()
    }
    // While it is open there is none.
    const { stream } = fake
    for (const reason of reasons) reason()
    expect(fake.stream).toBe(stream)
  })

  it('that is silent is opened again; heartbeats count', async () => {
    await opened()
    const { stream } = fake
    for (let n = 0; n < 6; n++) {
      vi.advanceTimersByTime(15_000)
      stream.heard()
    }
    expect(fake.stream).toBe(stream)
    vi.advanceTimersByTime(51_000)
    expect(stream.isOpen).toBe(false)
    expect(connection().state).toBe('reconnecting')
    expect(fake.stream.isOpen).toBe(true)
  })

  it('is let go by a tab that nobody looks at, unless it leads', async () => {
    await opened()
    page.hide(true)
    vi.advanceTimersByTime(59_000)
    expect(fake.stream.isOpen).toBe(true)
    page.hide(false)
    page.hide(true)
    vi.advanceTimersByTime(60_000)
    expect(fake.stream.isOpen).toBe(false)
    const closed = fake.streams.length
    live.follow(id(1))
    page.comeBack()
    await settled()
    expect(fake.streams).toHaveLength(closed)
    leader.lead()
    expect(fake.stream).toMatchObject({ sessions: [id(1)], isOpen: true })
    await opened()
    page.hide(true)
    // Heartbeats come all the while.
    for (let n = 0; n < 10; n++) {
      vi.advanceTimersByTime(15_000)
      fake.stream.heard()
    }
    expect(fake.stream.isOpen).toBe(true)
  })

  it('comes back when the tab is looked at', async () => {
    await opened()
    page.hide(true)
    vi.advanceTimersByTime(60_000)
    expect(fake.stream.isOpen).toBe(false)
    page.hide(false)
    expect(fake.stream.isOpen).toBe(true)
  })

  it('signs out when the token is refused, and waits where another try may help', async () => {
    await fake.stream.fail(refusal(403))
    expect(connection()).toMatchObject({ retryAt: Date.now() + 30_000 })
    vi.advanceTimersByTime(30_000)
    expect(fake.streams).toHaveLength(2)
    await fake.stream.fail(refusal(401))
    expect(signedOut).toHaveBeenCalledTimes(1)
  })

  it('publishes that it is catching up while old events come', async () => {
    live.follow(id(1))
    await settled()
    await fake.stream.send(snapshot(id(1)))
    const old = new Date(Date.now() - 5000).toISOString()
    await fake.stream.send(delta(id(1), 2, 'c', old))
    expect(connection().catchingUp).toBe(true)
    vi.advanceTimersByTime(300)
    expect(connection().catchingUp).toBe(false)
    await fake.stream.send(delta(id(1), 3, 'c', old), delta(id(1), 4))
    expect(connection().catchingUp).toBe(false)
  })

  it('reads the server’s clock each time it is open again', async () => {
    const ahead = async () => ({ approvals: [], server_time: new Date(Date.now() + 60_000).toISOString() })
    live.stop()
    begin({ listApprovals: ahead })
    expect(live.store.clockOffset.now()).toBe(0)
    await opened()
    expect(live.store.clockOffset.now()).toBe(60_000)
    expect(live.serverNow()).toBe(Date.now() + 60_000)
  })

  it('leaves nothing behind when it is stopped', async () => {
    live.follow(id(1))
    await settled()
    await fake.stream.send(snapshot(id(1)))
    live.stop()
    expect(fake.stream.isOpen).toBe(false)
    expect(live.store.session(id(1)).now().phase).toBe('loading')
    expect(vi.getTimerCount()).toBe(0)
    live.start()
    // Who showed it still does.
    expect(fake.stream).toMatchObject({ sessions: [id(1)], lastEventId: undefined })
  })
})

describe('the history', () => {
  it('begins with the snapshot, goes on when asked, and reports what went wrong', async () => {
    const getHistory = vi
      .fn()
      .mockResolvedValueOnce({ events: [], before: 'p1' })
      .mockRejectedValueOnce('no luck')
      .mockResolvedValueOnce({ events: [] })
    live.stop()
    begin({ getHistory })
    live.follow(id(1))
    await settled()
    await live.loadOlder(id(1))
    expect(getHistory).not.toHaveBeenCalled()
    await fake.stream.send(snapshot(id(1)))
    const history = () => live.store.session(id(1)).now().history
    expect(history()).toEqual({ phase: 'idle', before: 'p1', fault: undefined })
    await Promise.all([live.loadOlder(id(1)), live.loadOlder(id(1))])
    expect(history()).toEqual({ phase: 'failed', before: 'p1', fault: 'no luck' })
    await live.loadOlder(id(1))
    expect(history().phase).toBe('complete')
    await live.loadOlder(id(1))
    expect(getHistory.mock.calls.map(([call]) => call.query.before)).toEqual([undefined, 'p1', 'p1'])
  })

  it('that was asked for before a new snapshot is not taken', async () => {
    const answers: ((page: object) => void)[] = []
    live.stop()
    begin({ getHistory: () => new Promise((resolve) => answers.push(resolve as (page: object) => void)) })
    live.follow(id(1))
    await settled()
    await fake.stream.send(snapshot(id(1)), snapshot(id(1)))
    expect(answers).toHaveLength(2)
    answers[0]?.({ events: [], before: 'stale' })
    await settled()
    expect(live.store.session(id(1)).now().history).toMatchObject({ phase: 'loading', before: undefined })
    answers[1]?.({ events: [], before: 'new' })
    await settled()
    expect(live.store.session(id(1)).now().history).toMatchObject({ phase: 'idle', before: 'new' })
  })

  it('of a terminal’s session is read again when its transcript grew', async () => {
    const getHistory = vi.fn().mockResolvedValue({ events: [] })
    live.stop()
    begin({ getHistory })
    live.follow(id(1))
    await settled()
    await fake.stream.send(snapshot(id(1)))
    const changed: StreamFrame = {
      frame: 'server',
      event: { type: 'transcript_changed', time: '2026-01-01T00:00:00.000Z', session_id: id(1) },
    }
    // What this server runs comes as events.
    await fake.stream.send(changed)
    vi.advanceTimersByTime(1000)
    expect(getHistory).toHaveBeenCalledTimes(1)
    live.store.dispatch(id(1), { type: 'session', session: { ...aSession(id(1)), live: false } })
    await fake.stream.send(changed, changed)
    vi.advanceTimersByTime(1000)
    expect(getHistory).toHaveBeenCalledTimes(2)
  })
})
