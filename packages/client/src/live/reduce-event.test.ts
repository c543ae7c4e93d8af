import type { Approval, StreamEvent } from '@dorkos/shared'
import { isQueueHeld, streamEventTypes, turnCauses } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSession, recordedLogs } from '../../test/support/recorded-logs.ts'
import { eventInputs, loaded, reduceAll, replay } from '../../test/support/reduce.ts'
import { markerView } from '../conversation/marker-text.ts'
import type { Item, PageSession, ToolItem } from './page-session.ts'
import type { SessionInput } from './reduce-session.ts'
import { emptySession, reduceSession } from './reduce-session.ts'

const id = '00000000-0000-4000-8000-000000000000'
const time = '2026-01-01T00:00:00.000Z'

type AnyEvent = Record<string, unknown> & { type: string }

/** Gives events their ids. */
const events = (given: readonly AnyEvent[], from = 1): StreamEvent[] =>
  given.map(
    (event, index) => ({ id: `1-${from + index}`, session: id, time, ...event }) as unknown as StreamEvent,
  )

const run = (...given: AnyEvent[]): PageSession => replay(events(given), id)

const text = (words: string, more: object = {}) => ({
  type: 'text_delta',
  message_id: 'm1',
  index: 0,
  text: words,
  ...more,
})
const call = (callId: string, more: object = {}): AnyEvent[] => [
  { type: 'tool_call_start', tool_call_id: callId, message_id: 'm1', index: 1, name: 'Bash', ...more },
  { type: 'tool_call_end', tool_call_id: callId, name: 'Bash', input: { command: 'ls' }, ...more },
]
const result = (callId: string, more: object = {}): AnyEvent => ({
  type: 'tool_result',
  tool_call_id: callId,
  content: [{ type: 'text', text: 'x' }],
  is_error: false,
  ...more,
})
const approval = (callId: string | undefined, approvalId = `appr_${callId}`): Approval => ({
  id: approvalId,
  kind: 'tool',
  session_id: id,
  principal: 'owner',
  tool: 'Bash',
  input: { command: 'ls' },
  input_hash: 'x',
  risk: 'execute',
  state: 'pending',
  created_at: time,
  deadline: time,
  ...(callId !== undefined && { tool_call_id: callId }),
})
const asked = (callId: string | undefined): AnyEvent => ({
  type: 'approval_required',
  approval: approval(callId),
})
const resolved = (callId: string | undefined, state: string, more: object = {}): AnyEvent => ({
  type: 'approval_resolved',
  approval_id: `appr_${callId}`,
  ...(callId !== undefined && { tool_call_id: callId }),
  state,
  ...more,
})
const end = (more: object = {}): AnyEvent => ({
  type: 'turn_end',
  turn_id: 't1',
  outcome: 'completed',
  ...more,
})

const tool = (state: PageSession, callId = 'c1'): ToolItem => {
  const find = (items: readonly Item[]): ToolItem | undefined => {
    for (const item of items) {
      if (item.kind !== 'tool') continue
      const found = item.callId === callId ? item : find(item.children)
      if (found) return found
    }
    return undefined
  }
  const found = find(state.items)
  if (!found) throw new Error(`there is no call ${callId}`)
  return found
}

it('reads how MCP servers do, also as events stored before there was one spelling have it', () => {
  const servers = ['needs-auth', 'needs_auth', 'failed'].map((status) => ({ name: status, status }))
  for (const given of [
    { type: 'mcp_status', servers },
    { type: 'session_status', state: 'idle', live: true, mcp_servers: servers },
  ])
    expect(run(given).mcpServers.map(({ status }) => status)).toEqual(['needs_auth', 'needs_auth', 'failed'])
})

