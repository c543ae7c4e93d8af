import { describe, expect, it } from 'vitest'
import { ModelRequest } from '../model-request.ts'
import { type Reply, toReply } from '../reply.ts'
import type { RequestBody, RequestContent, RequestTool } from '../request-body.ts'
import { demoModel } from './demo-model.ts'

const tool = (name: string, properties: object = {}): RequestTool => ({
  name,
  input_schema: { type: 'object', properties },
})

const hostTool = (name: string, properties?: object) => tool(`mcp__dorkos__${name}`, properties)

const TOOLS = [
  ...['Bash', 'Read', 'Write', 'Agent', 'AskUserQuestion', 'ExitPlanMode'].map((name) => tool(name)),
  ...[
    'ping',
    'get_server_info',
    'get_session_count',
    'list_sessions',
    'list_active_sessions',
    'get_config',
  ].map((name) => hostTool(name)),
  ...['get_costs', 'set_config'].map((name) => hostTool(name)),
  hostTool('get_session_details', { session_id: { type: 'string' } }),
]

type Messages = RequestBody['messages']

async function answer(
  messages: Messages | string,
  fields: Partial<RequestBody> = {},
  model = demoModel(),
  headers = {},
): Promise<Reply> {
  const given: Messages = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
  const body = { model: 'claude-test', tools: TOOLS, ...fields, messages: given }
  return toReply(await model(new ModelRequest(body, headers)))
}

const blocksOf = (reply: Reply) => (reply.kind === 'message' ? [...reply.blocks] : [])
const textOf = (reply: Reply) =>
  blocksOf(reply)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
const callOf = (reply: Reply) => {
  const call = blocksOf(reply).find((block) => block.type === 'tool_use')
  return call?.type === 'tool_use' ? [call.name, call.input] : undefined
}

const used = (name: string, input: object = {}): Messages[number] => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name, input }],
})
const gave = (content: string, more: object = {}): Messages[number] => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, ...more }],
})
const says = (content: string | RequestContent[]): Messages[number] => ({ role: 'user', content })

describe('what is said sets off', () => {
  it.each<[string, string, object]>([
    ['ping', 'mcp__dorkos__ping', {}],
    ['Please PING the server', 'mcp__dorkos__ping', {}],
    ['server info', 'mcp__dorkos__get_server_info', {}],
    ['what version is this?', 'mcp__dorkos__get_server_info', {}],
    ['what is your uptime', 'mcp__dorkos__get_server_info', { include_uptime: true }],
    ['how many sessions are there', 'mcp__dorkos__get_session_count', {}],
    ['session count', 'mcp__dorkos__get_session_count', {}],
    ['list sessions', 'mcp__dorkos__list_sessions', {}],
    ['list active sessions', 'mcp__dorkos__list_active_sessions', {}],
    ['session details abc-123', 'mcp__dorkos__get_session_details', { session_id: 'abc-123' }],
    ['details of session abc-123', 'mcp__dorkos__get_session_details', { session_id: 'abc-123' }],
    ['show me the config', 'mcp__dorkos__get_config', {}],
    ['set config limits.idle=30', 'mcp__dorkos__set_config', { key: 'limits.idle', value: 30 }],
    ['set config name = my server', 'mcp__dorkos__set_config', { key: 'name', value: 'my server' }],
    ['costs', 'mcp__dorkos__get_costs', {}],
    ['run ls -la', 'Bash', { command: 'ls -la' }],
    ['Run: git status', 'Bash', { command: 'git status' }],
    ['`echo "a b"`', 'Bash', { command: 'echo "a b"' }],
    ['please run `pwd`.', 'Bash', { command: 'pwd' }],
    ['run\n```sh\necho 1\necho 2\n```', 'Bash', { command: 'echo 1\necho 2' }],
    ["run 'a b' && 'c d'", 'Bash', { command: "'a b' && 'c d'" }],
    ['list files', 'Bash', { command: 'ls -la' }],
    ['What is in this folder?', 'Bash', { command: 'ls -la' }],
    ['read README.md', 'Read', { file_path: 'README.md' }],
    ['read the file "my notes.txt"', 'Read', { file_path: 'my notes.txt' }],
    ['write a/b.txt: one\ntwo', 'Write', { file_path: 'a/b.txt', content: 'one\ntwo' }],
    ['run a subagent', 'Agent', { run_in_background: false }],
    ['ask me something', 'AskUserQuestion', { questions: [{ multiSelect: false }] }],
  ])('%j: %s', async (said, name, input) => {
    expect(callOf(await answer(said))).toMatchObject([name, input])
  })

  it.each([
    'explain what `rm -rf build` does',
    'I read that the sky is blue',
    'they ran away',
    'shopping and mapping',
    `${'a long text about something else entirely. '.repeat(6)} ping, plan, error and a question`,
  ])('nothing: %j', async (said) => {
    const reply = await answer(said)
    expect(callOf(reply)).toBeUndefined()
    expect(textOf(reply)).toContain('You said: “')
  })

  it('a greeting that says what this is', async () => {
    for (const said of ['hello', 'Hi there', 'help', 'What can you do?']) {
      expect(textOf(await answer(said))).toMatch(
        /^Hello! I am DorkOS's demo model: a set of rules, not Claude\./,
      )
    }
  })

  it('only what a person said last, not what the CLI put around it', async () => {
    const messages: Messages = [
      says('ping'),
      { role: 'assistant', content: 'done' },
      says([
        { type: 'text', text: '<system-reminder>plan, error</system-reminder>' },
        { type: 'text', text: '[Request interrupted by user]' },
        { type: 'text', text: 'costs' },
      ]),
      { role: 'system', content: 'Environment: ping' },
    ]
    expect(callOf(await answer(messages))).toEqual(['mcp__dorkos__get_costs', {}])
  })
})

