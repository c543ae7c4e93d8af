import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryTransport } from '../../test/support/memory-transport.ts'
import { CLIConnectionError, ControlProtocolError, TimeoutError } from '../errors.ts'
import type { TransportFault } from '../transport/transport.ts'
import { type CliMessage, ControlChannel, type InboundRequest } from './control-channel.ts'

interface Setup {
  transport: MemoryTransport
  channel: ControlChannel
  messages: CliMessage[]
  faults: TransportFault[]
}

async function open(
  request: (request: InboundRequest) => unknown = () => ({}),
  timeoutMs = 0,
): Promise<Setup> {
  const transport = new MemoryTransport()
  const messages: CliMessage[] = []
  const faults: TransportFault[] = []
  const handlers = {
    message: (message: CliMessage) => messages.push(message),
    request,
    fault: (fault: TransportFault) => faults.push(fault),
    exit: () => {},
  }
  const channel = new ControlChannel(transport, handlers, { timeoutMs })
  await channel.open()
  return { transport, channel, messages, faults }
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

const requestIds = ({ transport }: Setup) => transport.written.map((line) => String(line.request_id))
const success = (id: string, response: unknown) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response },
})
const failure = (id: string, more: Record<string, unknown>) => ({
  type: 'control_response',
  response: { subtype: 'error', request_id: id, ...more },
})
const question = (id: unknown, request: unknown = { subtype: 'can_use_tool' }) => ({
  type: 'control_request',
  request_id: id,
  request,
})

describe('requests to the CLI', () => {
  it('go out with their payload and an id of their own', async () => {
    const setup = await open()
    void setup.channel.request('set_model', { model: 'm' })
    void setup.channel.request('interrupt')
    const [first, second] = requestIds(setup)
    expect(first).not.toBe(second)
    expect(setup.transport.written).toEqual([
      { type: 'control_request', request_id: first, request: { subtype: 'set_model', model: 'm' } },
      { type: 'control_request', request_id: second, request: { subtype: 'interrupt' } },
    ])
  })

  it('have ids that no other channel uses: one process may outlive the channel to it', async () => {
    const setups = [await open(), await open()]
    for (const { channel } of setups) void channel.request('interrupt')
    const ids = setups.flatMap(requestIds)
    expect(new Set(ids).size).toBe(2)
  })

  it('each get the answer with their id, in whatever order the answers come', async () => {
    const setup = await open()
    const asked = ['a', 'b', 'c'].map((subtype) => setup.channel.request(subtype))
    const ids = requestIds(setup)
    for (const index of [2, 0, 1]) setup.transport.receive(success(String(ids[index]), { index }))
    expect(await Promise.all(asked)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }])
    expect(setup.channel.pendingRequests).toBe(0)
  })

  it('resolve with an empty object where the answer holds none', async () => {
    const setup = await open()
    const asked = setup.channel.request('end_session')
    setup.transport.receive(success(String(requestIds(setup)[0]), undefined))
    expect(await asked).toEqual({})
  })

  it('pass over a second answer and one that nobody asked for', async () => {
    const setup = await open()
    const first = setup.channel.request('a')
    const second = setup.channel.request('b')
    const [id = '', other = ''] = requestIds(setup)
    setup.transport.receive(success('req_unheard_of', { stray: true }))
    setup.transport.receive(success(id, { n: 1 }))
    setup.transport.receive(success(id, { n: 2 }))
    setup.transport.receive(failure(id, { error: 'too late' }))
    setup.transport.receive(success(other, { n: 3 }))
    expect(await first).toEqual({ n: 1 })
    expect(await second).toEqual({ n: 3 })
    expect(setup.messages).toEqual([])
    expect(setup.faults).toEqual([])
  })

  it('reject with what was asked, the reason and the code when the answer is an error', async () => {
    const setup = await open()
    const asked = setup.channel.request('set_permission_mode', { mode: 'x' })
    const bare = setup.channel.request('mcp_reconnect')
    const [id = '', other = ''] = requestIds(setup)
    setup.transport.receive(failure(id, { error: 'no such mode', error_code: 'invalid_mode' }))
    setup.transport.receive(failure(other, {}))

    const error = await asked.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ControlProtocolError)
    expect(error).toMatchObject({ subtype: 'set_permission_mode', errorCode: 'invalid_mode' })
    expect(String(error)).toContain('no such mode')
    await expect(bare).rejects.toMatchObject({ subtype: 'mcp_reconnect', errorCode: undefined })
  })

  it('reject when they cannot be written as JSON, and so do messages', async () => {
    const setup = await open()
    await expect(setup.channel.request('a', { big: 1n })).rejects.toBeInstanceOf(CLIConnectionError)
    await expect(setup.channel.send({ type: 'user', big: 1n })).rejects.toBeInstanceOf(CLIConnectionError)
    expect(setup.channel.pendingRequests).toBe(0)
    expect(setup.transport.written).toEqual([])
  })

  it('report when the first opens and when the last is answered', async () => {
    const setup = await open()
    const changes: number[] = []
    setup.channel.onOutboundChange = () => changes.push(setup.channel.pendingRequests)
    void setup.channel.request('a')
    void setup.channel.request('b')
    const [id = '', other = ''] = requestIds(setup)
    setup.transport.receive(success(id, {}))
    setup.transport.receive(success(other, {}))
    expect(changes).toEqual([1, 0])
  })
})