describe('the status of a tool call', () => {
  it.each<[string, ToolItem['status'], AnyEvent[]]>([
    ['its input comes', 'writing', call('c1').slice(0, 1)],
    ['its input is there', 'running', call('c1')],
    ['a person is asked', 'waiting', [...call('c1'), asked('c1')]],
    ['a person allowed it', 'running', [...call('c1'), asked('c1'), resolved('c1', 'allowed')]],
    ['a person denied it', 'denied', [...call('c1'), asked('c1'), resolved('c1', 'denied')]],
    ['nobody answered', 'expired', [...call('c1'), asked('c1'), resolved('c1', 'expired')]],
    ['nobody can answer', 'void', [...call('c1'), asked('c1'), resolved('c1', 'void')]],
    ['it worked', 'done', [...call('c1'), result('c1')]],
    ['it failed', 'failed', [...call('c1'), result('c1', { is_error: true })]],
    ['the mode denied it', 'denied', [...call('c1'), result('c1', { is_error: true, stopped: 'denied' })]],
    [
      'it was cut off',
      'interrupted',
      [...call('c1'), result('c1', { is_error: true, stopped: 'interrupted' })],
    ],
    ['its turn ended', 'unknown', [...call('c1'), end()]],
    ['its input was cut off', 'interrupted', [...call('c1').slice(0, 1), end()]],
    [
      'the CLI’s error after a denial',
      'denied',
      [...call('c1'), asked('c1'), resolved('c1', 'denied'), result('c1', { is_error: true })],
    ],
    [
      'the CLI’s error after a deadline',
      'expired',
      [
        ...call('c1'),
        asked('c1'),
        resolved('c1', 'expired'),
        result('c1', { is_error: true, stopped: 'denied' }),
      ],
    ],
    [
      'the turn’s end, published before it was void',
      'void',
      [...call('c1'), asked('c1'), end(), resolved('c1', 'void')],
    ],
    ['a result after the turn', 'done', [...call('c1'), end(), result('c1')]],
    ['an error after the turn', 'unknown', [...call('c1'), end(), result('c1', { is_error: true })]],
    [
      'stopped, as reported after the turn',
      'interrupted',
      [...call('c1'), end(), result('c1', { is_error: true, stopped: 'interrupted' })],
    ],
    ['the end of a message that was taken back', 'running', [...turn(), ...call('c1'), withdrawn()]],
    [
      'a result, and then an answer that is late',
      'done',
      [...call('c1'), result('c1'), resolved('c1', 'void')],
    ],
  ])('%s: %s', (_name, status, given) => {
    expect(tool(run(...given)).status).toBe(status)
  })

  function turn(): AnyEvent[] {
    return [{ type: 'turn_start', turn_id: 't1', cause: 'message' }]
  }
  function withdrawn(): AnyEvent {
    return end({ turn_id: 't2', outcome: 'withdrawn' })
  }

  it('keeps who decided, and how', () => {
    const by = { kind: 'person', principal: 'owner' }
    const more = { decided_by: by, message: 'no', edited: true }
    expect(tool(run(...call('c1'), asked('c1'), resolved('c1', 'denied', more)))).toMatchObject({
      approvalId: 'appr_c1',
      decision: { state: 'denied', by, time, message: 'no', edited: true, answer: undefined },
    })
  })
})

describe('what is said', () => {
  it('grows until something else comes', () => {
    const state = run(text('He'), text('llo'), ...call('c1'))
    expect(state.items[0]).toMatchObject({ key: 'text:m1:0', text: 'Hello', streaming: false })
    expect(run(text('He')).items[0]).toMatchObject({ streaming: true })
    expect(run(text('He'), end()).items[0]).toMatchObject({ streaming: false })
    // What comes late for an older block is not lost.
    expect(run(text('He'), ...call('c1'), text('llo')).items[0]).toMatchObject({ text: 'Hello' })
  })

  it('can be taken back, in subagents too', () => {
    const blocks = [0, 1, 7].map((index) => ({ message_id: 'm1', index }))
    const state = run(text('no'), ...call('c1'), text('yes', { index: 2 }), {
      type: 'blocks_withdrawn',
      blocks,
    })
    expect(state.items.map(({ key }) => key)).toEqual(['text:m1:2'])
    const nested = run(...call('c1', { index: 5 }), text('no', { parent: 'c1' }), {
      type: 'blocks_withdrawn',
      blocks,
    })
    expect(tool(nested).children).toEqual([])
  })

  it('of subagents stands in their call, to any depth', () => {
    const state = run(
      ...call('c1'),
      text('sub', { message_id: 'm2', parent: 'c1' }),
      ...call('c2', { parent: 'c1' }),
      text('deeper', { message_id: 'm3', parent: 'c2' }),
      asked('c2'),
      result('c2', { parent: 'c1' }),
    )
    expect(state.items).toHaveLength(1)
    expect(tool(state).children.map(({ key }) => key)).toEqual(['text:m2:0:c1', 'tool:c2'])
    expect(tool(state, 'c2')).toMatchObject({
      status: 'done',
      children: [{ text: 'deeper', streaming: false }],
    })
    expect(tool(run(...call('c1'), ...call('c2', { parent: 'c1' }), end()), 'c2').status).toBe('unknown')
  })

  it('of one subagent is kept in bounds', () => {
    const many = Array.from({ length: 600 }, (_, n) => text(`${n}`, { message_id: `m${n}`, parent: 'c1' }))
    const { children } = tool(run(...call('c1'), ...many))
    expect(children).toHaveLength(500)
    expect(children.at(-1)).toMatchObject({ text: '599' })
  })
})

