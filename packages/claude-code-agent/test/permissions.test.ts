import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeCli, steps, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  type CanUseToolCallback,
  ClaudeCodeAgent,
  createSdkMcpServer,
  type PendingPermission,
  type PermissionContext,
  type PermissionResult,
  tool,
} from '../src/index.ts'
import { nextTurn, recordStates, untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'
import { runCalls, write } from './support/run-calls.ts'

/** What the model was told of the n-th of its calls, from 1. */
async function toldOf(run: OfflineAgent, n: number) {
  const [result] = (await run.model.waitForRequest(n + 1)).toolResults
  return { text: result?.text, isError: result?.isError }
}

describe('canUseTool', () => {
  it('is asked with the id of the call, and allows', async () => {
    const asked: { name: string; input: unknown; context: PermissionContext }[] = []
    const canUseTool: CanUseToolCallback = (name, input, context) => {
      asked.push({ name, input, context })
      return { behavior: 'allow' }
    }
    await runCalls(
      { canUseTool },
      (run) => [
        toolUse('Write', { file_path: join(run.cwd, 'a.txt'), content: 'one' }, 'toolu_the_real_one'),
      ],
      async (run) => {
        expect(await readFile(join(run.cwd, 'a.txt'), 'utf8')).toBe('one')
        expect(await toldOf(run, 1)).toMatchObject({ isError: false })
        expect(asked).toMatchObject([
          {
            name: 'Write',
            input: { file_path: join(run.cwd, 'a.txt'), content: 'one' },
            context: {
              toolUseId: 'toolu_the_real_one',
              toolUseID: 'toolu_the_real_one',
              displayName: 'Write',
            },
          },
        ])
        expect(asked[0]?.context.suggestions).toContainEqual({
          type: 'setMode',
          mode: 'acceptEdits',
          destination: 'session',
        })
        expect(asked[0]?.context.signal.aborted).toBe(false)
      },
    )
  })

  it('allows with changed input: the tool runs with that', async () => {
    const canUseTool: CanUseToolCallback = (_, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, content: 'changed' },
    })
    await runCalls(
      { canUseTool },
      (run) => [write(run, 'a.txt', 'as the model wanted')],
      async (run) => expect(await readFile(join(run.cwd, 'a.txt'), 'utf8')).toBe('changed'),
    )
  })

  it('allows for good: with the suggested permission updates the next call is not asked about', async () => {
    const asked: string[] = []
    const allow = (updates: boolean): CanUseToolCallback => {
      return (name, _, { suggestions }) => {
        asked.push(name)
        return { behavior: 'allow', ...(updates && { updatedPermissions: suggestions }) }
      }
    }
    const calls = (run: OfflineAgent) => [write(run, 'a.txt', '1'), write(run, 'b.txt', '2')]
    await runCalls({ canUseTool: allow(false) }, calls, () => expect(asked).toEqual(['Write', 'Write']))
    asked.length = 0
    await runCalls({ canUseTool: allow(true) }, calls, (run) => {
      expect(asked).toEqual(['Write'])
      expect(existsSync(join(run.cwd, 'b.txt'))).toBe(true)
    })
  })

  it('denies: the tool does not run, and the model is told why', async () => {
    await runCalls(
      { canUseTool: () => ({ behavior: 'deny', message: 'Only on Tuesdays.' }) },
      (run) => [write(run, 'a.txt', 'x')],
      async (run) => {
        expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)
        expect(await toldOf(run, 1)).toEqual({ text: 'Only on Tuesdays.', isError: true })
      },
    )
  })

  it.each<[string, () => unknown, RegExp]>([
    ['denies without a message', () => ({ behavior: 'deny' }), /^The user denied this tool call\.$/],
    ['denies with an empty message', () => ({ behavior: 'deny', message: ' ' }), /^The user denied/],
    ['returns nothing', () => undefined, /returned no valid answer/],
    ['returns an answer of another protocol', () => ({ allowed: true }), /returned no valid answer/],
    ['changes the input to junk', () => ({ behavior: 'allow', updatedInput: 'rm' }), /not an object/],
    [
      'throws',
      () => {
        throw new Error('the form is gone')
      },
      /^The permission callback failed: the form is gone$/,
    ],
    ['rejects', () => Promise.reject(new Error('no answer')), /^The permission callback failed: no answer$/],
  ])('that %s denies, tells the model, and the session goes on', async (_, answer, message) => {
    const answers = [answer, () => ({ behavior: 'allow' })]
    const canUseTool: CanUseToolCallback = () => answers.shift()?.() as PermissionResult
    await runCalls(
      { canUseTool },
      (run) => [write(run, 'a.txt', 'x'), write(run, 'b.txt', 'x')],
      async (run) => {
        expect(await toldOf(run, 1)).toEqual({ text: expect.stringMatching(message), isError: true })
        expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)
        expect(existsSync(join(run.cwd, 'b.txt'))).toBe(true)
      },
    )
  })

  it('that does not answer in time denies, tells the model, and has its signal aborted', async () => {
    let signal: AbortSignal | undefined
    const canUseTool: CanUseToolCallback = (_, __, context) => {
      signal = context.signal
      return new Promise(() => {})
    }
    await runCalls(
      { canUseTool, canUseToolTimeoutMs: 60 },
      (run) => [write(run, 'a.txt', 'x')],
      async (run) => {
        expect(await toldOf(run, 1)).toEqual({
          text: 'Nobody answered the permission question within 60 ms, so it was denied.',
          isError: true,
        })
        expect(signal?.aborted).toBe(true)
        expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)
      },
    )
  })

  it('answers a question of the agent through the input', async () => {
    const questions = [
      {
        question: 'Tea or coffee?',
        header: 'Drink',
        multiSelect: false,
        options: [
          { label: 'Tea', description: 'green' },
          { label: 'Coffee', description: 'black' },
        ],
      },
    ]
    let context: PermissionContext | undefined
    const canUseTool: CanUseToolCallback = (_, input, asked) => {
      context = asked
      return { behavior: 'allow', updatedInput: { ...input, answers: { 'Tea or coffee?': 'Tea' } } }
    }
    await runCalls(
      { canUseTool },
      () => [toolUse('AskUserQuestion', { questions })],
      async (run) => {
        const told = await toldOf(run, 1)
        expect(told).toMatchObject({ isError: false })
        expect(told.text).toContain('"Tea or coffee?"="Tea"')
        expect(context?.requiresUserInteraction).toBe(true)
      },
    )
  })

  it('is not there: the CLI denies by itself and the session goes on', async () => {
    await runCalls(
      {},
      (run) => [write(run, 'a.txt', 'x')],
      async (run) => {
        expect(await toldOf(run, 1)).toMatchObject({ isError: true })
        expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)
      },
    )
  })
})

