/** Any field may be missing or wrong, of any size: the map holds. */
import { type NewEvent, type StreamEvent, streamEventSchema } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begin, complete, delta, mapAll, start, stream } from '../../../test/support/cli-messages.ts'
import type { CliMessage } from '../ports/agent.ts'
import { limits } from './bounded-value.ts'
import { initialMapState, mapMessage } from './map-message.ts'

const envelope = {
  id: '1-1',
  session: '00000000-0000-4000-8000-000000000000',
  time: '2026-01-01T00:00:00.000Z',
}
const parse = (event: NewEvent): StreamEvent => streamEventSchema.parse({ ...envelope, ...event })

const names = [
  ...[
    'type',
    'subtype',
    'uuid',
    'message',
    'content',
    'event',
    'index',
    'delta',
    'content_block',
    'id',
    'name',
  ],
  ...[
    'input',
    'text',
    'thinking',
    'partial_json',
    'tool_use_id',
    'task_id',
    'tool_use_result',
    'is_error',
    'patch',
  ],
  ...[
    'status',
    'state',
    'tasks',
    'todos',
    'model',
    'parent_tool_use_id',
    'api_message_id',
    'abandoned_blocks',
  ],
  ...[
    'from_block_index',
    'supersedes',
    'api_block_index',
    'mcp_servers',
    'permissionMode',
    'attempt',
    'source',
  ],
  ...[
    'data',
    'agentId',
    'isAsync',
    'newTodos',
    'taskId',
    'subject',
    'rate_limit_info',
    'resetsAt',
    '__proto__',
  ],
]
const words = [
  ...[
    'stream_event',
    'assistant',
    'user',
    'system',
    'result',
    'text',
    'thinking',
    'tool_use',
    'tool_result',
    'image',
  ],
  ...[
    'init',
    'status',
    'task_started',
    'task_notification',
    'task_updated',
    'api_retry',
    'compact_boundary',
    'running',
  ],
  ...[
    'message_start',
    'content_block_start',
    'content_block_delta',
    'message_stop',
    'text_delta',
    'thinking_delta',
  ],
  ...[
    'input_json_delta',
    'm1',
    't1',
    'TodoWrite',
    'TaskCreate',
    'TaskUpdate',
    'TaskList',
    'Task',
    'killed',
    '__proto__',
  ],
  ...[
    'local_command',
    'informational',
    'rate_limit_event',
    'tool_progress',
    '<task-notification>',
    '<command-name>',
  ],
]
const { tree: anything } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(fc.constantFrom(...words), fc.jsonValue({ maxDepth: 1 }), fc.integer(), fc.double()),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('tree')), { maxLength: 8 })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
}))
/** Real shapes, with one or more fields replaced by anything. */
const spoilt = fc
  .tuple(
    fc.constantFrom<Record<string, unknown>>(
      begin,
      start({ type: 'tool_use', id: 't1', name: 'Task', input: {} }),
      start({ type: 'text', text: 'a' }, 1),
      delta({ type: 'input_json_delta', partial_json: '{' }),
      delta({ type: 'text_delta', text: 'b' }, 1),
      stream({ type: 'message_stop' }, { abandoned_blocks: { from_block_index: 0 } }),
      complete([{ type: 'tool_use', id: 't1', name: 'TaskCreate', input: { subject: 'x' } }]),
      complete([{ type: 'text', text: 'abc' }]),
      {
        type: 'user',
        uuid: 'u',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
        tool_use_result: { agentId: 'a' },
      },
      { type: 'system', subtype: 'task_started', task_id: 'a', tool_use_id: 't1', task_type: 'local_agent' },
      { type: 'system', subtype: 'task_notification', task_id: 'a', tool_use_id: 't1', status: 'completed' },
      {
        type: 'system',
        subtype: 'init',
        mcp_servers: [{ name: 'a', status: 'connected' }],
        tools: ['mcp__a__b'],
      },
      { type: 'rate_limit_event', rate_limit_info: { status: 'x', resetsAt: 1 } },
    ),
    fc.array(fc.tuple(fc.constantFrom(...names), anything), { maxLength: 3 }),
  )
  .map(([message, changes]) => ({ ...message, ...Object.fromEntries(changes) }))

describe('hostile input', () => {
  it('never throws, gives valid events of bounded size, and changes nothing that it was given', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spoilt, anything), { maxLength: 12 }), (messages) => {
        let state = initialMapState()
        for (const message of messages) {
          const before = JSON.stringify([state, message])
          const mapped = mapMessage(state, message as CliMessage)
          expect(JSON.stringify([state, message])).toBe(before)
          for (const event of mapped.events) expect(JSON.stringify(parse(event)).length).toBeLessThan(100_000)
          state = mapped.state
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of great size or depth gives events that can be stored', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 50_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep }
    const large = 'x'.repeat(3_000_000)
    const many = Array.from({ length: 30_000 }, (_, index) => ({
      type: 'text',
      text: `${index}`,
      more: [index],
    }))
    for (const value of [deep, large, many]) {
      const events = mapAll([
        {
          type: 'user',
          uuid: 'u',
          message: { content: [{ type: 'tool_result', tool_use_id: 't', content: value }] },
          tool_use_result: value,
        },
        {
          type: 'user',
          uuid: 'u',
          message: {
            content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'odd', value }] }],
          },
        },
        { type: 'user', uuid: 'u', isReplay: true, message: { content: [{ type: 'odd', value }] } },
        complete([{ type: 'tool_use', id: 't', name: 'Write', input: { value } }]),
        complete([{ type: 'odd', value }], { uuid: 'u2' }),
        { type: 'odd', value },
        { type: 'system', subtype: 'odd', value },
        { type: 'rate_limit_event', rate_limit_info: { status: 'x', value } },
      ])
      expect(events.length).toBeGreaterThan(6)
      for (const event of events)
        expect(JSON.stringify(parse(event)).length).toBeLessThan(limits.inputBytes * 2)
    }
  })

  it('does not make the state grow without end', () => {
    let state = initialMapState()
    let most = 0
    for (let index = 0; index < 3000; index += 1) {
      const id = `t${index}`
      const call = { type: 'tool_use', id, name: 'TaskCreate', input: { subject: 'x'.repeat(100) } }
      const messages = [
        { type: 'assistant', uuid: id, message: { id: `m${index % 2 === 0 ? index : 0}`, content: [call] } },
        { type: 'system', subtype: 'task_started', task_id: id, tool_use_id: id, task_type: 'local_agent' },
        ...(index % 3 === 0
          ? [
              {
                type: 'user',
                uuid: id,
                message: { content: [{ type: 'tool_result', tool_use_id: id, content: '' }] },
              },
            ]
          : []),
      ]
      for (const message of messages) state = mapMessage(state, message as CliMessage).state
      if (index % 100 === 0) most = Math.max(most, JSON.stringify(state).length)
    }
    expect(most).toBeLessThan(300_000)
    expect(state.messages.length).toBeLessThan(50)
  })
})
