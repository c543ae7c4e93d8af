import { type Approval, type StreamEvent, streamEventSchema, type Turn, turnCauses } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { buildHistory, type HistoryInput } from './build-history.ts'

const sessionId = '00000000-0000-4000-8000-000000000000'
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

const prompt = (n: number, second: number) => ({
  type: 'user',
  uuid: id(n),
  timestamp: at(second),
  message: { content: `message ${n}` },
})
const says = (words: string, second: number) => ({
  type: 'assistant',
  uuid: `a-${words}`,
  timestamp: at(second),
  message: { id: `m-${words}`, content: [{ type: 'text', text: words }] },
})
const calls = (tool: string, second: number) => ({
  type: 'assistant',
  uuid: `a-${tool}`,
  timestamp: at(second),
  message: {
    id: `m-${tool}`,
    content: [{ type: 'tool_use', id: tool, name: 'Bash', input: { command: 'ls' } }],
  },
})
const result = (tool: string, second: number, isError = false) => ({
  type: 'user',
  uuid: `r-${tool}`,
  timestamp: at(second),
  message: { content: [{ type: 'tool_result', tool_use_id: tool, content: 'x', is_error: isError }] },
})
const woke = (second: number) => ({
  type: 'user',
  uuid: `w-${second}`,
  timestamp: at(second),
  message: {
    content: '<task-notification><tool-use-id>t1</tool-use-id><summary>done</summary></task-notification>',
  },
})

const turn = (n: number, from: number, to: number | undefined, more: Partial<Turn> = {}): Turn => ({
  id: id(n),
  session_id: sessionId,
  cause: 'message',
  state: to === undefined ? 'running' : 'ended',
  content: `message ${n}`,
  principal: 'owner',
  created_at: at(from),
  started_at: at(from),
  ...(to !== undefined && { outcome: 'completed', ended_at: at(to) }),
  ...more,
})
const approval = (tool: string, second: number, more: Partial<Approval> = {}): Approval => ({
  id: `apr_${tool.padEnd(8, '0')}`,
  kind: 'tool',
  session_id: sessionId,
  principal: 'owner',
  tool_call_id: tool,
  tool: 'Bash',
  input: { command: 'ls' },
  input_hash: 'hash',
  risk: 'execute',
  state: 'pending',
  created_at: at(second),
  deadline: at(59),
  ...more,
})

function lines(entries: object[]): TranscriptEntry[] {
  return entries.map((entry, index) => ({ entry: entry as Record<string, unknown>, offset: index * 400 }))
}

function history(entries: TranscriptEntry[], more: Partial<HistoryInput> = {}): StreamEvent[] {
  const events = buildHistory({ sessionId, entries, turns: [], approvals: [], first: true, ...more })
  let last = 0
  for (const event of events) {
    const seq = Number(streamEventSchema.parse(event).id.slice(2))
    expect(seq).toBeGreaterThan(last)
    last = seq
  }
  return events
}

function brief(events: StreamEvent[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'turn_start':
      case 'turn_end':
        return `${event.type} ${event.turn_id.at(-1)}${'outcome' in event ? ` ${event.outcome}` : ''}`
      case 'user_message':
        return `user ${event.message_id.at(-1)} of ${event.turn_id?.at(-1) ?? 'none'}`
      case 'text_delta':
        return event.text
      case 'approval_resolved':
      case 'question_resolved':
        return `${event.type} ${event.state}`
      default:
        return event.type
    }
  })
}

