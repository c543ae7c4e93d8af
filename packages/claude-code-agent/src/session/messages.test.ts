import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CliMessage } from '../protocol/control-channel.ts'
import { MessageMap, outcomeOf, rawMapper, type SessionMessage, type TurnOutcome } from './messages.ts'

function map(raw: CliMessage, mapper: { map: MessageMap['map'] } = new MessageMap()): SessionMessage[] {
  const messages: SessionMessage[] = []
  mapper.map(raw, (message) => messages.push(message))
  return messages
}

const assistant = (content: unknown, fields = {}): CliMessage => ({
  type: 'assistant',
  message: { role: 'assistant', content },
  parent_tool_use_id: null,
  ...fields,
})
const user = (content: unknown, fields = {}): CliMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  ...fields,
})

describe('assistant messages', () => {
  it('text', () => {
    const blocks = [
      { type: 'text', text: 'Hello, ' },
      { type: 'text', text: 'you' },
    ]
    const raw = assistant(blocks)
    expect(map(raw)).toEqual([
      { type: 'assistant', content: 'Hello, you', blocks, parentToolUseId: null, raw },
    ])
  })

  it('thinking is a block, not text', () => {
    const blocks = [{ type: 'thinking', thinking: 'hm', signature: 's' }]
    expect(map(assistant(blocks))).toMatchObject([{ type: 'assistant', content: '', blocks }])
  })

  it('several blocks become several messages: what was said, then each call', () => {
    const messages = map(
      assistant([
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'mcp__calc__add', input: { a: 1 } },
      ]),
    )
    expect(messages).toMatchObject([
      { type: 'assistant', content: 'I look.', blocks: [{ type: 'text' }] },
      { type: 'tool_use', toolUseId: 'toolu_1', toolName: 'Read', input: { file_path: '/a' } },
      { type: 'tool_use', toolUseId: 'toolu_2', toolName: 'mcp__calc__add', input: { a: 1 } },
    ])
  })

  it('of a subagent name the call that it works for', () => {
    const raw = assistant([{ type: 'tool_use', id: 'b', name: 'Bash', input: {} }], {
      parent_tool_use_id: 'toolu_task',
    })
    expect(map(raw)).toMatchObject([{ type: 'tool_use', parentToolUseId: 'toolu_task' }])
  })

  it('without content are still delivered', () => {
    expect(map(assistant([]))).toMatchObject([{ type: 'assistant', content: '', blocks: [] }])
  })
})

describe('user messages', () => {
  it('a tool result is named after its call, once', () => {
    const mapper = new MessageMap()
    map(assistant([{ type: 'tool_use', id: 't', name: 'Read', input: {} }]), mapper)
    const raw = user([{ type: 'tool_result', tool_use_id: 't', content: 'data' }])
    expect(map(raw, mapper)).toEqual([
      {
        type: 'tool_result',
        toolUseId: 't',
        toolName: 'Read',
        content: 'data',
        blocks: [{ type: 'text', text: 'data' }],
        isError: false,
        parentToolUseId: null,
        raw,
      },
    ])
    expect(map(raw, mapper)).toMatchObject([{ toolName: undefined }])
  })

  it('a result of several blocks, with an error', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', source: {} },
      { type: 'text', text: 'b' },
    ]
    const raw = user([{ type: 'tool_result', tool_use_id: 't', content, is_error: true }])
    expect(map(raw)).toMatchObject([{ content: 'ab', blocks: content, isError: true }])
  })

  it('text, alone or beside results', () => {
    expect(map(user('hello'))).toMatchObject([{ type: 'user', raw: { type: 'user' } }])
    const both = user([
      { type: 'tool_result', tool_use_id: 't', content: 'x' },
      { type: 'text', text: 'and' },
    ])
    expect(map(both).map(({ type }) => type)).toEqual(['user', 'tool_result'])
  })
})