describe('a request that is not answered', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('times out with a TimeoutError, and a late answer changes nothing', async () => {
    const setup = await open(undefined, 5_000)
    const asked = setup.channel.request('mcp_status')
    const outcome = asked.catch((error: unknown) => error)
    vi.advanceTimersByTime(4_999)
    expect(setup.channel.pendingRequests).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await outcome).toBeInstanceOf(TimeoutError)
    expect(await outcome).toMatchObject({ operation: 'mcp_status', timeoutMs: 5_000 })
    expect(setup.channel.pendingRequests).toBe(0)
    setup.transport.receive(success(String(requestIds(setup)[0]), { late: true }))
    await expect(asked).rejects.toBeInstanceOf(TimeoutError)
  })

  it('follows its own limit, and 0 waits for ever', async () => {
    const setup = await open(undefined, 5_000)
    const short = setup.channel.request('a', {}, { timeoutMs: 10 }).catch((error: unknown) => error)
    const endless = setup.channel.request('b', {}, { timeoutMs: 0 })
    vi.advanceTimersByTime(10)
    expect(await short).toMatchObject({ operation: 'a', timeoutMs: 10 })
    vi.advanceTimersByTime(10 * 24 * 3_600_000)
    setup.transport.receive(success(String(requestIds(setup)[1]), { ok: true }))
    expect(await endless).toEqual({ ok: true })
  })

  it('may wait for longer than a timer can be set for', async () => {
    const setup = await open(undefined, 60 * 24 * 3_600_000)
    const asked = setup.channel.request('a')
    await vi.advanceTimersByTimeAsync(20 * 24 * 3_600_000)
    setup.transport.receive(success(String(requestIds(setup)[0]), { ok: true }))
    expect(await asked).toEqual({ ok: true })
  })

  it('rejects when the line is closed: with why the process ended, where that comes in time', async () => {
    const setup = await open()
    setup.transport.broken = true
    const silent = setup.channel.request('a').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await silent).toBeInstanceOf(CLIConnectionError)

    const explained = setup.channel.request('b').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1)
    const reason = new Error('exited with code 1')
    setup.channel.end(reason)
    expect(await explained).toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind once it is answered', async () => {
    const setup = await open(undefined, 5_000)
    const asked = setup.channel.request('a')
    setup.transport.receive(success(String(requestIds(setup)[0]), {}))
    await asked
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('requests of the CLI', () => {
  it('are answered with what the handler returns, at once or later', async () => {
    const setup = await open((request) =>
      request.subtype === 'now' ? { done: 1 } : Promise.resolve({ done: 2 }),
    )
    setup.transport.receive(question('q1', { subtype: 'now', field: 'x' }))
    setup.transport.receive(question('q2', { subtype: 'later' }))
    await settle()
    expect(setup.transport.written).toEqual([success('q1', { done: 1 }), success('q2', { done: 2 })])
  })

  it('hand the handler the id, the subtype and the payload', async () => {
    const seen: InboundRequest[] = []
    const setup = await open((request) => void seen.push(request))
    setup.transport.receive(question('q1', { subtype: 'hook_callback', callback_id: 'hook_0' }))
    expect(seen).toMatchObject([{ id: 'q1', subtype: 'hook_callback', payload: { callback_id: 'hook_0' } }])
    expect(setup.transport.written).toEqual([success('q1', {})])
  })

  it('do not wait for one another', async () => {
    const gates = new Map<string, (value: unknown) => void>()
    const setup = await open(({ id }) => new Promise((resolve) => gates.set(id, resolve)))
    setup.transport.receive(question('slow'))
    setup.transport.receive(question('fast'))
    setup.transport.receive({ type: 'assistant', n: 1 })
    expect(setup.messages).toEqual([{ type: 'assistant', n: 1 }])
    gates.get('fast')?.({ n: 2 })
    await settle()
    gates.get('slow')?.({ n: 1 })
    await settle()
    expect(setup.transport.written).toEqual([success('fast', { n: 2 }), success('slow', { n: 1 })])
  })

  it('get an error when the handler throws or rejects, whatever it throws', async () => {
    const setup = await open(({ subtype }) => {
      if (subtype === 'throws') throw new Error('no such thing')
      if (subtype === 'text') throw 'just text'
      return Promise.reject(new Error('not today'))
    })
    for (const subtype of ['throws', 'text', 'rejects'])
      setup.transport.receive(question(subtype, { subtype }))
    await settle()
    expect(setup.transport.written).toEqual([
      failure('throws', { error: 'no such thing' }),
      failure('text', { error: 'just text' }),
      failure('rejects', { error: 'not today' }),
    ])
  })

  it('get an error when the answer cannot be written as JSON', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const setup = await open(({ subtype }) => (subtype === 'circle' ? circle : Promise.resolve({ n: 1n })))
    setup.transport.receive(question('q1', { subtype: 'circle' }))
    setup.transport.receive(question('q2', { subtype: 'bigint' }))
    await settle()
    expect(setup.transport.written).toEqual([
      failure('q1', { error: expect.stringContaining('cannot be written as JSON') }),
      failure('q2', { error: expect.stringContaining('cannot be written as JSON') }),
    ])
  })

  it('are handled once while they are open, however often they are repeated', async () => {
    let calls = 0
    const gates: ((value: unknown) => void)[] = []
    const setup = await open(() => {
      calls++
      return new Promise((resolve) => gates.push(resolve))
    })
    setup.transport.receive(question('q1'))
    setup.transport.receive(question('q1'))
    expect(calls).toBe(1)
    gates[0]?.({ n: 1 })
    await settle()
    expect(setup.transport.written).toEqual([success('q1', { n: 1 })])
  })

  it('do not fail the program when nobody is left to read the answer', async () => {
    const setup = await open(() => ({}))
    setup.transport.broken = true
    setup.transport.receive(question('q1'))
    await settle()
    expect(setup.transport.written).toEqual([])
  })

  it('abort their signal when the CLI withdraws them, and only theirs', async () => {
    const inbound = new Map<string, InboundRequest>()
    const setup = await open((request) => {
      inbound.set(request.id, request)
      return new Promise(() => {})
    })
    setup.transport.receive(question('kept'))
    setup.transport.receive(question('withdrawn'))
    const watched = inbound.get('withdrawn')?.signal
    expect(watched?.aborted).toBe(false)
    setup.transport.receive({ type: 'control_cancel_request', request_id: 'withdrawn' })
    setup.transport.receive({ type: 'control_cancel_request', request_id: 'unheard of' })
    expect(watched?.aborted).toBe(true)
    expect(watched?.reason).toBeInstanceOf(ControlProtocolError)
    expect(inbound.get('kept')?.signal.aborted).toBe(false)
  })

  it('show a withdrawal also to a handler that looks at the signal only afterwards', async () => {
    let request: InboundRequest | undefined
    const setup = await open((inbound) => {
      request = inbound
      return new Promise(() => {})
    })
    setup.transport.receive(question('q1'))
    setup.transport.receive({ type: 'control_cancel_request', request_id: 'q1' })
    expect(request?.signal.aborted).toBe(true)
  })
})

