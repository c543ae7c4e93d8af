import type { NewEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { begin, complete, delta, mapAll, start, stream } from '../../../test/support/cli-messages.ts'
import { limits } from './bounded-value.ts'
import { droppedMessages } from './dropped-messages.ts'
import { initialMapState } from './map-message.ts'

describe('an answer', () => {
  it('is published once, streamed or not', () => {
    const streamed = [begin, start({ type: 'text', text: 'He' }), delta({ type: 'text_delta', text: 'llo' })]
    const message = complete([{ type: 'text', text: 'Hello' }])
    const position = { type: 'text_delta', message_id: 'm1', index: 0 }
    expect(mapAll([...streamed, message])).toEqual([
      { ...position, text: 'He' },
      { ...position, text: 'llo' },
    ])
    expect(mapAll([message])).toEqual([{ ...position, text: 'Hello' }])
    expect(mapAll([message, message])).toHaveLength(1)
    // What the stream left out is added.
    expect(mapAll([...streamed, complete([{ type: 'text', text: 'Hello there' }])]).at(-1)).toEqual({
      ...position,
      text: ' there',
    })
    // What comes after the complete block is a repetition.
    expect(mapAll([...streamed, message, delta({ type: 'text_delta', text: '!' })])).toHaveLength(2)
  })

  it('keeps each block in its place, when several come at once and one by one', () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
    ]
    const one = mapAll([complete(blocks)])
    const apart = mapAll(blocks.map((block, index) => complete([block], { uuid: `u${index}` })))
    expect(apart).toEqual(one)
    expect(one).toEqual([
      { type: 'thinking_delta', message_id: 'm1', index: 0, text: 'hm' },
      { type: 'text_delta', message_id: 'm1', index: 2, text: 'a' },
      { type: 'tool_call_start', message_id: 'm1', index: 3, tool_call_id: 't1', name: 'Bash' },
      { type: 'tool_call_end', tool_call_id: 't1', name: 'Bash', input: { command: 'ls' } },
    ])
  })

  it('of two subagents at once is not mixed up', () => {
    const by = (parent: string, message: object) => ({
      ...message,
      api_message_id: undefined,
      parent_tool_use_id: parent,
    })
    const events = mapAll([
      by('a', stream({ type: 'message_start', message: { id: 'ma' } })),
      by('b', stream({ type: 'message_start', message: { id: 'mb' } })),
      by('a', start({ type: 'text', text: '' })),
      by('b', start({ type: 'text', text: '' })),
      by('a', delta({ type: 'text_delta', text: '1' })),
      by('b', delta({ type: 'text_delta', text: '2' })),
    ])
    expect(events).toEqual([
      { type: 'text_delta', message_id: 'ma', index: 0, parent: 'a', text: '1' },
      { type: 'text_delta', message_id: 'mb', index: 0, parent: 'b', text: '2' },
    ])
  })

  it('that is replaced by another is withdrawn', () => {
    const events = mapAll([
      complete([{ type: 'text', text: 'no' }]),
      {
        ...complete([{ type: 'text', text: 'yes' }]),
        uuid: 'u2',
        message: { id: 'm2', content: [] },
        supersedes: ['u1', 'x'],
      },
    ])
    expect(events.at(-1)).toEqual({
      type: 'blocks_withdrawn',
      blocks: [{ message_id: 'm1', index: 0 }],
    })
  })

  it('is split, never cut, when it is long', () => {
    const long = 'é😀x'.repeat(100_000)
    const events = mapAll([complete([{ type: 'text', text: long }])])
    expect(events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')).toBe(long)
    for (const event of events) {
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(limits.pieceBytes + 1000)
      expect(JSON.stringify(event)).not.toContain('\\ud')
    }
  })
})

