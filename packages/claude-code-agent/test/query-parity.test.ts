/** One program, two imports: with the official SDK and with ours it sees the same, and so does the model. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError, type ModelRequest, text, thinking, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Options } from './support/both-sdks.ts'
import type { Run } from './support/observe.ts'
import { endings, expectSame, observeBoth, ofType } from './support/parity.ts'

const stdioServer = fileURLToPath(new URL('./support/stdio-server.mjs', import.meta.url))
const normally = [{ ended: 'normally' }]

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
  it('in process, with a zod shape', async () => {
    const seen = await expectSame(
      () => [[thinking('hm'), text('I add.'), toolUse('mcp__calc__add', { a: 1, b: 2 })], 'It is 3.'],
      (run) => run.query('Add', calculator(run)),
    )
    expect(seen.notes).toEqual([{ handler: 'add', a: 1, b: 2 }])
    expect(ofType(seen, 'result')).toMatchObject([{ subtype: 'success', result: 'It is 3.', num_turns: 2 }])
    expect(endings(seen)).toEqual(normally)
  })

  it('a handler that throws', async () => {
    const seen = await expectSame(
      () => [toolUse('mcp__calc__fail', {}), 'Sorry.'],
      (run) => run.query('Fail', calculator(run)),
    )
    expect(ofType(seen, 'user')).toMatchObject([{ content: [{ isError: true }] }])
    expect(JSON.stringify(ofType(seen, 'user'))).toContain('It broke.')
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

  it('of an external stdio server', async () => {
    const seen = await expectSame(
      () => [toolUse('mcp__greeter__greet', { name: 'Ada' }), 'Done.'],
      ({ query }) =>
        query('Greet', {
          mcpServers: {
            greeter: { command: process.execPath, args: [stdioServer], env: { GREETING: 'Servus' } },
          },
          allowedTools: ['mcp__greeter'],
        }),
    )
    expect(ofType(seen, 'user')).toMatchObject([{ content: [{ result: ['Servus, Ada'] }] }])
    expect(seen.requests[0]).toMatchObject({ toolNames: expect.arrayContaining(['mcp__greeter__greet']) })
  })

  it('tools and disallowedTools decide what there is', async () => {
    const seen = await expectSame(
      () => ['one', 'two', 'three'],
      async ({ query }) => {
        await query('a', { tools: ['Read', 'Bash'] })
        await query('b', { tools: [] })
        await query('c', { disallowedTools: ['Bash', 'WebFetch'] })
      },
    )
    expect(ofType(seen, 'system').map(({ tools }) => tools)).toMatchObject([['Bash', 'Read'], [], {}])
    expect(ofType(seen, 'system')[2]?.tools).not.toContain('Bash')
  })
})

describe('permissions and hooks', () => {
  const write = (name: string) => toolUse('Write', { file_path: name, content: 'x' })
  const script = () => (request: ModelRequest) => {
    if (request.toolResults.length > 0) return 'Done.'
    return write(request.lastUserText)
  }

  it('without anybody to ask, a tool is denied', async () => {
    const seen = await expectSame(script, ({ query, offline }) => query(join(offline.cwd, 'a.txt')))
    expect(ofType(seen, 'result')).toMatchObject([{ permission_denials: [{ tool_name: 'Write' }] }])
  })

  it('canUseTool allows, with another input', async () => {
    const seen = await expectSame(script, ({ query, note, offline }) =>
      query(join(offline.cwd, 'a.txt'), {
        canUseTool: async (name, input, { signal, suggestions, toolUseID, blockedPath }) => {
          note({ name, input, suggestions, toolUseID, blockedPath, aborted: signal.aborted })
          return { behavior: 'allow', updatedInput: { ...input, file_path: join(offline.cwd, 'b.txt') } }
        },
      }).then(async () => note(await readdir(offline.cwd))),
    )
    expect(seen.notes).toMatchObject([{ name: 'Write', aborted: false }, ['b.txt']])
  })

  it('canUseTool denies', async () => {
    const seen = await expectSame(script, ({ query, offline }) =>
      query(join(offline.cwd, 'a.txt'), {
        canUseTool: async () => ({ behavior: 'deny', message: 'Not today.' }),
      }),
    )
    expect(JSON.stringify(ofType(seen, 'user'))).toContain('Not today.')
    expect(ofType(seen, 'result')).toMatchObject([{ permission_denials: [{ tool_name: 'Write' }] }])
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

  it('hooks see a tool before and after it runs', async () => {
    const seen = await expectSame(
      () => [toolUse('Bash', { command: 'echo one' }), toolUse('Bash', { command: 'echo two' }), 'Done.'],
      ({ query, note }) => {
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
        return query('Run', {
          hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }], PostToolUse: [{ hooks: [hook] }] },
        })
      },
    )
    expect(seen.notes).toMatchObject([
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'one' } },
      { hook_event_name: 'PreToolUse' },
    ])
  })
})

describe('conversations', () => {
  const echo = () => (request: ModelRequest) => `You said ${request.lastUserText}.`

  it('sessionId, resume, forkSession and continue', async () => {
    const id = '3fed43ec-5170-44ee-b476-f97131ba8614'
    const seen = await expectSame(echo, async ({ query }) => {
      await query('one', { sessionId: id })
      await query('two', { resume: id })
      await query('three', { resume: id, forkSession: true })
      await query('four', { continue: true })
    })
    const sessions = ofType(seen, 'result').map(({ session_id }) => session_id)
    expect(sessions[1]).toBe(sessions[0])
    expect(sessions[2]).not.toBe(sessions[0])
    expect(sessions[3]).toBe(sessions[2])
    expect(JSON.stringify(seen.requests[3])).toContain('You said three.')
  })

  it('continue with nothing to continue starts anew', async () => {
    const seen = await expectSame(echo, ({ query }) => query('one', { continue: true }))
    expect(ofType(seen, 'result')).toMatchObject([{ result: 'You said one.' }])
  })

  it('persistSession: false leaves nothing to resume', async () => {
    const seen = await expectSame(echo, async ({ query, note, offline }) => {
      await query('one', { persistSession: false })
      note(await readdir(join(offline.configDir, 'projects')).catch(() => []))
    })
    expect(seen.notes).toEqual([[]])
  })

  it('resume of a session that does not exist: both throw, ours a SessionNotFoundError', async () => {
    const { theirs, own } = await observeBoth(echo, ({ query }) =>
      query('one', { resume: '3fed43ec-5170-44ee-b476-f97131ba8614' }),
    )
    expect(endings(theirs)).toEqual([{ threw: 'an error' }])
    expect(endings(own)).toEqual([{ threw: 'an error' }])
  })
})

describe('what the model is told', () => {
  it.each<[string, Options]>([
    ['no system prompt', {}],
    ['a text', { systemPrompt: 'You are terse.' }],
    ['blocks', { systemPrompt: ['You are terse.', 'Very.'] }],
    ['the preset', { systemPrompt: { type: 'preset', preset: 'claude_code' } }],
    ['more', { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Answer in verse.' } }],
  ])('systemPrompt: %s', async (_, options) => {
    const seen = await expectSame(
      () => ['hi'],
      ({ query }) => query('go', options),
    )
    expect(seen.requests).toHaveLength(1)
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

  it('agents: a subagent’s part is told as its own', async () => {
    const task = { subagent_type: 'helper', description: 'help', prompt: 'Help!', run_in_background: false }
    const seen = await expectSame(
      () => (request) => {
        if (request.kind === 'subagent')
          return request.toolResults.length > 0
            ? 'Helped.'
            : toolUse('Bash', { command: 'echo from the helper' })
        return request.toolResults.length > 0 ? 'Done.' : toolUse('Agent', task)
      },
      ({ query }) =>
        query('go', {
          agents: { helper: { description: 'Helps', prompt: 'You help.', tools: ['Bash'] } },
          allowedTools: ['Bash(echo:*)', 'Agent'],
          forwardSubagentText: true,
        }),
    )
    expect(ofType(seen, 'assistant').some(({ subagent }) => subagent === true)).toBe(true)
    expect(seen.requests.some((request) => (request as { kind: string }).kind === 'subagent')).toBe(true)
  })

  it('cwd and additionalDirectories', async () => {
    const seen = await expectSame(
      () => (request) =>
        request.toolResults.length > 0
          ? 'Done.'
          : [
              toolUse('Bash', { command: 'pwd' }),
              toolUse('Read', { file_path: join(request.lastUserText, 'a.txt') }),
            ],
      async ({ query, offline }) => {
        const [inside, outside] = [join(offline.home, 'inside'), join(offline.home, 'outside')]
        for (const folder of [inside, outside]) await mkdir(folder)
        await writeFile(join(outside, 'a.txt'), 'from outside')
        await query(outside, { cwd: inside, additionalDirectories: [outside] })
        await query(outside, { cwd: inside })
      },
    )
    const results = JSON.stringify(ofType(seen, 'user'))
    expect(results).toContain('~home/inside')
    expect(results.match(/from outside/g)).toHaveLength(1)
  })

  it('env replaces the environment of the program', async () => {
    process.env.PARITY_OF_THE_PROGRAM = 'leaked'
    try {
      const command = 'echo "[$PARITY_OF_THE_PROGRAM][$PARITY_OPTION]"'
      const seen = await expectSame(
        () => [toolUse('Bash', { command }), 'Done.'],
        ({ query, offline }) =>
          query('go', { env: { ...offline.env, PARITY_OPTION: 'given' }, allowedTools: ['Bash'] }),
      )
      expect(ofType(seen, 'user')).toMatchObject([{ content: [{ result: ['[][given]'] }] }])
    } finally {
      delete process.env.PARITY_OF_THE_PROGRAM
    }
  })
})

describe('partial messages', () => {
  it('come with includePartialMessages', async () => {
    const seen = await expectSame(
      () => [[thinking('hm'), text('Hello'), toolUse('Bash', { command: 'echo 1' })], 'Done.'],
      ({ query }) => query('go', { includePartialMessages: true, allowedTools: ['Bash'] }),
    )
    const deltas = ofType(seen, 'stream_event').map(({ delta }) => (delta as { text?: string })?.text ?? '')
    expect(deltas.join('')).toBe('HelloDone.')
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

  it('an API error 400: told as a message and a result, then the iteration throws', async () => {
    const seen = await expectSame(
      () => [apiError(400, 'No such thing', { sticky: true })],
      ({ query }) => query('go'),
    )
    expect(ofType(seen, 'result')).toMatchObject([{ subtype: 'success', is_error: true }])
    expect(endings(seen)).toEqual([{ threw: 'an error' }])
  })
})