describe('after a stop', () => {
  const rejected = {
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: 'The tool use was rejected',
    is_error: true,
  }
  const stopped = { type: 'text', text: '[Request interrupted by user for tool use]\n' }

  it('what is said next is answered, though it stands in one message with the rejected call', async () => {
    const next = (said: string): Messages => [
      says('ping'),
      used('mcp__dorkos__ping'),
      says([rejected, stopped, { type: 'text', text: said }]),
    ]
    expect(textOf(await answer(next('help')))).toMatch(/^Hello!/)
    expect(callOf(await answer(next('ping')))).toEqual(['mcp__dorkos__ping', {}])
  })

  it('a note of the CLI is still not what a person said', async () => {
    const note = { type: 'text', text: 'costs' }
    const before = await answer([says('ping'), used('mcp__dorkos__ping'), says([rejected, note])])
    expect(textOf(before)).toContain('`mcp__dorkos__ping` was denied')
    const after = await answer([says('ping'), used('mcp__dorkos__ping'), says([rejected, note, stopped])])
    expect(callOf(after)).toBeUndefined()
  })
})

describe('a plan', () => {
  const tools = [tool('TodoWrite'), tool('ExitPlanMode')]
  const planMode: Messages[number] = { role: 'system', content: 'Plan mode is active.' }

  it('is one to approve in plan mode only; elsewhere a list, and how to get a plan', async () => {
    expect(callOf(await answer([says('plan'), planMode], { tools }))?.[0]).toBe('ExitPlanMode')
    const elsewhere = await answer('plan', { tools })
    expect(callOf(elsewhere)?.[0]).toBe('TodoWrite')
    expect(textOf(elsewhere)).toMatch(/^This session is not in plan mode/)
    const going = await answer([says('plan'), used('TodoWrite'), gave('ok')], { tools })
    expect(textOf(going)).not.toContain('plan mode')
  })

  it('is no part of a to-do list', async () => {
    const list = await answer('to-do list', { tools })
    expect(callOf(list)?.[0]).toBe('TodoWrite')
    expect(textOf(list)).toMatch(/^I make a to-do list/)
  })
})

describe('a result', () => {
  it('is quoted, whatever fences are in it', async () => {
    const reply = await answer([says('run cat x'), used('Bash'), gave('```\nls\n```')])
    expect(textOf(reply)).toBe('The command printed:\n\n````\n```\nls\n```\n````')
  })

  it('without output, and one of any length, makes a sentence', async () => {
    expect(textOf(await answer([says('run true'), used('Bash'), gave('')]))).toBe(
      '`Bash` ended without any output.',
    )
    const long = textOf(await answer([says('run x'), used('Bash'), gave('x'.repeat(100_000))]))
    expect(long.length).toBeLessThan(5_000)
    expect(long).toContain('… (96000 more characters)')
  })

  it('is read without the reminder that the CLI adds', async () => {
    const text = 'out\n\n<system-reminder>\n5 tokens left\n</system-reminder>'
    expect(textOf(await answer([says('run x'), used('Bash'), gave(text)]))).toBe(
      'The command printed:\n\n```\nout\n```',
    )
  })

  it.each([
    ['Bash', 'Only on Tuesdays.', '`Bash` was denied, so I stop here.'],
    ['Bash', 'Exit code 2', 'The command ran and failed with exit code 2. It printed nothing.'],
    ['Bash', '<tool_use_error>No such tool</tool_use_error>', '`Bash` refused the call:'],
    ['mcp__dorkos__ping', 'The user denied this tool call.', '`mcp__dorkos__ping` was denied'],
    ['mcp__dorkos__ping', '{"error":"no disk"}', '`mcp__dorkos__ping` did not work'],
    ['Read', 'File does not exist.', '`Read` did not work'],
  ])('of %s that is the error %j is reported as one', async (name, text, shown) => {
    const said = { Bash: 'run x', Read: 'read x' }[name] ?? 'ping'
    const reply = await answer([says(said), used(name), gave(text, { is_error: true })])
    expect(textOf(reply)).toContain(shown)
    expect(callOf(reply)).toBeUndefined()
  })

  it('comes first where the person spoke up meanwhile, and then what they said', async () => {
    const note =
      'The user sent a new message while you were working:\nping\n\nThis is how Claude Code surfaces …'
    const messages: Messages = [
      says('run sleep 1'),
      used('Bash'),
      gave('slept'),
      { role: 'system', content: note },
    ]
    const reply = await answer(messages)
    expect(textOf(reply)).toMatch(/`Bash` answered:\n\n```\nslept\n```\n\nMeanwhile you said: “ping”/)
    expect(callOf(reply)).toEqual(['mcp__dorkos__ping', {}])
    const then: Messages = [
      ...messages,
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_2', name: 'mcp__dorkos__ping', input: {} }],
      },
      says([{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'pong' }]),
    ]
    expect(textOf(await answer(then))).toBe('DorkOS answered the ping:\n\n```\npong\n```')
  })
})