describe('the end of a turn by a permission question', () => {
  it('denying with interrupt ends the turn as interrupted, and the session can go on', async () => {
    await using run = await startOfflineAgent([], {
      canUseTool: () => ({ behavior: 'deny', message: 'Stop it.', interrupt: true }),
    })
    run.model.push(write(run, 'a.txt', 'x'), 'a second turn')
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    expect(await nextTurn(session)).toBe('interrupted')
    await untilState(session, 'idle')
    expect(run.model.requests.filter(({ kind }) => kind !== 'side')).toHaveLength(1)
    expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)

    const second = nextTurn(session)
    await session.send('and now?')
    expect(await second).toBe('completed')
  })

  it('interrupting while a question is open withdraws it', async () => {
    const asked = deferredContext()
    await using run = await startOfflineAgent([], { canUseTool: asked.canUseTool })
    run.model.push(write(run, 'a.txt', 'x'), 'a second turn')
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    const outcome = nextTurn(session)
    const { signal } = await asked.context
    await untilState(session, 'waiting_permission')
    expect(signal.aborted).toBe(false)

    await session.interrupt()
    expect(signal.aborted).toBe(true)
    expect(await outcome).toBe('interrupted')
    await untilState(session, 'idle')
    expect(session.getState().pendingPermissions).toEqual([])
    asked.answer({ behavior: 'allow' })

    const second = nextTurn(session)
    await session.send('and now?')
    expect(await second).toBe('completed')
    expect(existsSync(join(run.cwd, 'a.txt'))).toBe(false)
  })

  it('cancelling the session while a question is open aborts its signal', async () => {
    const asked = deferredContext()
    await using run = await startOfflineAgent([], { canUseTool: asked.canUseTool })
    run.model.push(write(run, 'a.txt', 'x'))
    const session = await run.agent.startSession({ prompt: 'go' })
    const { signal } = await asked.context
    await session.cancel()
    expect(signal.aborted).toBe(true)
    expect(session.getState()).toMatchObject({ state: 'cancelled', pendingPermissions: [] })
  })

  it('aborts the signal when the CLI withdraws the question by itself, and the turn goes on', async () => {
    const asked = deferredContext()
    await using cli = fakeCli([
      steps.parallel([
        steps.ask({ toolName: 'Bash', toolUseId: 'toolu_1' }),
        [steps.wait(50), steps.cancelAsk()],
      ]),
      steps.say('going on'),
    ])
    await using agent = new ClaudeCodeAgent({ cliPath: cli.path, canUseTool: asked.canUseTool })
    const session = await agent.startSession({ prompt: 'go' })
    const { signal } = await asked.context
    const { outcome } = await session.waitForCompletion()
    expect(outcome).toBe('completed')
    expect(signal.aborted).toBe(true)
  })
})

