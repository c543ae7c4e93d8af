/** Sessions of the real CLI: what the map makes of them live, and that their transcripts give the same. */
import { randomUUID } from 'node:crypto'
import { type NewEvent, streamEventSchema } from '@dorkos/shared'
import { apiError, hang, text, thinking, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { buildHistory } from '../../src/core/event-map/build-history.ts'
import { mapTranscript } from '../../src/core/event-map/map-transcript.ts'
import type { CliMessage } from '../../src/core/ports/agent.ts'
import { record } from './recorded-session.ts'
import { agrees, brief, said } from './said.ts'

const slowCommand = 'for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done'
const until = async (found: () => boolean) => {
  while (!found()) await new Promise((resolve) => setTimeout(resolve, 5))
}
const isDelta = (message: CliMessage) =>
  message.type === 'stream_event' && JSON.stringify(message).includes('content_block_delta')
const isToolUse = (message: CliMessage) =>
  message.type === 'assistant' && JSON.stringify(message).includes('"tool_use"')

describe('a session of the real CLI, live and from its transcript', () => {
  it('thinking, text and tools', async () => {
    const session = await record({
      script: [
        [
          thinking('I should look around first.'),
          text('Let me look.'),
          toolUse('Bash', { command: 'echo hello' }),
        ],
        toolUse('Bash', { command: 'exit 3' }),
        toolUse('Write', { file_path: 'a.txt', content: 'one\ntwo\n' }),
        toolUse('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }),
        'All done.',
      ],
    })
    agrees(session)
    expect(brief(session.live)).toEqual([
      'status working',
      'thinking I should look around first.',
      'thinking_end',
      'text Let me look.',
      'start Bash',
      'end Bash',
      'result ok',
      'start Bash',
      'end Bash',
      'result error',
      'start Write',
      'end Write',
      'result ok',
      'start Edit',
      'end Edit',
      'result ok',
      'text All done.',
    ])
    expect(brief(session.history)[0]).toBe('user "go"')
    const edit = session.live.find((event) => event.type === 'tool_call_end' && event.name === 'Edit')
    // The CLI adds what the model left out.
    expect(edit).toMatchObject({ input: { replace_all: false, old_string: 'two' } })
    const results = session.live.filter((event) => event.type === 'tool_result')
    expect(results[0]).toMatchObject({
      cli_time: expect.any(String),
      content: [{ type: 'text', text: 'hello' }],
      detail: { stdout: 'hello' },
    })
    expect(results[3]?.detail).toMatchObject({ structuredPatch: [{ lines: [' one', '-two', '+three'] }] })
    const status = session.live[0]
    expect(status).toMatchObject({
      live: true,
      permission_mode: 'bypassPermissions',
      cli_session_id: session.sessionId,
    })
  })

  it('without partial messages', async () => {
    const session = await record({
      script: [[thinking('hm'), text('one'), text('two'), toolUse('Bash', { command: 'echo 1' })], 'ok'],
      options: { includePartialMessages: false },
    })
    agrees(session)
    expect(session.live.filter((event) => event.type === 'text_delta').map(({ index }) => index)).toEqual([
      1, 2, 0,
    ])
  })

  it('a list of todos, with the old tool', async () => {
    const todos = [
      { content: 'one', status: 'in_progress', activeForm: 'doing one' },
      { content: 'two', status: 'pending', activeForm: 'doing two' },
    ]
    const session = await record({
      script: [toolUse('TodoWrite', { todos }), 'ok'],
      options: { model: 'claude-sonnet-4-5' },
      env: { CLAUDE_CODE_ENABLE_TASKS: '0' },
    })
    agrees(session)
    expect(said(session.live).todos).toEqual([
      todos.map(({ activeForm, ...todo }) => ({ ...todo, active_form: activeForm })),
    ])
  })

  it('a list of todos, with the new tools', async () => {
    const session = await record({
      script: [
        [toolUse('TaskCreate', { subject: 'one', description: 'd', activeForm: 'doing one' })],
        [toolUse('TaskCreate', { subject: 'two', description: 'd' })],
        [toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' })],
        [toolUse('TaskUpdate', { taskId: '9', status: 'completed' })],
        [toolUse('TaskList', {})],
        [toolUse('TaskUpdate', { taskId: '2', status: 'deleted' })],
        'ok',
      ],
      options: { tools: ['TaskCreate', 'TaskUpdate', 'TaskList'] },
    })
    agrees(session)
    const { todos } = said(session.live)
    const started = { id: '1', content: 'one', status: 'in_progress', active_form: 'doing one' }
    expect(todos.at(-2)).toEqual([started, { id: '2', content: 'two', status: 'pending' }])
    expect(todos.at(-1)).toEqual([started])
  })

  it('a subagent', async () => {
    const session = await record({
      script: (request) => {
        const hasResult = request.toolResults.length > 0
        if (request.kind === 'subagent')
          return hasResult ? 'sub is done' : [text('sub starts'), toolUse('Bash', { command: 'echo sub' })]
        const input = {
          description: 'do sub',
          prompt: 'sub task',
          subagent_type: 'helper',
          run_in_background: false,
        }
        return hasResult ? 'main is done' : [text('delegating'), toolUse('Task', input)]
      },
      options: { agents: { helper: { description: 'helps', prompt: 'SUB', tools: ['Bash'] } } },
    })
    const [subagent] = session.subagents
    const parent = subagent?.parent as string
    const { sessionId, live, history } = session
    const own = live.filter((event) => !('parent' in event))
    agrees({ ...session, live: own })
    expect(brief(own).filter((line) => !line.startsWith('tool_progress'))).toEqual([
      'status working',
      'text delegating',
      'start Task',
      'end Task',
      'subagent_start',
      'tasks_update',
      'subagent_end',
      'tasks_update',
      'result ok',
      'text main is done',
    ])
    expect(history.find((event) => event.type === 'subagent_start')).toMatchObject({
      tool_call_id: parent,
      agent: 'helper',
      description: 'do sub',
      background: false,
    })
    // The subagent's words are in a file of its own.
    const spoken = mapTranscript(subagent?.entries ?? [], { sessionId, parent })
    expect(said(spoken)).toEqual({ ...said(live.filter((event) => 'parent' in event)) })
    expect(brief(spoken)).toEqual([
      'synthetic "sub task"',
      'text sub starts',
      'start Bash',
      'end Bash',
      'result ok',
      'text sub is done',
    ])
  })

  it('a subagent and a command in the background, which wake the agent', async () => {
    const session = await record({
      script: (request) => {
        if (request.kind === 'subagent') return 'sub is done'
        if (request.newText.includes('task-notification')) return 'I heard of it.'
        const input = { description: 'do sub', prompt: 'sub task', subagent_type: 'helper' }
        return request.toolResults.length > 0 ? 'waiting' : [text('delegating'), toolUse('Task', input)]
      },
      options: { agents: { helper: { description: 'helps', prompt: 'SUB', tools: ['Bash'] } } },
      turns: 2,
    })
    agrees({ ...session, live: session.live.filter((event) => !('parent' in event)) })
    const ends = [session.live, session.history].map((events) =>
      events.find((event) => event.type === 'subagent_end'),
    )
    for (const end of ends) expect(end).toMatchObject({ status: 'completed', summary: 'sub is done' })

    const command = await record({
      script: (request) => {
        if (request.newText.includes('task-notification')) return 'I heard of it.'
        if (request.toolResults.length > 0) return 'waiting'
        return toolUse('Bash', { command: 'sleep 0.3; echo bg', run_in_background: true })
      },
      turns: 2,
    })
    agrees(command)
    for (const events of [command.live, command.history])
      expect(events.findLast((event) => event.type === 'tool_progress')).toMatchObject({
        text: expect.stringContaining('completed (exit code 0)') as string,
      })
  })

  it('a question, a plan and a denial', async () => {
    const questions = [
      {
        question: 'Which?',
        header: 'Pick',
        multiSelect: false,
        options: [
          { label: 'A', description: 'a' },
          { label: 'B', description: 'b' },
        ],
      },
    ]
    const session = await record({
      script: [
        toolUse('AskUserQuestion', { questions }),
        toolUse('ExitPlanMode', { plan: '# Plan' }),
        toolUse('Bash', { command: 'touch x' }),
        'fine',
      ],
      options: {
        permissionMode: 'plan',
        canUseTool: async (name, input) =>
          name === 'Bash'
            ? { behavior: 'deny', message: 'not today' }
            : { behavior: 'allow', updatedInput: { ...input, answers: { 'Which?': 'B' } } },
      },
    })
    agrees(session)
    const results = session.live.filter((event) => event.type === 'tool_result')
    expect(results[0]?.detail).toMatchObject({ answers: { 'Which?': 'B' } })
    expect(results[2]).toMatchObject({ is_error: true, content: [{ type: 'text', text: 'not today' }] })
    expect(
      session.live.filter((event) => event.type === 'session_status').map((event) => event.permission_mode),
    ).toEqual(['plan', 'default'])
  })

  it('an interruption while it speaks, and while a tool runs', async () => {
    const speaking = await record({
      script: [hang({ afterDeltas: 2, blocks: [text('a long answer that never ends at all')] }), 'after'],
      prompts: ['go', 'again'],
      meanwhile: async (session, live) => {
        await until(() => live.filter(isDelta).length > 0)
        await session.interrupt()
      },
    })
    agrees(speaking)
    expect(brief(speaking.live).join('\n')).toContain(
      'synthetic [{"type":"text","text":"[Request interrupted',
    )
    const running = await record({
      script: [[text('running'), toolUse('Bash', { command: slowCommand })], 'after'],
      prompts: ['go', 'again'],
      meanwhile: async (session, live) => {
        await until(() => live.some(isToolUse))
        await session.interrupt()
      },
    })
    agrees(running)
    expect(brief(running.live).filter((line) => line.startsWith('result'))).toEqual(['result error'])
  })

  it('a message that is taken into the running turn', async () => {
    const session = await record({
      script: [[text('work'), toolUse('Bash', { command: 'sleep 0.5; sleep 0.5' })], 'took it in'],
      meanwhile: async (running, live, ids) => {
        await until(() => live.some(isToolUse))
        ids.push(randomUUID())
        await running.send('also this', { uuid: ids.at(-1) as string, priority: 'next' })
      },
    })
    agrees(session)
    const messages = session.history.filter((event) => event.type === 'user_message')
    expect(messages.map(({ message_id, content }) => [message_id, content])).toEqual([
      [session.messageIds[0], 'go'],
      [session.messageIds[1], 'also this'],
    ])
  })

  it('compaction and slash commands', async () => {
    const session = await record({
      script: ['first answer', 'second answer'],
      prompts: ['go', '/compact', '/context', 'again'],
    })
    agrees(session)
    for (const events of [session.live, session.history])
      expect(events.find((event) => event.type === 'compact_boundary')).toMatchObject({
        trigger: 'manual',
        tokens_before: expect.any(Number) as number,
      })
    expect(brief(session.history).filter((line) => line.startsWith('user'))).toEqual([
      'user "go"',
      'user "/compact"',
      'user "/context"',
      'user "again"',
    ])
    const ids = session.history.flatMap((event) =>
      event.type === 'user_message' && !event.synthetic ? [event.message_id] : [],
    )
    expect(ids).toEqual(session.messageIds)
  })

  it('requests that are made again, and one that fails', async () => {
    const retried = await record({ script: [apiError(529), 'after the retry'] })
    agrees(retried)
    expect(retried.live.find((event) => event.type === 'api_retry')).toMatchObject({
      attempt: 1,
      status: 529,
    })

    const broken = await record({
      script: [
        apiError(529, undefined, { afterDeltas: 2, blocks: [text('this answer breaks off here')] }),
        'whole answer',
      ],
    })
    const withdrawn = broken.live.find((event) => event.type === 'blocks_withdrawn')
    const partial = broken.live.find((event) => event.type === 'text_delta')
    expect(withdrawn).toMatchObject({
      blocks: [{ message_id: partial?.message_id, index: 0 }],
    })
    agrees({ ...broken, live: broken.live.filter((event) => event !== partial) })

    const failed = await record({ script: [apiError(403, 'go away', { sticky: true })] })
    agrees(failed)
    expect(brief(failed.live).at(-1)).toMatch(/^text .*go away/)
  })

  it('structured output', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const session = await record({
      script: [toolUse('StructuredOutput', { a: 1 })],
      options: { outputFormat: { type: 'json_schema', schema } },
    })
    agrees(session)
    expect(said(session.live).calls[0]?.[2]).toEqual({ a: 1 })
  })

  it('passes on what hooks do, and drops what other events say', async () => {
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo fine' }] }],
      PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo bad >&2; exit 1' }] }],
    }
    const session = await record({
      script: [toolUse('Bash', { command: 'echo 1' }), 'ok'],
      options: { includeHookEvents: true, settings: { hooks } },
    })
    const reported = (events: readonly NewEvent[]) =>
      events.flatMap((event) =>
        event.type === 'hook_result' ? [[event.hook, event.outcome, event.output]] : [],
      )
    expect(reported(session.live)).toEqual([
      ['PreToolUse:Bash', 'said', 'fine'],
      ['PostToolUse:Bash', 'failed', 'bad'],
    ])
    expect(reported(session.history)).toEqual(reported(session.live))
    expect(session.live.filter(({ type }) => type === 'cli_message')).toEqual([])
  })

  it('as history, with the turns that it had', async () => {
    const session = await record({
      script: ['first', toolUse('Bash', { command: 'echo 1' }), 'second'],
      prompts: ['one', 'two'],
    })
    const turns = session.messageIds.map((id, index) => {
      const said = session.history.find((event) => event.type === 'user_message' && event.message_id === id)
      const next = session.history.find(
        (event) => event.type === 'user_message' && event.message_id === session.messageIds[index + 1],
      )
      const at = said?.time ?? ''
      return {
        id,
        session_id: session.sessionId,
        cause: 'message' as const,
        state: 'ended' as const,
        outcome: 'completed' as const,
        principal: 'owner',
        created_at: at,
        started_at: at,
        ended_at: next?.time ?? session.history.at(-1)?.time ?? '',
      }
    })
    const { sessionId, entries } = session
    const events = buildHistory({ sessionId, entries, turns, approvals: [], first: true })
    for (const event of events) streamEventSchema.parse(event)
    expect(brief(events)).toEqual([
      ...['turn_start', 'user "one"', 'text first', 'turn_end'],
      ...['turn_start', 'user "two"', 'start Bash', 'end Bash', 'result ok', 'text second', 'turn_end'],
    ])
  })
})