describe('everything else', () => {
  it('passes messages on in order, unknown types too, and keeps keep_alive to itself', async () => {
    const setup = await open()
    const messages = [{ type: 'assistant', n: 1 }, { type: 'never_seen', n: 2 }, { n: 3 }]
    for (const message of [messages[0], { type: 'keep_alive' }, messages[1], messages[2]])
      setup.transport.receive(message as CliMessage)
    expect(setup.messages).toEqual(messages)
  })

  it.each([
    ['a request without an id', question(undefined)],
    ['a request whose id is no text', question(7)],
    ['a request without a body', question('q1', 'nothing')],
    ['a request with a list for a body', question('q1', [])],
    ['a request without a subtype', question('q1', { tool_name: 'Bash' })],
    ['a withdrawal without an id', { type: 'control_cancel_request' }],
    ['a response without a body', { type: 'control_response' }],
    ['a response without an id', { type: 'control_response', response: { subtype: 'success' } }],
  ])('reports %s as a fault', async (_, frame) => {
    const setup = await open(() => {
      throw new Error('must not be asked')
    })
    setup.transport.receive(frame)
    await settle()
    expect(setup.faults).toMatchObject([{ kind: 'malformed', preview: JSON.stringify(frame) }])
    expect(setup.messages).toEqual([])
    expect(setup.transport.written).toEqual([])
  })
})

describe('the end of the channel', () => {
  it('rejects what waits for an answer, aborts what runs, and refuses the rest', async () => {
    let inbound: InboundRequest | undefined
    const setup = await open((request) => {
      inbound = request
      return new Promise(() => {})
    })
    const asked = [setup.channel.request('a'), setup.channel.request('b')]
    setup.transport.receive(question('q1'))
    const signal = inbound?.signal
    const reason = new Error('the process is gone')
    setup.channel.end(reason)
    setup.channel.end(new Error('a second end'))
    for (const pending of asked) await expect(pending).rejects.toBe(reason)
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toBe(reason)
    await expect(setup.channel.request('c')).rejects.toBe(reason)
    await expect(setup.channel.send({ type: 'user' })).rejects.toBe(reason)
    expect(setup.channel.pendingRequests).toBe(0)
  })

  it('writes no answer of a handler that was still at work', async () => {
    let finish: (value: unknown) => void = () => {}
    const setup = await open(() => new Promise((resolve) => (finish = resolve)))
    setup.transport.receive(question('q1'))
    setup.channel.end(new Error('over'))
    finish({ behavior: 'allow' })
    await settle()
    expect(setup.transport.written).toEqual([])
  })
})
