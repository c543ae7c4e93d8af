import { turnOutcomes } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import type { Item, PageSession, ToolItem } from '../live/page-session.ts'
import { countServers } from '../mcp/count-servers.ts'
import { announcements } from './announcements.ts'
import { readContextUsage } from './context-usage.ts'
import { type Marker, markerView } from './marker-text.ts'
import { outcomeView } from './outcome-text.ts'
import { readSynthetic } from './synthetic.ts'
import { groupSummary } from './tools/group-summary.ts'
import { userParts } from './user-parts.ts'
import { workingOn } from './working.ts'

describe('outcomeView', () => {
  it('has other words for each outcome, and is loud for all that did not end well', () => {
    const views = turnOutcomes.map((outcome) => outcomeView(outcome))
    expect(new Set(views.map(({ words }) => words)).size).toBe(turnOutcomes.length)
    const quiet = turnOutcomes.filter((outcome) => !outcomeView(outcome).loud)
    expect(quiet).toEqual(['completed', 'joined', 'withdrawn'])
  })
  it('is loud for a turn that completed and was allowed nothing', () => {
    expect(outcomeView('completed', 'all_denied')).toMatchObject({ tone: 'warn', loud: true })
    expect(outcomeView('completed', 'all_denied').words).not.toBe(outcomeView('completed').words)
  })
  it('shows an outcome that it does not know', () => {
    expect(outcomeView('something_new' as never)).toMatchObject({ words: 'something_new', loud: true })
  })
})

describe('markerView', () => {
  it.each<[Marker, string, string]>([
    [
      {
        type: 'retry',
        attempt: 2,
        maxAttempts: 10,
        delayMs: 500,
        status: 529,
        message: undefined,
        waiting: true,
      },
      'try 2 of 10',
      'status 529',
    ],
    [
      { type: 'rate_limit', status: 'rejected', limit: 'five_hour', resetsAt: undefined, utilization: 0.98 },
      'limit reached',
      '5-hour limit · 98% used',
    ],
    [
      {
        type: 'rate_limit',
        status: 'allowed_warning',
        limit: 'new_kind',
        resetsAt: undefined,
        utilization: undefined,
      },
      'Close to',
      'new_kind',
    ],
    [
      { type: 'compaction', trigger: 'manual', tokensBefore: 120_000 },
      'compacted',
      'Requested with /compact. · Was 120K tokens.',
    ],
    [{ type: 'error', code: 'x', message: 'It broke' }, 'It broke', ''],
  ])('%j', (marker, words, more) => {
    expect(markerView(marker).words).toContain(words)
    expect(markerView(marker).more).toBe(more)
  })
})

describe('readContextUsage', () => {
  it('reads what the CLI says', () => {
    const usage = readContextUsage({
      totalTokens: 28_826,
      maxTokens: 1_000_000,
      autoCompactThreshold: 967_000,
      categories: [
        { name: 'Skills', tokens: 2064, kind: 'used' },
        { name: 'Free space', tokens: 9, kind: 'free' },
        null,
        { name: 1 },
      ],
    })
    expect(usage).toEqual({
      percent: 3,
      used: 28_826,
      most: 1_000_000,
      compactsAt: 97,
      parts: [
        { name: 'Skills', tokens: 2064, kind: 'used' },
        { name: 'Free space', tokens: 9, kind: 'free' },
      ],
    })
  })
  it.each([
    {},
    { totalTokens: 'x', maxTokens: 1 },
    { totalTokens: 1, maxTokens: 0 },
    { totalTokens: -1, maxTokens: 5 },
  ])('gives nothing for %j', (answer) => expect(readContextUsage(answer)).toBeUndefined())
})

describe('readSynthetic', () => {
  it.each([
    [
      '<command-name>/compact</command-name>\n<command-args>short</command-args>',
      'Command /compact',
      'short',
    ],
    ['<local-command-stdout>hello</local-command-stdout>', 'Command output', 'hello'],
    ['<system-reminder>note</system-reminder>', 'Note to the agent', 'note'],
    [
      'This session is being continued from a previous conversation that',
      'Summary of the conversation so far',
      'This session is',
    ],
    ['something', 'Written by the CLI', 'something'],
  ])('%j', (given, label, words) => {
    expect(readSynthetic(given).label).toBe(label)
    expect(readSynthetic(given).words).toContain(words)
  })
})

it('takes a message apart, and loads no picture of an odd type', () => {
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const odd = { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: 'AAAA' } }
  const omitted = { type: 'image', source: { type: 'omitted', media_type: 'image/png' } }
  const parts = userParts([{ type: 'text', text: 'a' }, picture, odd, omitted, { type: 'text', text: 'b' }])
  expect(parts.text).toBe('a\n\nb')
  expect(parts.attachments.map(({ kind }) => kind)).toEqual(['image', 'document', 'omitted'])
})