describe('several questions at once', () => {
  /** The CLI runs tools side by side, and asks about them so, where they only read. */
  const look = (name: string) =>
    tool({
      name,
      description: `Looks at ${name}`,
      inputSchema: {},
      annotations: { readOnlyHint: true },
      handler: () => `saw ${name}`,
    })
  const server = () => createSdkMcpServer({ name: 'eyes', tools: [look('left'), look('right')] })

  it('are all open, listed oldest first, and answered in any order', async () => {
    const answers = new Map<string, (result: PermissionResult) => void>()
    let bothCalled: () => void = () => {}
    const bothAsked = new Promise<void>((resolve) => {
      bothCalled = resolve
    })
    const canUseTool: CanUseToolCallback = (name) =>
      new Promise((resolve) => {
        if (answers.set(name, resolve).size === 2) bothCalled()
      })
    const both = [
      toolUse('mcp__eyes__left', {}, 'toolu_left'),
      toolUse('mcp__eyes__right', {}, 'toolu_right'),
    ]
    await using run = await startOfflineAgent([both, 'done'], { canUseTool, mcpServers: { eyes: server() } })
    const session = await run.agent.startSession({ keepAlive: true })
    const states = recordStates(session)
    const events: PendingPermission[] = []
    session.on('permissionRequest', (question) => events.push(question))
    const outcome = nextTurn(session)
    await session.send('look')
    await bothAsked

    const open = session.getState()
    expect(open.state).toBe('waiting_permission')
    expect(open.pendingPermissions).toEqual(events)
    expect(open.pendingPermissions).toMatchObject([
      { toolName: 'mcp__eyes__left', toolUseId: 'toolu_left', toolInput: {} },
      { toolName: 'mcp__eyes__right', toolUseId: 'toolu_right', toolInput: {} },
    ])
    expect(open.pendingPermission).toBe(open.pendingPermissions[0])

    answers.get('mcp__eyes__right')?.({ behavior: 'deny', message: 'not that way' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(session.getState()).toMatchObject({
      state: 'waiting_permission',
      pendingPermission: { toolUseId: 'toolu_left' },
    })
    answers.get('mcp__eyes__left')?.({ behavior: 'allow' })
    expect(await outcome).toBe('completed')
    expect(session.getState().pendingPermissions).toEqual([])
    await untilState(session, 'idle')
    expect(states.slice(0, 3)).toEqual(['idle', 'running', 'waiting_permission'])
    expect(states.at(-1)).toBe('idle')

    const { toolResults } = await run.model.waitForRequest(2)
    const told = Object.fromEntries(toolResults.map(({ toolUseId, text }) => [toolUseId, text]))
    expect(told).toEqual({ toolu_left: 'saw left', toolu_right: 'not that way' })
  })
})

/** A callback that waits for the test to answer, and hands it the context it was called with. */
function deferredContext() {
  let tell: (context: PermissionContext) => void = () => {}
  let answer: (result: PermissionResult) => void = () => {}
  const context = new Promise<PermissionContext>((resolve) => {
    tell = resolve
  })
  const canUseTool: CanUseToolCallback = (_, __, asked) => {
    tell(asked)
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  return { canUseTool, context, answer: (result: PermissionResult) => answer(result) }
}