describe('turns in history', () => {
  it('begin before their message and end after their last entry', () => {
    const entries = lines([prompt(1, 1), says('a', 2), prompt(2, 4), says('b', 5), says('c', 6)])
    const events = history(entries, {
      turns: [turn(2, 4, 7, { outcome: 'interrupted', reason: 'by a person' }), turn(1, 1, 3)],
    })
    expect(brief(events)).toEqual([
      ...['turn_start 1', 'user 1 of 1', 'a', 'turn_end 1 completed'],
      ...['turn_start 2', 'user 2 of 2', 'b', 'c', 'turn_end 2 interrupted'],
    ])
    expect(events.at(-1)).toMatchObject({ reason: 'by a person', duration_ms: 3000, time: at(7) })
  })

  it.each(turnCauses.filter((cause) => cause !== 'background'))('stand at their message: %s', (cause) => {
    const events = history(lines([prompt(1, 1), says('a', 2)]), { turns: [turn(1, 1, 3, { cause })] })
    expect(brief(events)).toEqual(['turn_start 1', 'user 1 of 1', 'a', 'turn_end 1 completed'])
    expect(events[0]).toMatchObject({ type: 'turn_start', cause })
  })

  it('that still run have no end, and those that wait are not there', () => {
    const entries = lines([prompt(1, 1), says('a', 2)])
    const waiting = turn(2, 3, undefined, { state: 'queued' })
    const taken = turn(3, 3, 3, { outcome: 'withdrawn' })
    expect(brief(history(entries, { turns: [turn(1, 1, undefined), waiting, taken] }))).toEqual([
      'turn_start 1',
      'user 1 of 1',
      'a',
    ])
  })

  it('end before what came after them: a command, a terminal', () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      timestamp: at(8),
      compactMetadata: { trigger: 'manual' },
    }
    const entries = lines([prompt(1, 1), says('a', 2), boundary, prompt(2, 9), prompt(7, 12), says('b', 13)])
    expect(brief(history(entries, { turns: [turn(1, 1, 3), turn(2, 7, 10)] }))).toEqual([
      ...['turn_start 1', 'user 1 of 1', 'a', 'turn_end 1 completed', 'compact_boundary'],
      ...['turn_start 2', 'user 2 of 2', 'turn_end 2 completed', 'user 7 of none', 'b'],
    ])
  })

  it('that no message caused begin where the agent was woken', () => {
    const entries = lines([prompt(1, 1), calls('t1', 2), result('t1', 3), woke(6), says('b', 7)])
    const { content: _content, ...background } = turn(5, 6, 8, { cause: 'background' })
    expect(brief(history(entries, { turns: [turn(1, 1, 4), background] }))).toEqual([
      ...[
        'turn_start 1',
        'user 1 of 1',
        'tool_call_start',
        'tool_call_end',
        'tool_result',
        'turn_end 1 completed',
      ],
      ...['turn_start 5', 'tool_progress', 'b', 'turn_end 5 completed'],
    ])
  })

  it('hold the messages that were taken into them', () => {
    const joined = turn(2, 3, 6, { cause: 'steer', outcome: 'joined', joined_turn: id(1) })
    const entries = lines([prompt(1, 1), says('a', 2), prompt(2, 3), says('b', 4)])
    expect(brief(history(entries, { turns: [turn(1, 1, 6), joined] }))).toEqual([
      ...['turn_start 1', 'user 1 of 1', 'a', 'user 2 of 1', 'b', 'turn_end 1 completed'],
    ])
  })

  it('of which the transcript knows nothing are still shown, at their time', () => {
    const entries = lines([prompt(1, 1), says('a', 2), prompt(3, 8), says('b', 9)])
    const failed = turn(2, 4, 5, { outcome: 'failed', reason: 'The CLI did not start.' })
    const turns = [turn(1, 1, 3), failed, turn(3, 8, 10)]
    expect(brief(history(entries, { turns }))).toEqual([
      ...['turn_start 1', 'user 1 of 1', 'a', 'turn_end 1 completed'],
      ...['user 2 of 2', 'turn_end 2 failed'],
      ...['turn_start 3', 'user 3 of 3', 'b', 'turn_end 3 completed'],
    ])
    const alone = history([], { turns: [failed] })
    expect(brief(alone)).toEqual(['user 2 of 2', 'turn_end 2 failed'])
    expect(alone[0]).toMatchObject({ content: 'message 2', time: at(4) })
  })

  it('are the same in pages as in one, wherever the pages are cut', () => {
    const entries = lines([
      prompt(1, 1),
      calls('t1', 2),
      result('t1', 4),
      says('a', 5),
      prompt(3, 12),
      says('b', 13),
      woke(20),
      says('c', 21),
      prompt(4, 30),
      says('d', 31),
    ])
    const { content: _content, ...background } = turn(5, 20, 22, { cause: 'background' })
    const turns = [
      turn(1, 1, 6),
      turn(2, 8, 9, { outcome: 'failed' }),
      turn(3, 12, 14),
      background,
      turn(4, 30, 32),
    ]
    const approvals = [approval('t1', 3, { state: 'allowed', decided_at: at(3) })]
    const whole = history(entries, { turns, approvals })
    for (let cut = 1; cut < entries.length; cut += 1) {
      const newer = history(entries.slice(cut), { turns, approvals, first: false })
      const older = history(entries.slice(0, cut), { turns, approvals, until: newer[0]?.time })
      expect(brief([...older, ...newer]), `cut at ${cut}`).toEqual(brief(whole))
    }
  })

  it('say what they cost, and how long they took, as was published live', () => {
    const tokens = { input: 1, output: 2, cache_read: 3, cache_write: 4 }
    const row = {
      id: 1,
      time: at(3),
      session_id: sessionId,
      turn_id: id(1),
      principal: 'owner',
      model: 'm',
      usd: 0.5,
      tokens,
      duration_ms: 1234,
      demo: false,
    }
    const events = history(lines([prompt(1, 1)]), {
      turns: [turn(1, 1, 3)],
      ledger: [row, { ...row, id: 2 }],
    })
    expect(events.at(-1)).toMatchObject({
      usd: 1,
      duration_ms: 1234,
      tokens: { input: 2, output: 4, cache_read: 6, cache_write: 8 },
    })
    // Of a turn whose process died, the CLI reported no time.
    const [lost] = history(lines([prompt(1, 1)]), {
      turns: [turn(1, 1, 3)],
      ledger: [{ ...row, duration_ms: 0 }],
    }).slice(-1)
    expect(lost).toMatchObject({ type: 'turn_end', duration_ms: 2000 })
  })
})

