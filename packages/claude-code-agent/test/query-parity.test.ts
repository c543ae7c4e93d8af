/** One program, two imports: with the official SDK and with ours it sees the same, and so does the model. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError, type ModelRequest, type Step, text, thinking, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Options } from './support/both-sdks.ts'
import { mailbox, said } from './support/mailbox.ts'
import type { Run } from './support/observe.ts'
import { endings, expectSame, observeBoth, ofType } from './support/parity.ts'

const stdioServer = fileURLToPath(new URL('./support/stdio-server.mjs', import.meta.url))
const normally = [{ ended: 'normally' }]

/** One conversation: each prompt is said when the answer to the one before is there. */
function converse({ query }: Run, prompts: string[], options: Options) {
  const { post, messages } = mailbox()
  const next = () => {
    const prompt = prompts.shift()
    post(prompt === undefined ? undefined : said(prompt))
  }
  next()
  return query(messages(), options, (message) => message.type === 'result' && next())
}

/** What the model does at a prompt; it says 'Done.' to what comes of that. */
const calling =
  (calls: (prompt: string) => Step): (() => (request: ModelRequest) => Step) =>
  () =>
  ({ toolResults, lastUserText }) =>
    toolResults.length > 0 ? 'Done.' : calls(lastUserText)

function calculator({ sdk, note }: Run): Options {
  const add = sdk.tool('add', 'Adds', { a: z.number(), b: z.number() }, async ({ a, b }) => {
    note({ handler: 'add', a, b })
    return { content: [{ type: 'text', text: `${a + b}` }] }
  })
  const fail = sdk.tool('fail', 'Fails', {}, async () => {
    throw new Error('It broke.')
  })
  const calc = sdk.createSdkMcpServer({ name: 'calculator', version: '1.0.0', tools: [add, fail] })
  return { mcpServers: { calc }, allowedTools: ['mcp__calc__add', 'mcp__calc__fail'] }
}

describe('tools', () => {
  it('in process, of an external server and of a subagent, with partial messages', async () => {
    const task = { subagent_type: 'helper', description: 'help', prompt: 'Help!', run_in_background: false }
    const steps: Record<string, Step> = {
      Add: [thinking('hm'), text('I add.'), toolUse('mcp__calc__add', { a: 1, b: 2 })],
      Fail: toolUse('mcp__calc__fail', {}),
      Greet: toolUse('mcp__greeter__greet', { name: 'Ada' }),
      Delegate: toolUse('Agent', task),
      'Help!': toolUse('Bash', { command: 'echo from the helper' }),
    }
    const seen = await expectSame(
      calling((prompt) => steps[prompt] ?? `What is ${prompt}?`),
      (run) => {
        const { mcpServers, allowedTools } = calculator(run)
        const greeter = { command: process.execPath, args: [stdioServer], env: { GREETING: 'Servus' } }
        return converse(run, ['Add', 'Fail', 'Greet', 'Delegate'], {
          mcpServers: { ...mcpServers, greeter },
          allowedTools: [...(allowedTools ?? []), 'mcp__greeter', 'Bash(echo:*)', 'Agent'],
          agents: { helper: { description: 'Helps', prompt: 'You help.', tools: ['Bash'] } },
          forwardSubagentText: true,
          includePartialMessages: true,
        })
      },
    )
    expect(seen.notes).toEqual([{ handler: 'add', a: 1, b: 2 }])
    expect(ofType(seen, 'result')).toMatchObject(
      [2, 2, 2, 2].map((num_turns) => ({ subtype: 'success', result: 'Done.', num_turns })),
    )
    const results = ofType(seen, 'user')
    expect(results[1]).toMatchObject({ content: [{ isError: true }] })
    expect(JSON.stringify(results[1])).toContain('It broke.')
    expect(results[2]).toMatchObject({ content: [{ result: ['Servus, Ada'] }] })
    expect(JSON.stringify(results)).toContain('from the helper')
    expect(seen.requests[0]).toMatchObject({ toolNames: expect.arrayContaining(['mcp__greeter__greet']) })
    expect(ofType(seen, 'assistant').some(({ subagent }) => subagent === true)).toBe(true)
    expect(seen.requests.some((request) => (request as { kind: string }).kind === 'subagent')).toBe(true)
    const deltas = ofType(seen, 'stream_event').map(({ delta }) => (delta as { text?: string })?.text ?? '')
    expect(deltas.join('')).toMatch(/^I add\.Done\./)
    expect(endings(seen)).toEqual(normally)
  })

  it('arguments that do not fit: the same, but that ours names the field in its own words', async () => {
    const { theirs, own } = await observeBoth(
      () => [toolUse('mcp__calc__add', { a: 'one', b: 2 }), 'Sorry.'],
      (run) => run.query('Add', calculator(run)),
    )
    for (const seen of [theirs, own]) {
      expect(seen.notes).toEqual([])
      expect(ofType(seen, 'user')).toMatchObject([{ content: [{ isError: true }] }])
      expect(endings(seen)).toEqual(normally)
    }
    expect(JSON.stringify(ofType(own, 'user'))).toMatch(/\ba\b/)
  })
})