describe('approvals', () => {
  it('without a call stand in the conversation', () => {
    const state = run(asked(undefined))
    expect(state.items).toMatchObject([{ kind: 'approval', approvalId: 'appr_undefined' }])
    const after = run(asked(undefined), resolved(undefined, 'denied'))
    expect(after.approvals.appr_undefined).toMatchObject({ state: 'denied', decided_at: time })
  })

  it('whose call comes later move to it', () => {
    expect(run(asked('c1')).items).toMatchObject([{ kind: 'approval' }])
    const state = run(asked('c1'), ...call('c1'))
    expect(state.items).toMatchObject([{ kind: 'tool', status: 'waiting', approvalId: 'appr_c1' }])
    expect(state.orphans).toEqual([])
  })

  it('whose call is in an older page move to it when it comes, decisions and results too', () => {
    const snapshot = {
      session: aSession(id),
      mcp_servers: [],
      todos: [],
      approvals: [approval('c1')],
      queue: [],
      turn: [],
    }
    const start = reduceAll(emptySession(id), [{ type: 'snapshot', snapshot }])
    expect(start.items).toMatchObject([{ kind: 'approval', approvalId: 'appr_c1' }])
    const page = { events: events(call('c1')) }
    const waiting = loaded(start, page)
    expect(waiting.items).toMatchObject([{ kind: 'tool', status: 'waiting' }])
    const after = reduceAll(start, eventInputs(events([resolved('c1', 'allowed'), result('c1')])))
    expect(loaded(after, page).items).toMatchObject([
      { kind: 'tool', status: 'done', decision: { state: 'allowed' } },
    ])
    // Nobody waits for it, and it has no result: it was cut off.
    expect(loaded({ ...start, approvals: {}, orphans: [], items: [] }, page).items).toMatchObject([
      { kind: 'tool', status: 'unknown' },
    ])
  })

  it('that are settled are not opened again by what comes late', () => {
    const settled = { ...emptySession(id), phase: 'ready' as const }
    const denied = { ...approval('c1'), state: 'denied' as const }
    const state = reduceAll(settled, [
      { type: 'approval', approval: denied },
      { type: 'approval', approval: approval('c1') },
    ])
    expect(state.approvals.appr_c1?.state).toBe('denied')
  })
})