describe('results', () => {
  it('carry what the CLI counted', () => {
    const raw: CliMessage = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      structured_output: { a: 1 },
      duration_ms: 5,
      duration_api_ms: 4,
      num_turns: 2,
      total_cost_usd: 0.5,
      usage: { input_tokens: 7 },
    }
    const stats = {
      durationMs: 5,
      apiDurationMs: 4,
      modelTurns: 2,
      totalCostUsd: 0.5,
      usage: { input_tokens: 7 },
    }
    const expected = {
      type: 'result',
      outcome: 'completed',
      content: 'done',
      structuredOutput: { a: 1 },
      stats,
    }
    expect(map(raw)).toEqual([{ ...expected, raw }])
    expect(map(raw, rawMapper)).toEqual([{ ...expected, raw }])
  })

  it('of a failure say what went wrong', () => {
    const raw = { type: 'result', subtype: 'error_during_execution', errors: ['one', 'two', { code: 3 }] }
    expect(map(raw)).toMatchObject([{ outcome: 'failed', content: 'one\ntwo\n{"code":3}' }])
  })

  it.each<[TurnOutcome, CliMessage]>([
    ['completed', { subtype: 'success', is_error: false, terminal_reason: 'completed' }],
    ['failed', { subtype: 'success', is_error: true }],
    ['failed', { subtype: 'error_during_execution', is_error: true }],
    ['structured_output_failed', { subtype: 'error_max_structured_output_retries' }],
    ['failed', {}],
    [
      'interrupted',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
    ],
    ['interrupted', { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' }],
    ['interrupted', { subtype: 'success', terminal_reason: 'aborted_tools' }],
    ['max_turns', { subtype: 'error_max_turns', is_error: true }],
    ['max_turns', { subtype: 'success', terminal_reason: 'max_turns' }],
    ['budget', { subtype: 'error_max_budget_usd', is_error: true }],
  ])('%s: %j', (outcome, result) => {
    expect(outcomeOf({ type: 'result', ...result })).toBe(outcome)
  })

  it('with an output schema have an output, unless no model was called', () => {
    const success = { type: 'result', subtype: 'success', num_turns: 2 }
    const given = { ...success, structured_output: { answer: 1 } }
    const outcomes = (raw: CliMessage) => [outcomeOf(raw, true), outcomeOf(raw)]
    expect(outcomes(given)).toEqual(['completed', 'completed'])
    expect(outcomes({ ...given, structured_output: null })).toEqual(['completed', 'completed'])
    expect(outcomes(success)).toEqual(['structured_output_failed', 'completed'])
    expect(outcomes({ ...success, num_turns: 0 })).toEqual(['completed', 'completed'])
    expect(outcomes({ ...success, is_error: true })).toEqual(['failed', 'failed'])
    expect(outcomes({ ...success, terminal_reason: 'aborted_tools' })).toEqual(['interrupted', 'interrupted'])
  })
})

describe('everything else', () => {
  it('system messages keep their subtype', () => {
    const raw = { type: 'system', subtype: 'init', tools: [] }
    expect(map(raw)).toEqual([{ type: 'system', subtype: 'init', raw }])
  })

  it('pieces of text', () => {
    const event = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hel' } }
    const raw = { type: 'stream_event', event, parent_tool_use_id: null }
    expect(map(raw)).toEqual([{ type: 'stream_event', textDelta: 'Hel', event, parentToolUseId: null, raw }])
    expect(map({ type: 'stream_event', event: { type: 'message_stop' } })).toMatchObject([
      { textDelta: undefined },
    ])
  })

  it.each([
    'tool_progress',
    'tool_use_summary',
    'auth_status',
    'rate_limit_event',
    'prompt_suggestion',
    'conversation_reset',
    'command_lifecycle',
    'transcript_mirror',
    'a_type_of_next_year',
  ])('%s passes as it is', (type) => {
    const raw = { type, some: 'field' }
    expect(map(raw)).toEqual([{ type, raw }])
    expect(map(raw, rawMapper)).toEqual([{ type, raw }])
  })
})

describe('whatever arrives', () => {
  const kinds = fc.constantFrom('assistant', 'user', 'result', 'system', 'stream_event', 'new')
  const odd = fc.anything({ withNullPrototype: true, withObjectString: true })
  const fields = fc.constantFrom(
    'message',
    'subtype',
    'event',
    'errors',
    'result',
    'usage',
    'parent_tool_use_id',
    'num_turns',
    'terminal_reason',
  )
  const block = fc.record(
    {
      type: fc.oneof(fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking'), odd),
      text: odd,
      id: odd,
      name: odd,
      input: odd,
      tool_use_id: odd,
      content: odd,
    },
    { requiredKeys: [] },
  )
  const blocks = fc.array(fc.oneof(block, odd))
  const message = fc
    .tuple(fc.oneof(kinds, odd), fc.dictionary(fields, odd), fc.option(blocks))
    .map(
      ([type, rest, content]) => ({ ...rest, type, ...(content && { message: { content } }) }) as CliMessage,
    )

  it('nothing throws, nothing is lost, and the raw message is untouched', () => {
    fc.assert(
      fc.property(message, (raw) => {
        for (const mapper of [new MessageMap(), rawMapper]) {
          const mapped = map(raw, mapper)
          expect(mapped.length).toBeGreaterThan(0)
          for (const one of mapped) {
            expect(one.raw).toBe(raw)
            expect(one.type).toBeTypeOf('string')
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('every block of an answer is delivered exactly once', () => {
    fc.assert(
      fc.property(blocks, (content) => {
        const proper = content.filter((one) => typeof (one as { type?: unknown } | null)?.type === 'string')
        const messages = map(assistant(content))
        const counts = messages.map((one) => (one.type === 'assistant' ? one.blocks.length : 1))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(proper.length)
      }),
    )
  })
})