describe('permissions and hooks', () => {
  const script = calling((prompt) => toolUse('Write', { file_path: prompt, content: 'x' }))

  it('without anybody to ask, a tool is denied', async () => {
    const seen = await expectSame(script, ({ query, offline }) => query(join(offline.cwd, 'a.txt')))
    expect(ofType(seen, 'result')).toMatchObject([{ permission_denials: [{ tool_name: 'Write' }] }])
  })

  it('canUseTool allows with another input, and denies; hooks see a tool before and after it runs', async () => {
    const seen = await expectSame(
      calling((prompt) =>
        prompt.startsWith('/')
          ? toolUse('Write', { file_path: prompt, content: 'x' })
          : toolUse('Bash', { command: prompt }),
      ),
      async (run) => {
        const { note, offline } = run
        const answers = [
          {
            behavior: 'allow' as const,
            updatedInput: { file_path: join(offline.cwd, 'b.txt'), content: 'x' },
          },
          { behavior: 'deny' as const, message: 'Not today.' },
        ]
        const hook = async (input: object, toolUseId: string | undefined) => {
          const { hook_event_name, tool_name, tool_input, tool_response } = input as Record<string, unknown>
          note({ hook_event_name, tool_name, tool_input, tool_response, toolUseId })
          if (hook_event_name !== 'PreToolUse') return {}
          const denied = JSON.stringify(tool_input).includes('two')
          return {
            hookSpecificOutput: {
              hookEventName: 'PreToolUse' as const,
              permissionDecision: denied ? ('deny' as const) : ('allow' as const),
              permissionDecisionReason: 'only one',
            },
          }
        }
        const files = [join(offline.cwd, 'a.txt'), join(offline.cwd, 'c.txt')]
        await converse(run, [...files, 'echo one', 'echo two'], {
          canUseTool: async (name, input, { signal, suggestions, toolUseID, blockedPath }) => {
            note({ name, input, suggestions, toolUseID, blockedPath, aborted: signal.aborted })
            return answers.shift() ?? { behavior: 'deny', message: 'Asked once more.' }
          },
          hooks: {
            PreToolUse: [{ matcher: 'Bash', hooks: [hook] }],
            PostToolUse: [{ matcher: 'Bash', hooks: [hook] }],
          },
        })
        note(await readdir(offline.cwd))
      },
    )
    expect(seen.notes).toMatchObject([
      { name: 'Write', aborted: false },
      { name: 'Write', aborted: false },
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'one' } },
      { hook_event_name: 'PreToolUse' },
      ['b.txt'],
    ])
    expect(JSON.stringify(ofType(seen, 'user')[1])).toContain('Not today.')
    expect(ofType(seen, 'result')[1]).toMatchObject({ permission_denials: [{ tool_name: 'Write' }] })
  })

  it('permissionPrompts none denies at once', async () => {
    const seen = await expectSame(script, ({ query, note, offline }) =>
      query(join(offline.cwd, 'a.txt'), {
        permissionPrompts: 'none',
        canUseTool: async () => {
          note('asked')
          return { behavior: 'allow' }
        },
      }),
    )
    expect(seen.notes).toEqual([])
    expect(ofType(seen, 'user')).toMatchObject([{ content: [{ isError: true }] }])
  })
})

describe('conversations', () => {
  const echo = () => (request: ModelRequest) => `You said ${request.lastUserText}.`

  it('sessionId, persistSession, continue, also with nothing to continue, resume and forkSession', {
    timeout: 120_000,
  }, async () => {
    const id = '3fed43ec-5170-44ee-b476-f97131ba8614'
    const seen = await expectSame(echo, async ({ query, note, offline }) => {
      await query('one', { sessionId: id, persistSession: false })
      note(await readdir(join(offline.configDir, 'projects')).catch(() => []))
      const two = await query('two', { continue: true })
      const resume = two.at(-1)?.session_id as string
      await query('three', { resume })
      await query('four', { resume, forkSession: true })
      await query('five', { continue: true })
    })
    expect(seen.notes).toEqual([[]])
    const [one, two, three, four, five] = ofType(seen, 'result').map(({ session_id }) => session_id)
    expect(new Set([one, two, four]).size).toBe(3)
    expect(three).toBe(two)
    expect(five).toBe(four)
    expect(JSON.stringify(seen.requests[1])).not.toContain('You said one.')
    expect(JSON.stringify(seen.requests[2])).toContain('You said two.')
    expect(JSON.stringify(seen.requests[4])).toContain('You said four.')
  })

  it('resume of a session that does not exist: both throw, ours a SessionNotFoundError', async () => {
    const { theirs, own } = await observeBoth(echo, ({ query }) =>
      query('one', { resume: '3fed43ec-5170-44ee-b476-f97131ba8614' }),
    )
    expect(endings(theirs)).toEqual([{ threw: 'an error' }])
    expect(endings(own)).toEqual([{ threw: 'an error' }])
  })
})