describe('an error on demand', () => {
  it('comes once for each time it is asked for, session by session', async () => {
    const model = demoModel()
    const kinds = async (session: string, times: number) => {
      const seen = []
      for (let n = 0; n < times; n++) {
        const headers = { 'x-claude-code-session-id': session }
        seen.push((await answer('error', {}, model, headers)).kind)
      }
      return seen
    }
    expect(await kinds('a', 1)).toEqual(['error'])
    expect(await kinds('b', 2)).toEqual(['error', 'message'])
    expect(await kinds('a', 2)).toEqual(['message', 'error'])
  })
})

describe('structured output', () => {
  const properties = {
    name: { type: 'string' },
    next: { $ref: '#/$defs/node' },
    choice: { anyOf: [{ const: 7 }, { type: 'null' }] },
    when: { type: 'string', format: 'date-time' },
    steps: { type: 'number', exclusiveMinimum: 50, multipleOf: 5 },
  }
  const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }
  const tools = [
    { name: 'StructuredOutput', input_schema: { type: 'object', properties, required: ['name'], $defs } },
    hostTool('ping'),
  ]

  it('is filled in, a schema that holds itself too', async () => {
    const [name, input] = callOf(await answer('anything', { tools })) ?? []
    expect(name).toBe('StructuredOutput')
    expect(input).toMatchObject({
      name: 'Demo name',
      choice: 7,
      when: '2026-01-01T00:00:00Z',
      steps: 55,
      next: {},
    })
    expect(JSON.stringify(input).length).toBeLessThan(500)
  })

  it('comes after the work, and once', async () => {
    expect(callOf(await answer('ping', { tools }))?.[0]).toBe('mcp__dorkos__ping')
    const done: Messages = [says('ping'), used('mcp__dorkos__ping'), gave('pong')]
    expect(callOf(await answer(done, { tools }))?.[0]).toBe('StructuredOutput')
    const refused: Messages = [
      says('ping'),
      used('StructuredOutput'),
      gave('does not match', { is_error: true }),
    ]
    expect(callOf(await answer(refused, { tools }))).toBeUndefined()
  })
})

describe('a question of the CLI itself', () => {
  const CLI = { 'user-agent': 'claude-cli/2.1.325 (external, sdk-cli)' }
  const format = {
    type: 'json_schema',
    schema: { type: 'object', properties: { title: { type: 'string' } } },
  }

  it('for a title gets the first words', async () => {
    const text = '<session>\nfix the login bug in the billing service\n</session>\n\nWrite the title …'
    const reply = await answer(text, { tools: [], output_config: { format } }, demoModel(), CLI)
    expect(JSON.parse(textOf(reply))).toEqual({ title: 'Fix the login bug in the' })
  })

  it('for a summary gets one in the tags it wants', async () => {
    const messages: Messages = [
      says([{ type: 'text', text: 'ping', cache_control: {} }]),
      { role: 'assistant', content: 'pong' },
      says('Summarise in <summary> tags'),
    ]
    const reply = await answer(messages, {}, demoModel(), CLI)
    expect(textOf(reply)).toMatch(/^<summary>DorkOS's demo model.*“ping”<\/summary>$/)
  })
})

it('survives messages of any shape', async () => {
  const junk = [
    { role: 'user', content: null },
    { role: 'user', content: [null, 7, { type: 'tool_result' }, { type: 'text', text: 7 }] },
    { role: 'assistant', content: [{ type: 'tool_use' }] },
    { role: 'assistant', content: 7 },
  ] as unknown as Messages
  expect(textOf(await answer(junk))).toContain('I got an empty message.')
})

describe('any other tool', () => {
  const tools = [tool('mcp__tools__greet'), tool('mcp__my-files__read_text')]

  it.each([
    ['call tools greet {"name": "Ada"}', 'mcp__tools__greet', { name: 'Ada' }],
    ['Please call mcp__tools__greet', 'mcp__tools__greet', {}],
    ['call my-files read_text {"path": "a b.txt"}', 'mcp__my-files__read_text', { path: 'a b.txt' }],
  ])('%s', async (said, name, input) => {
    expect(callOf(await answer(said, { tools }))).toEqual([name, input])
  })

  it('says what is wrong with the call', async () => {
    expect(textOf(await answer('call tools greet {"name": }', { tools }))).toContain('in JSON')
    expect(textOf(await answer('call tools wave', { tools }))).toContain('does not offer it')
  })
})
