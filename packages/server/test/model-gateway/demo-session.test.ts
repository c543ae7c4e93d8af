import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CanUseToolCallback } from 'claude-code-agent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayFixture, startGateway } from './gateway-fixture.ts'
import {
  type CliSession,
  type GatewaySessionOptions,
  openOnCli,
  pingServer,
  runOnCli,
} from './gateway-session.ts'

let shared: { fixture: GatewayFixture; session: CliSession }
beforeAll(async () => {
  const fixture = await startGateway([], { demo: true })
  shared = { fixture, session: await openOnCli(fixture) }
})
afterAll(async () => {
  await shared?.session[Symbol.asyncDispose]()
  await shared?.fixture[Symbol.asyncDispose]()
})

/** One message to the demo session that cases share. A real model is behind the gateway too, and must never be asked. */
async function demo(prompt: string, canUseTool?: CanUseToolCallback) {
  const { fixture, session } = shared
  const before = { asked: fixture.asked.length, seen: fixture.seen.length }
  const run = await session.run(prompt, canUseTool)
  expect(fixture.model.requests).toEqual([])
  const seen = fixture.seen.slice(before.seen)
  expect(seen.length).toBeGreaterThan(0)
  return { ...run, calls: fixture.asked.length - before.asked, seen }
}

/** The same in a session of its own, with these options. */
async function demoWith(options: GatewaySessionOptions, prompt: string) {
  await using fixture = await startGateway([], { demo: true })
  const run = await runOnCli(fixture, prompt, options)
  expect(fixture.model.requests).toEqual([])
  expect(fixture.seen.length).toBeGreaterThan(0)
  return run
}

const allow: CanUseToolCallback = () => ({ behavior: 'allow' })