describe('turns and markers', () => {
  it('show how a turn ended, but not of messages that had none', () => {
    expect(run(end({ outcome: 'withdrawn' }), end({ outcome: 'joined' })).items).toEqual([])
    expect(run(end({ usd: 1, reason: 'x' })).items).toMatchObject([{ key: 'turn:t1', usd: 1, reason: 'x' }])
  })

  it('a message that nobody knew the fate of goes when it is dropped, or stands where it runs now', () => {
    const lost = (id: string): AnyEvent[] => [
      { type: 'user_message', message_id: id, turn_id: id, content: id },
      { type: 'turn_end', turn_id: id, outcome: 'unconfirmed' },
    ]
    const both = [...lost('a'), ...lost('b')]
    const keys = (...more: AnyEvent[]) =>
      run(...both, ...more).items.map((item) => [item.key, item.kind === 'turn' && item.outcome])
    const kept = [
      ['user:b', false],
      ['turn:b', 'unconfirmed'],
    ]
    expect(keys(end({ turn_id: 'a', outcome: 'withdrawn' }))).toEqual(kept)
    const again = [{ type: 'turn_start', turn_id: 'a', cause: 'message' }, lost('a')[0] ?? {}] as AnyEvent[]
    expect(keys(...again)).toEqual([...kept, ['user:a', false]])
    expect(keys(...again, end({ turn_id: 'a', outcome: 'completed' })).slice(2)).toEqual([
      ['user:a', false],
      ['turn:a', 'completed'],
    ])
  })

  it('that is sent again in its place takes what came of it away', () => {
    const turn = (turnId: string, more: object = {}): AnyEvent[] => [
      { type: 'turn_start', turn_id: turnId, cause: 'message', ...more },
      { type: 'user_message', message_id: turnId, turn_id: turnId, content: turnId },
      text(`about ${turnId}`, { message_id: `answer ${turnId}` }),
      { type: 'turn_end', turn_id: turnId, outcome: 'completed' },
    ]
    const before = [...turn('a'), ...turn('b')]
    const { items } = run(...before, ...turn('c', { replaces: 'b' }))
    expect(items).toEqual(run(...turn('a'), ...turn('c')).items)
    // A page of the history may have left it out already.
    expect(run(...turn('a'), ...turn('c', { replaces: 'b' })).items).toEqual(items)
    const steered = { type: 'user_message', message_id: 'd', turn_id: 'c', content: 'd' }
    expect(run(...turn('c').slice(0, 2), steered).items.at(-1)).toMatchObject({ joined: true })
  })

  it('a try is awaited until something comes after it, or the turn ends', () => {
    const begin = { type: 'turn_start', turn_id: 't', cause: 'message' }
    const failed = { type: 'api_retry', attempt: 1, delay_ms: 60_000 }
    const waits = (...more: AnyEvent[]) =>
      run(begin, failed, ...more).items.map((item) => item.kind === 'marker' && item.marker)[0]
    expect(waits()).toMatchObject({ waiting: true })
    expect(waits({ ...failed, attempt: 2 })).toMatchObject({ attempt: 2, waiting: true })
    expect(waits(text('It answers.'))).toMatchObject({ waiting: false })
    expect(waits({ type: 'turn_end', turn_id: 't', outcome: 'interrupted' })).toMatchObject({
      waiting: false,
    })
  })

  it('an event that the history had already is not shown twice', () => {
    const notice = { type: 'notice', level: 'info', code: 'x', message: 'Once.' }
    const [stored] = events([notice], 5)
    if (!stored) throw new Error('no event')
    const page = loaded(run(...call('c1')), { events: [stored] })
    const after = reduceAll(page, eventInputs([stored]))
    expect(after.items.filter(({ kind }) => kind === 'marker')).toHaveLength(1)
  })

  it('one for several tries, none for what is fine or shown by its call', () => {
    const retry = (attempt: number) => ({ type: 'api_retry', attempt })
    const state = run(
      retry(1),
      { type: 'rate_limit', status: 'overloaded' },
      retry(2),
      { type: 'rate_limit', status: 'allowed' },
      { type: 'notice', level: 'warning', code: 'permission_denied', message: 'x' },
      { type: 'turn_start', turn_id: 't2', cause: 'background' },
      { type: 'session_taken_over', reason: 'x' },
    )
    expect(state.items).toMatchObject([
      { key: 'marker:1-1', marker: { type: 'retry', attempt: 2 } },
      { key: 'woken:t2', marker: { type: 'woken', cause: 'background' } },
    ])
  })

  it.each([...turnCauses, 'one of a later version'])(
    'say what began a turn that no message did: %s',
    (cause) => {
      const { items } = run({ type: 'turn_start', turn_id: 't', cause })
      const markers = items.flatMap((item) =>
        item.kind === 'marker' && item.marker.type === 'woken' ? [markerView(item.marker).words] : [],
      )
      const isSilent = ['message', 'steer', 'one of a later version'].includes(cause)
      expect(markers).toEqual(isSilent ? [] : [expect.stringMatching(/\w/)])
    },
  )
})