describe('approvals in history', () => {
  it('stand right after the call, as they were and as they ended', () => {
    const entries = lines([
      prompt(1, 1),
      calls('t1', 2),
      calls('t2', 2),
      result('t1', 9, true),
      result('t2', 9, true),
    ])
    const denied = approval('t1', 3, {
      state: 'denied',
      decided_at: at(5),
      decided_by: { kind: 'person', principal: 'owner', rule_id: 'r' },
      message: 'not today',
    })
    const question = approval('t2', 3, {
      kind: 'question',
      state: 'expired',
      decided_at: at(8),
      decided_by: { kind: 'deadline' },
    })
    const events = history(entries, { turns: [turn(1, 1, 10)], approvals: [question, denied] })
    expect(brief(events)).toEqual([
      ...['turn_start 1', 'user 1 of 1', 'tool_call_start', 'tool_call_end'],
      ...['approval_required', 'approval_resolved denied', 'tool_call_start', 'tool_call_end'],
      ...[
        'question_prompt',
        'question_resolved expired',
        'tool_result',
        'tool_result',
        'turn_end 1 completed',
      ],
    ])
    const required = events.find((event) => event.type === 'approval_required')
    expect(required?.approval).toMatchObject({ state: 'pending', tool: 'Bash' })
    expect(required?.approval).not.toHaveProperty('decided_by')
    expect(events.find((event) => event.type === 'approval_resolved')).toMatchObject({
      time: at(5),
      message: 'not today',
      rule_id: 'r',
      tool_call_id: 't1',
    })
  })

  it('stay in order, however many there are', () => {
    const both = ['t1', 't2'].map((tool) => ({ type: 'tool_use', id: tool, name: 'Bash', input: {} }))
    const entry = { type: 'assistant', uuid: 'a', timestamp: at(2), message: { id: 'm', content: both } }
    const approvals = Array.from({ length: 40 }, (_, index) =>
      approval('t1', 3, { id: `apr_${String(index).padStart(8, '0')}`, state: 'void' }),
    )
    expect(history(lines([prompt(1, 1), entry]), { approvals })).toHaveLength(1 + 4 + 80)
  })

  it('without a call stand at their time, and open ones have no end', () => {
    const { tool_call_id: _id, ...form } = approval('form', 3, { kind: 'elicitation' })
    const entries = lines([prompt(1, 1), says('a', 2), says('b', 4)])
    expect(brief(history(entries, { approvals: [form] }))).toEqual([
      'user 1 of none',
      'a',
      'question_prompt',
      'b',
    ])
  })

  it('do not move the events that were there before', () => {
    const entries = lines([prompt(1, 1), calls('t1', 2), result('t1', 9)])
    const idsOf = (events: StreamEvent[]) => new Map(events.map((event) => [event.type, event.id] as const))
    const plain = idsOf(history(entries))
    const full = idsOf(
      history(entries, { turns: [turn(1, 1, 10)], approvals: [approval('t1', 3, { state: 'allowed' })] }),
    )
    for (const [type, eventId] of plain) expect(full.get(type)).toBe(eventId)
  })
})