describe('the demo model on the real CLI', () => {
  it('says what it is to whatever it does not know, and moves the meters', async () => {
    const { text, result } = await demo('Compare Kant and Hegel.')
    expect(text).toContain('You said: “Compare Kant and Hegel.”')
    expect(text).toContain("I am DorkOS's demo model: a set of rules, not Claude.")
    expect(result.outcome).toBe('completed')
    expect(result.stats.usage).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    })
  })

  it.each([false, true])('calls an injected tool, with tool search: %s', async (toolSearch) => {
    const asked: string[] = []
    const canUseTool: CanUseToolCallback = (name) => {
      asked.push(name)
      return { behavior: 'allow' }
    }
    const { text } = await demoWith({ mcpServers: { dorkos: pingServer() }, canUseTool, toolSearch }, 'ping')
    expect(asked).toContain('mcp__dorkos__ping')
    expect(text).toMatch(/DorkOS answered the ping:\n\n```\n\{\n {2}"status": "pong"\n\}\n```/)
  })

  it('says so where a tool is not offered', async () => {
    const { text, calls } = await demo('ping')
    expect(text).toContain('this session does not offer it')
    expect(calls).toBe(1)
  })

  it('runs a command once it is approved', async () => {
    const asked: unknown[] = []
    const canUseTool: CanUseToolCallback = (name, input) => {
      asked.push([name, input.command])
      return { behavior: 'allow' }
    }
    const { cwd, text } = await demo('run echo hi > made.txt && cat made.txt', canUseTool)
    expect(asked).toEqual([['Bash', 'echo hi > made.txt && cat made.txt']])
    expect(await readFile(join(cwd, 'made.txt'), 'utf8')).toBe('hi\n')
    expect(text).toContain('The command printed:\n\n```\nhi\n```')
  })

  it('says that a command was denied, and why, and stops', async () => {
    const canUseTool: CanUseToolCallback = () => ({ behavior: 'deny', message: 'Only on Tuesdays.' })
    const { cwd, text, result } = await demo('`touch denied.txt`', canUseTool)
    expect(existsSync(join(cwd, 'denied.txt'))).toBe(false)
    expect(text).toContain(
      '`Bash` was denied, so I stop here. The reason given:\n\n```\nOnly on Tuesdays.\n```',
    )
    expect(result.outcome).toBe('completed')
  })

  it('answers what is said after a turn was stopped', async () => {
    const canUseTool: CanUseToolCallback = () => ({ behavior: 'deny', message: 'No.', interrupt: true })
    const { text, result } = await demoWith({ canUseTool, andThen: 'help' }, 'run touch made.txt')
    expect(text).toContain('Hello! I am DorkOS')
    expect(text).not.toContain('was denied')
    expect(result.outcome).toBe('completed')
  })

  it('tells a failed command from a denied one', async () => {
    const { text } = await demo('run echo out && exit 3', allow)
    expect(text).toMatch(/failed with exit code 3\. It printed:\n\n```\nout\n```/)
  })

  it('writes, reads and lists files', async () => {
    const { cwd } = await demo('write notes.txt: one two', allow)
    expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).toBe('one two')
    const read = await demo('read missing.txt', allow)
    expect(read.text).toContain('File does not exist')
    const listed = await demo('list files', allow)
    expect(listed.text).toContain('The command printed:')
  })

  it('asks a question and says what was chosen', async () => {
    const canUseTool: CanUseToolCallback = (_, input) => {
      const [{ question, options }] = input.questions as [{ question: string; options: { label: string }[] }]
      expect(options).toHaveLength(2)
      return { behavior: 'allow', updatedInput: { ...input, answers: { [question]: options[1]?.label } } }
    }
    expect((await demo('ask me something', canUseTool)).text).toContain('You chose **A long answer**.')
    const denied: CanUseToolCallback = () => ({ behavior: 'deny', message: 'Not now.' })
    expect((await demo('ask me something', denied)).text).toMatch(/was denied[\s\S]*Not now\./)
  })

  it('has a plan approved in plan mode', async () => {
    const plans: unknown[] = []
    const canUseTool: CanUseToolCallback = (name, input) => {
      if (name === 'ExitPlanMode') plans.push(input.plan)
      return { behavior: 'allow' }
    }
    const { text } = await demoWith({ permissionMode: 'plan', canUseTool }, 'make a plan')
    expect(plans).toEqual([expect.stringContaining('1. Look at what there is.')])
    expect(text).toContain('The plan was approved')
  })

  it.each([
    ['TaskUpdate', { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' }],
    ['TodoWrite', { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1', CLAUDE_CODE_ENABLE_TASKS: '0' }],
  ])('works off a to-do list with %s', async (name, variables) => {
    const { text, messages } = await demoWith({ variables, canUseTool: allow }, 'plan')
    expect(text).toContain('All three items of the to-do list are done.')
    expect(JSON.stringify(messages)).toContain(name)
  })

  it('gives an answer of the wanted shape', async () => {
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 20 },
        mood: { enum: ['glad', 'sad'] },
        count: { type: 'integer', maximum: 10 },
        done: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
        author: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      required: ['title', 'mood', 'count', 'done', 'tags', 'author'],
      additionalProperties: false,
    }
    const { result } = await demoWith({ outputFormat: { type: 'json_schema', schema } }, 'fill it in')
    expect(result.structuredOutput).toEqual({
      title: expect.stringMatching(/^Demo title\.{10}$/),
      mood: 'glad',
      count: 10,
      done: true,
      tags: ['Demo tags', 'Demo tags'],
      author: { name: 'Demo name' },
    })
  })

  it('starts a subagent', async () => {
    const { text } = await demo('start a subagent', allow)
    expect(text).toContain('The subagent has ended. It handed back:')
    expect(text).toContain('Hello from a subagent')
  })

  it('fails once on demand, so that the CLI asks again', async () => {
    const { text, messages, seen } = await demo('show me an error')
    expect(text).toContain('so the CLI asked again')
    expect(seen.map(({ status }) => status)).toEqual([529, 200])
    expect(JSON.stringify(messages)).toContain('api_retry')
  })

  it('thinks, and streams a long text', async () => {
    expect((await demo('think')).text).toContain('as far as rules can think')
    expect((await demo('stream something long')).text).toContain('# A long answer')
  })
})