describe('a tool result', () => {
  const result = (content: unknown, more: Record<string, unknown> = {}) =>
    mapAll([
      {
        type: 'user',
        uuid: 'u',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content, is_error: false }] },
        ...more,
      },
    ])[0] as Extract<NewEvent, { type: 'tool_result' }>

  it('is cut where it is too large, and says how much is missing', () => {
    const cut = result('é'.repeat(50_000))
    expect(cut.omitted_bytes).toBe(100_000 - limits.resultTextBytes)
    expect(cut.content).toEqual([{ type: 'text', text: 'é'.repeat(limits.resultTextBytes / 2) }])
    expect(result('short')).toEqual({
      type: 'tool_result',
      tool_call_id: 't1',
      content: [{ type: 'text', text: 'short' }],
      is_error: false,
    })
  })

  it('is not cut inside a character, and has a bounded number of blocks', () => {
    const [block] = result(`x${'é'.repeat(50_000)}`).content
    expect(block?.text).toBe(`x${'é'.repeat(limits.resultTextBytes / 2 - 1)}`)
    const many = result(Array.from({ length: 1000 }, () => ({ type: 'text', text: 'ab' })))
    expect(many.content).toHaveLength(limits.blocks)
    expect(many.omitted_bytes).toBeGreaterThan((1000 - limits.blocks) * 2)
  })

  it('keeps an image of up to a megabyte, and the rest of what does not fit by name', () => {
    const image = (size: number) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(size) },
    })
    expect(result([image(500_000)]).content).toEqual([image(500_000)])
    const large = result([image(900_000), image(900_000)])
    expect(large.content[1]).toEqual({
      type: 'image',
      source: { type: 'omitted', media_type: 'image/png' },
      omitted_bytes: 900_000,
    })
    expect(large.omitted_bytes).toBe(900_000)
  })

  it('has a detail of bounded size whose structure is kept', () => {
    const { detail } = result('x', {
      tool_use_result: { stdout: 'y'.repeat(1_000_000), patch: [{ lines: ['+a'] }] },
    })
    expect(JSON.stringify(detail).length).toBeLessThan(limits.detailBytes)
    expect(detail).toMatchObject({
      stdout: expect.stringMatching(/^yyy.*characters omitted/) as string,
      patch: [{ lines: ['+a'] }],
    })
  })
})