/** That every form of an option is launched alike is in `argv-parity.test.ts`. */
describe('what the model gets', () => {
  it.each<[string, Options, string, string[]]>([
    [
      'a text, and tools of its own',
      { systemPrompt: 'You are terse.', tools: ['Read', 'Bash'] },
      'You are terse.',
      ['Bash', 'Read'],
    ],
    ['blocks, and no tools', { systemPrompt: ['You are terse.', 'Very.'], tools: [] }, 'Very.', []],
    [
      'more than the preset, and tools taken away',
      {
        systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Answer in verse.' },
        tools: ['Read', 'Bash', 'WebFetch'],
        disallowedTools: ['Bash', 'WebFetch'],
      },
      'Answer in verse.',
      ['Read'],
    ],
  ])('system prompt and tools: %s', async (_, options, system, tools) => {
    const seen = await expectSame(
      () => ['hi'],
      ({ query }) => query('go', options),
    )
    expect(seen.requests).toMatchObject([{ system: expect.stringContaining(system) }])
    expect(ofType(seen, 'system')[0]?.tools).toEqual(tools)
  })

  it('model, and output in a given form', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const seen = await expectSame(
      () => [toolUse('StructuredOutput', { sum: 3 }), 'never asked for'],
      ({ query }) =>
        query('go', { model: 'claude-haiku-4-5', outputFormat: { type: 'json_schema', schema } }),
    )
    expect(ofType(seen, 'result')).toMatchObject([{ structured_output: { sum: 3 } }])
    expect(seen.requests[0]).toMatchObject({ model: expect.stringContaining('haiku') })
  })

  it('cwd and additionalDirectories, and env, which replaces the environment of the program', async () => {
    process.env.PARITY_OF_THE_PROGRAM = 'leaked'
    try {
      const command = 'pwd; echo "[$PARITY_OF_THE_PROGRAM][$PARITY_OPTION]"'
      const seen = await expectSame(
        calling((folder) => [
          toolUse('Bash', { command }),
          toolUse('Read', { file_path: join(folder, 'a.txt') }),
        ]),
        async ({ query, offline }) => {
          const [inside, outside] = [join(offline.home, 'inside'), join(offline.home, 'outside')]
          for (const folder of [inside, outside]) await mkdir(folder)
          await writeFile(join(outside, 'a.txt'), 'from outside')
          const options = { cwd: inside, allowedTools: ['Bash'] }
          await query(outside, { ...options, additionalDirectories: [outside] })
          await query(outside, { ...options, env: { ...offline.env, PARITY_OPTION: 'given' } })
        },
      )
      const results = JSON.stringify(ofType(seen, 'user'))
      expect(results).toContain('~home/inside')
      expect(results.match(/from outside/g)).toHaveLength(1)
      expect(results).toContain('[][]')
      expect(results).toContain('[][given]')
    } finally {
      delete process.env.PARITY_OF_THE_PROGRAM
    }
  })
})

describe('limits and errors', () => {
  it('maxTurns: an error result, then the iteration throws', async () => {
    const seen = await expectSame(
      () => [toolUse('Bash', { command: 'echo 1' }), toolUse('Bash', { command: 'echo 2' }), 'never'],
      ({ query }) => query('go', { maxTurns: 2, allowedTools: ['Bash'] }),
    )
    expect(ofType(seen, 'result')).toMatchObject([{ subtype: 'error_max_turns', is_error: true }])
    expect(endings(seen)).toEqual([{ threw: 'an error' }])
  })

  it('maxBudgetUsd: an error result, then the iteration throws', async () => {
    const seen = await expectSame(
      () => [toolUse('Bash', { command: 'echo 1' }), toolUse('Bash', { command: 'echo 2' }), 'never'],
      ({ query }) => query('go', { maxBudgetUsd: 0.000001, allowedTools: ['Bash'] }),
    )
    expect(ofType(seen, 'result')).toMatchObject([{ subtype: 'error_max_budget_usd', is_error: true }])
    expect(endings(seen)).toEqual([{ threw: 'an error' }])
  })

  it('an API error 400: reported as a message and a result, then the iteration throws', async () => {
    const seen = await expectSame(
      () => [apiError(400, 'No such thing', { sticky: true })],
      ({ query }) => query('go'),
    )
    expect(ofType(seen, 'result')).toMatchObject([{ subtype: 'success', is_error: true }])
    expect(endings(seen)).toEqual([{ threw: 'an error' }])
  })
})