describe('messages that wait', () => {
  const waiting = (...ids: string[]) => ids.map((one) => ({ id: one, content: one, state: 'queued' }))
  const update = (queue: object[]): AnyEvent => ({ type: 'queue_update', queue })
  const held = (...ids: string[]) => update(waiting(...ids).map((turn) => ({ ...turn, held: true })))

  it('are held, moved and released as the server says', () => {
    const begun = { type: 'turn_start', turn_id: 't1', cause: 'message' }
    const stopped = run(begun, update(waiting('a', 'b')), held('a', 'b'), end({ outcome: 'interrupted' }))
    expect(isQueueHeld(stopped.queue)).toBe(true)
    expect(stopped.handed).toEqual([])
    const after = (...more: AnyEvent[]) => reduceAll(stopped, eventInputs(events(more, 9)))
    expect(after(held('b', 'a')).queue.map((turn) => turn.id)).toEqual(['b', 'a'])
    expect(isQueueHeld(after(update(waiting('a', 'b', 'c'))).queue)).toBe(false)
    // The first was given to the agent; of those that are cleared nothing is on its way.
    expect(after(update(waiting('b'))).handed).toMatchObject([{ id: 'a' }])
    const gone = (id: string): AnyEvent => ({ type: 'turn_end', turn_id: id, outcome: 'withdrawn' })
    const cleared = after(gone('a'), held('b'), gone('b'), update([]))
    expect(cleared).toMatchObject({ queue: [], handed: [] })
    expect(cleared.items).toEqual(stopped.items)
  })

  it('come back under another id when the agent had not read them', () => {
    const gone = { type: 'turn_end', turn_id: 'a', outcome: 'withdrawn' }
    const state = run(update(waiting('a')), update([]), gone, held('again'))
    expect(state.handed).toEqual([])
    expect(state.queue).toMatchObject([{ id: 'again', held: true }])
  })
})

describe('costs and limits', () => {
  const cost = { turn_usd: 1, session_usd: 4, day_usd: 9, tokens: {}, demo: false }
  const budget = { kind: 'session', limit_usd: 5, used: 0.8, reached: false }
  const update = { type: 'cost_update', ...cost, budget }
  const limit = { status: 'allowed', kind: 'five_hour', utilization: 0.42, resets_at: time }

  it('stay as they were last reported, also what is fine', () => {
    const state = run({ type: 'cost_update', ...cost, turn_usd: 7 }, update, {
      type: 'rate_limit',
      ...limit,
      detail: {},
    })
    expect(state).toMatchObject({ items: [], cost: { turn_usd: 1, budget }, rateLimit: limit })
    expect(state.cost).toEqual({ ...cost, budget })
    expect(state.rateLimit).toEqual(limit)
  })

  it('are in a snapshot, which is never behind the events of its turn', () => {
    const begun = { type: 'turn_start', turn_id: 't1', cause: 'message' }
    const snapshot = { session: aSession(id), turn: events([begun, update]), cost, rate_limit: limit }
    const input = { type: 'snapshot', snapshot } as unknown as SessionInput
    const state = reduceAll(emptySession(id), [input])
    expect(state.cost).toEqual(cost)
    expect(state.rateLimit).toEqual(limit)
  })

  it('a warning about a limit that is no more is taken back', () => {
    const ready = { ...run(update), phase: 'ready' as const }
    const change = (budget_usd?: number): SessionInput => ({
      type: 'session',
      session: { ...aSession(id), ...(budget_usd !== undefined && { budget_usd }) },
    })
    for (const raised of [0, 10]) {
      const state = reduceAll(ready, [change(raised)])
      expect(state.session?.budget_usd).toBe(raised)
      expect(state.cost).toEqual(cost)
    }
    for (const same of [5, undefined]) expect(reduceAll(ready, [change(same)]).cost?.budget).toEqual(budget)
    const day = { ...ready, cost: { ...run(update).cost, budget: { ...budget, kind: 'day' } } } as PageSession
    expect(reduceAll(day, [change(10)]).cost).toBe(day.cost)
  })
})