describe('what only the log has', () => {
  const notice = (seq: number, second: number, code = 'test'): StreamEvent => ({
    id: `2-${seq}`,
    session: sessionId,
    time: at(second),
    type: 'notice',
    level: 'info',
    code,
    message: `at ${second}`,
  })
  const takenOver = (epoch: number, second: number): StreamEvent => ({
    id: `${epoch}-1`,
    session: sessionId,
    time: at(second),
    type: 'session_taken_over',
    reason: 'a test',
  })
  const allowed = (tool: string, second: number): StreamEvent => ({
    id: `2-${50 + second}`,
    session: sessionId,
    time: at(second),
    type: 'tool_call_allowed',
    tool_call_id: tool,
    decided_by: { kind: 'rule', rule_id: 'rule_1' },
    decided_at: at(second),
  })
  const entries = (list: object[]) =>
    list.map((entry, index) => ({ offset: index * 100, entry })) as unknown as TranscriptEntry[]
  const brief = (events: StreamEvent[]) =>
    events.map((event) => (event.id.startsWith('0-') ? event.type : `${event.id} ${event.type}`))
  const conversation = [prompt(1, 10), says('one', 12), prompt(2, 20), calls('t1', 22), result('t1', 26)]
  const turns = [turn(1, 9, 14), turn(2, 18, 28)]

  it('stands where it happened, under its own id', () => {
    const kept = [
      takenOver(1, 1),
      takenOver(2, 8),
      notice(2, 11),
      notice(3, 13),
      notice(4, 15),
      notice(5, 19),
    ]
    const events = buildHistory({
      sessionId,
      entries: entries(conversation),
      turns,
      approvals: [],
      kept: [...kept, allowed('t1', 23), notice(6, 27), notice(7, 30)],
      first: true,
    })
    expect(brief(events)).toEqual([
      '2-1 session_taken_over',
      'turn_start',
      'user_message',
      '2-2 notice',
      'text_delta',
      '2-3 notice',
      'turn_end',
      '2-4 notice',
      'turn_start',
      'user_message',
      '2-5 notice',
      'tool_call_start',
      'tool_call_end',
      '2-73 tool_call_allowed',
      'tool_result',
      '2-6 notice',
      'turn_end',
      '2-7 notice',
    ])
    for (const event of events) expect(streamEventSchema.parse(event)).toEqual(event)
  })

  it('a limit stands before the try that it led to, though another clock says it came after', () => {
    const retry = (attempt: number, second: number) => ({
      type: 'system',
      subtype: 'api_error',
      uuid: `r-${attempt}`,
      timestamp: at(second),
      retryAttempt: attempt,
      maxRetries: 10,
      retryInMs: 2000,
      error: { status: 429 },
    })
    const limit = (seq: number, second: number) =>
      ({
        id: `2-${seq}`,
        session: sessionId,
        time: at(second),
        type: 'rate_limit',
        status: 'rejected',
      }) as StreamEvent
    const events = buildHistory({
      sessionId,
      entries: entries([prompt(1, 10), retry(1, 12), retry(2, 15), says('one', 20)]),
      turns: [turn(1, 9, 21)],
      approvals: [],
      kept: [limit(2, 13), limit(3, 14.5)],
      first: true,
    })
    const expected = ['2-2 rate_limit', 'api_retry', '2-3 rate_limit', 'api_retry']
    expect(brief(events).slice(2, 6)).toEqual(expected)
  })

  it('is in one of two pages', () => {
    const kept = [notice(2, 11), notice(3, 17), notice(4, 18), notice(5, 21)]
    const page = (from: number, to: number, until?: string) =>
      buildHistory({
        sessionId,
        entries: entries(conversation).slice(from, to),
        turns,
        approvals: [],
        kept: kept.filter(({ time }) => until === undefined || time < until),
        first: from === 0,
        until,
      })
    const newest = page(2, 5)
    const older = page(0, 2, newest[0]?.time)
    const own = (events: StreamEvent[]) => events.map(({ id: of }) => of).filter((of) => of.startsWith('2-'))
    expect([own(older), own(newest)]).toEqual([
      ['2-2', '2-3'],
      ['2-4', '2-5'],
    ])
  })

  it('is not shown twice where the transcript has it too', () => {
    const informational = {
      type: 'system',
      subtype: 'informational',
      uuid: 'i-1',
      timestamp: at(11),
      content: 'at 12',
      tag: 'test',
    }
    const events = buildHistory({
      sessionId,
      entries: entries([prompt(1, 10), informational, says('one', 13)]),
      turns: [turn(1, 9, 14)],
      approvals: [],
      kept: [notice(2, 12), notice(3, 12, 'other')],
      first: true,
    })
    expect(brief(events).filter((one) => one.includes('notice'))).toEqual(['notice', '2-3 notice'])
  })
})