it('counts servers without those that are switched off or not used, and without DorkOS’s own', () => {
  const states = [
    'connected',
    'failed',
    'needs_auth',
    'pending',
    'not_started',
    'disabled',
    'unused',
  ] as const
  const servers = states.map((state) => ({ name: state as string, state }))
  expect(countServers([...servers, { name: 'dorkos', state: 'connected' }])).toEqual({
    connected: 1,
    failed: 2,
    pending: 1,
    all: 5,
  })
})

const time = '2026-05-01T10:00:00.000Z'
const later = '2026-05-01T10:00:05.000Z'
const call = (change: Partial<ToolItem>): ToolItem =>
  ({
    kind: 'tool',
    key: 'k',
    time: later,
    callId: 'c',
    name: 'Bash',
    status: 'running',
    inputJson: '',
    input: {},
    children: [],
    ...change,
  }) as ToolItem

describe('groupSummary', () => {
  it('counts a file that is read in parts once', () => {
    const items = ['a', 'b', 'a'].map((file) =>
      call({ name: 'Read', status: 'done', input: { file_path: file } }),
    )
    expect(groupSummary(items)).toEqual({ words: 'Read 2 files', isRunning: false, failed: 0 })
    const more = [...items, call({ name: 'Grep', status: 'failed' }), call({ name: 'Grep' })]
    expect(groupSummary(more)).toEqual({
      words: 'Read 2 files, searched 2 times',
      isRunning: true,
      failed: 1,
    })
  })
})

describe('workingOn', () => {
  const text: Item = {
    kind: 'text',
    key: 't',
    time: later,
    messageId: 'm',
    index: 0,
    text: 'x',
    streaming: true,
  } as Item
  it.each<[string, readonly Item[], string]>([
    ['nothing yet', [], 'Starting'],
    ['what came before', [{ ...text, time: '2026-04-30T10:00:00.000Z' } as Item], 'Starting'],
    ['text that comes', [text], 'Writing'],
    ['a command', [call({})], 'Running Bash'],
    [
      'a command before others that are done',
      [call({}), call({ name: 'Read', status: 'done' })],
      'Running Bash',
    ],
    ['an MCP tool', [call({ name: 'mcp__dorkos__ping' })], 'Calling ping'],
    ['a call that is written', [call({ status: 'writing' })], 'Writing'],
    ['a call that is done', [call({ status: 'done' })], 'Thinking'],
  ])('%s', (_name, items, verb) => expect(workingOn(items, time, false).verb).toBe(verb))
  it('waits before all', () =>
    expect(workingOn([text], time, true)).toEqual({ verb: 'Waiting for you', waits: true }))
})

describe('announcements', () => {
  const state = (items: readonly Item[], change: Partial<PageSession> = {}) =>
    ({ id: 's', phase: 'ready', items, approvals: {}, session: undefined, ...change }) as PageSession
  const text = (streaming: boolean, words = '**Hello** `you`'): Item =>
    ({ kind: 'text', key: 't', time: later, messageId: 'm', text: words, streaming }) as Item
  const end = (outcome: string): Item =>
    ({ kind: 'turn', key: 'turn:1', time: later, turnId: '1', outcome }) as Item

  it('says a block when it is finished, not while it grows', () => {
    expect(announcements(state([text(true, 'Hel')]), state([text(true)]))).toEqual([])
    expect(announcements(state([text(true)]), state([text(false)]))).toEqual(['Agent: Hello you'])
    expect(announcements(state([text(false)]), state([text(false)]))).toEqual([])
    expect(
      announcements(state([]), state([text(false, '_So_ __it__ is: read_file and __init__.py')])),
    ).toEqual(['Agent: So it is: read_file and init.py'])
  })
  it('says how a turn ended', () => {
    expect(announcements(state([]), state([end('completed')]))).toEqual(['The agent is done.'])
    expect(announcements(state([]), state([end('failed')]))).toEqual(['The turn ended: Failed.'])
  })
  it('says that somebody is needed', () => {
    const approval = { id: 'a', state: 'pending', tool: 'Bash', input: { command: 'ls' } }
    const after = state([], { approvals: { a: approval } as never })
    expect(announcements(state([]), after)).toEqual(['The agent needs you: Run ls.'])
    expect(announcements(after, after)).toEqual([])
  })
  it('is silent about older pages and about what was there when it was opened', () => {
    const old: Item = { ...text(false), key: 'old', time: '2026-04-01T10:00:00.000Z' } as Item
    expect(announcements(state([text(false)]), state([old, text(false)]))).toEqual([])
    expect(announcements(state([], { phase: 'loading' }), state([text(false), end('completed')]))).toEqual([])
  })
})