describe('a transcript that another process writes', () => {
  const page = (...given: AnyEvent[]) => ({
    events: events(given).map((event) => ({ ...event, id: `0-${event.id.slice(2)}` })),
  })
  const ready = (more: object) =>
    reduceAll(emptySession(id), [
      {
        type: 'snapshot',
        snapshot: {
          session: { ...aSession(id), live: false, ...more },
          mcp_servers: [],
          todos: [],
          approvals: [],
          queue: [],
          turn: [],
        },
      },
    ])

  it('grows with each new page, and its last call runs on', () => {
    const first = loaded(ready({ in_use_elsewhere: true }), page(text('a'), ...call('c1')))
    expect(tool(first).status).toBe('running')
    const next = reduceAll(first, [
      { type: 'refresh', page: page(...call('c1'), result('c1'), text('b', { index: 2 })) },
    ])
    expect(next.items).toMatchObject([{ text: 'a' }, { callId: 'c1', status: 'done' }, { text: 'b' }])
    // More came than a page holds.
    const far = reduceAll(next, [
      { type: 'refresh', page: { ...page(text('z', { index: 9 })), before: 'x' } },
    ])
    expect(far).toMatchObject({ items: [{ text: 'z' }], history: { phase: 'idle', before: 'x' } })
  })
})

it('a page that was not asked for, or for another position, is not taken', () => {
  const state = { ...emptySession(id), phase: 'ready' as const }
  const page = { events: events([text('a')]) }
  expect(reduceAll(state, [{ type: 'history', page, before: undefined }])).toBe(state)
  const asking = reduceAll(state, [{ type: 'history_asked' }])
  expect(reduceAll(asking, [{ type: 'history', page, before: 'other' }])).toBe(asking)
  expect(reduceAll(asking, [{ type: 'history', page, before: undefined }]).items).toHaveLength(1)
})

describe('what is not understood', () => {
  const log = recordedLogs.flatMap((recorded) => recorded.log)

  it('changes nothing', () => {
    const [event] = events([{ type: 'from_the_future', text: 'x' }])
    const state = run(text('a'))
    expect(reduceSession(state, { type: 'event', event: { ...event, id: '1-9' } as StreamEvent })).toEqual({
      ...state,
      at: '1-9',
    })
  })

  it('costs neither the events beside it nor the snapshot', () => {
    const status = { type: 'session_status', state: 'idle', live: true, cli_session_id: 'x' }
    const snapshot = { session: {}, turn: [null, ...events([text('a'), { ...status }, text('b')])] }
    const input = { type: 'snapshot', snapshot } as unknown as SessionInput
    const state = reduceAll(emptySession(id), [input])
    expect(state.items).toMatchObject([{ text: 'ab' }])
    const [event] = events([status], 9)
    expect(reduceAll(state, event ? [{ type: 'event', event }] : []).items).toEqual(state.items)
  })

  it('does not break anything: any field of any type', () => {
    const junk = fc.oneof(
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('c1', 'm1', 'appr_c1'),
    )
    const names = [...new Set(log.flatMap((event) => Object.keys(event)))].filter((name) => name !== 'id')
    const hostile = fc
      .tuple(
        fc.constantFrom(...log),
        fc.dictionary(fc.constantFrom(...names), junk),
        fc.constantFrom(...streamEventTypes),
      )
      .map(([event, fields, type]) => ({ ...event, ...fields, type }) as unknown as AnyEvent)
    const strings = (items: readonly Item[]): unknown[] =>
      items.flatMap((item) => [
        item.key,
        ...('text' in item ? [item.text] : []),
        ...(item.kind === 'tool' ? [item.name, item.inputJson, ...strings(item.children)] : []),
      ])
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 30 }), (given) => {
        const state = replay(events([...call('c1'), text('x'), asked('c1'), ...given]), id)
        expect(strings(state.items).every((value) => typeof value === 'string')).toBe(true)
        expect(new Set(state.items.map(({ key }) => key)).size).toBe(state.items.length)
        loaded({ ...state, phase: 'ready' }, { events: events(given) })
      }),
      { numRuns: 500 },
    )
  })
})