describe('other messages', () => {
  it('of the session: model, mode, servers and their tools', () => {
    const [status] = mapAll([
      {
        type: 'system',
        subtype: 'init',
        model: 'opus',
        permissionMode: 'default',
        session_id: 's',
        cwd: '/w',
        tools: ['Bash', 'mcp__my_server__a', 'mcp__my_server__b'],
        mcp_servers: [
          { name: 'my server', status: 'connected' },
          { name: 'locked', status: 'needs-auth' },
          { name: 'x', status: 'strange' },
          5,
        ],
      },
    ])
    expect(status).toEqual({
      type: 'session_status',
      state: 'working',
      live: true,
      model: 'opus',
      permission_mode: 'default',
      cli_session_id: 's',
      cwd: '/w',
      mcp_servers: [
        { name: 'my server', status: 'connected', tool_count: 2 },
        { name: 'locked', status: 'needs_auth', tool_count: 0 },
      ],
    })
    const mode = { type: 'system', subtype: 'status', status: null, permissionMode: 'plan' }
    const waiting = { type: 'system', subtype: 'session_state_changed', state: 'requires_action' }
    expect(mapAll([waiting, mode])).toEqual([
      { type: 'session_status', state: 'waiting', live: true, permission_mode: 'plan' },
    ])
    expect(mapAll([{ ...mode, permissionMode: 'auto' }])).toEqual([])
  })

  it('of limits and retries', () => {
    expect(
      mapAll([
        {
          type: 'rate_limit_event',
          rate_limit_info: {
            status: 'allowed_warning',
            resetsAt: 1_794_700_000,
            rateLimitType: 'five_hour',
            utilization: 0.9,
          },
        },
        { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1e300 } },
        {
          type: 'system',
          subtype: 'api_retry',
          attempt: 2,
          max_retries: 10,
          retry_delay_ms: 540,
          error_status: null,
          error: 'unknown',
        },
        {
          type: 'tool_progress',
          tool_use_id: 't',
          tool_name: 'Bash',
          elapsed_time_seconds: 3.5,
          parent_tool_use_id: null,
        },
      ]),
    ).toMatchObject([
      {
        status: 'allowed_warning',
        kind: 'five_hour',
        utilization: 0.9,
        resets_at: '2026-11-14T23:46:40.000Z',
      },
      { status: 'rejected', detail: { status: 'rejected' } },
      { type: 'api_retry', attempt: 2, max_attempts: 10, delay_ms: 540, message: 'unknown' },
      { type: 'tool_progress', tool_call_id: 't', name: 'Bash', elapsed_seconds: 3.5 },
    ])
  })

  it('about the price of auto mode, which sessions do not have, become nothing', () => {
    const content =
      "We're changing auto mode to no longer charge for classifier requests in Claude Code. However, this session isn't eligible because your requests go through 127.0.0.1:38491, which isn't compatible with this update."
    const information = (words: string) => ({
      type: 'system',
      subtype: 'informational',
      content: words,
      level: 'warning',
    })
    expect(mapAll([information(content)])).toEqual([])
    expect(mapAll([information(`Somebody wrote: ${content}`)])).toMatchObject([{ type: 'notice' }])
  })

  it('for people become notices', () => {
    const system = (subtype: string, fields: object) => ({ type: 'system', subtype, ...fields })
    const notices = mapAll([
      system('informational', { content: 'look', level: 'warning', tag: 'a_tag' }),
      system('permission_denied', { tool_name: 'Read', message: 'not allowed' }),
      system('model_refusal_fallback', { content: 'another model answers' }),
      system('session_writes_lost', { error_code: 'ENOSPC', lost: ['transcript'] }),
      system('status', { status: 'compacting' }),
      system('status', { status: null, compact_result: 'failed', compact_error: 'too short' }),
      { type: 'conversation_reset', new_conversation_id: 'n' },
      { type: 'auth_status', isAuthenticating: false, output: [], error: 'signed out' },
    ])
    expect(
      notices.map((event) => (event.type === 'notice' ? `${event.level} ${event.code}` : event.type)),
    ).toEqual([
      'warning a_tag',
      'warning permission_denied',
      'warning model_refusal_fallback',
      'warning session_writes_lost',
      'info compacting',
      'warning compact_failed',
      'info conversation_reset',
      'warning auth_status',
    ])
  })

  it('that are known to be published elsewhere are dropped, and all that are not known pass', () => {
    for (const kind of Object.keys(droppedMessages)) {
      const [type, subtype] = kind.split('/')
      const message = type === 'stream_event' ? { type, event: { type: subtype } } : { type, subtype }
      expect(mapAll([message]), kind).toEqual([])
    }
    expect(mapAll([{ type: 'result', subtype: 'success' }])).toEqual([])
    const unknown = { type: 'system', subtype: 'from_the_future', value: 1 }
    expect(mapAll([unknown])).toEqual([
      { type: 'cli_message', kind: 'system/from_the_future', message: unknown },
    ])
    const large = { type: 'from_the_future', value: 'x'.repeat(100_000) }
    expect(mapAll([large])).toEqual([
      {
        type: 'cli_message',
        kind: 'from_the_future',
        message: { omitted: expect.stringMatching(/about 1000\d\d bytes/) as string },
      },
    ])
  })

  it('that nobody typed are marked', () => {
    const user = (content: unknown, more: object = {}) => ({
      type: 'user',
      uuid: 'u',
      message: { content },
      ...more,
    })
    const mapped = mapAll([
      user('typed', { isReplay: true }),
      user('<local-command-stdout>Set model to x</local-command-stdout>', { isReplay: true }),
      user([{ type: 'text', text: '[Request interrupted by user]' }], { isReplay: true }),
      user('a summary', { isSynthetic: true, isReplay: false }),
      user('do this', { parent_tool_use_id: 't1' }),
      user('', { isReplay: true }),
    ])
    expect(mapped).toEqual([
      { type: 'user_message', message_id: 'u', content: 'typed' },
      { type: 'user_message', message_id: 'u', content: 'Set model to x', synthetic: true },
      {
        type: 'user_message',
        message_id: 'u',
        content: [{ type: 'text', text: '[Request interrupted by user]' }],
        synthetic: true,
      },
      { type: 'user_message', message_id: 'u', content: 'a summary', synthetic: true },
      { type: 'user_message', message_id: 'u', content: 'do this', synthetic: true, parent: 't1' },
    ])
  })

  it('of a subagent in the background, which can stop more than once', () => {
    const task = { type: 'system', task_id: 'a', tool_use_id: 't1' }
    const started = { ...task, subtype: 'task_started', subagent_type: 'helper' }
    const stopped = { ...task, subtype: 'task_notification', status: 'completed', summary: 'done' }
    const killed = { ...task, subtype: 'task_updated', patch: { status: 'killed' } }
    const ofAgents = (messages: object[]) => mapAll(messages).filter(({ type }) => type !== 'tasks_update')
    const types = (messages: object[]) => ofAgents(messages).map(({ type }) => type)
    const background = { ...started, is_backgrounded: true }
    expect(types([background, stopped, stopped])).toEqual(['subagent_start', 'subagent_end', 'subagent_end'])
    expect(types([started, stopped, stopped])).toEqual(['subagent_start', 'subagent_end'])
    expect(ofAgents([started, killed, stopped]).at(-1)).toMatchObject({
      type: 'subagent_end',
      status: 'killed',
    })
  })

  it('of a list of tasks that was there before the process', () => {
    const state = initialMapState({ todos: [{ id: '1', content: 'one', status: 'pending' }] })
    const call = {
      type: 'tool_use',
      id: 't1',
      name: 'TaskUpdate',
      input: { taskId: '1', status: 'completed' },
    }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'done' }
    const events = mapAll(
      [complete([call]), { type: 'user', uuid: 'x', message: { content: [result] } }],
      state,
    )
    expect(events.at(-1)).toEqual({
      type: 'todo_update',
      todos: [{ id: '1', content: 'one', status: 'completed' }],
    })
    const failed = { ...result, is_error: true }
    expect(
      mapAll([complete([call]), { type: 'user', uuid: 'x', message: { content: [failed] } }], state).at(-1)
        ?.type,
    ).toBe('tool_result')
  })
})
