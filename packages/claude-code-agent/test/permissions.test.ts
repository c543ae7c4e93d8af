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
import { recordStates, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { sharedSession } from './support/shared-session.ts'

/** A call of the Write tool for a file of the project. */
const write = (name: string, id?: string) =>
  toolUse('Write', { file_path: fileAt(name), content: 'as the model wanted' }, id)
const fileAt = (name: string) => join(shared.cwd, name)

/** Who answers in the case that runs. */
let canUseTool: CanUseToolCallback

/** The CLI runs tools side by side, and asks about them so, where they only read. */
const eye = (name: string) =>
  tool({
    name,
    description: `Looks at ${name}`,
    inputSchema: {},
    annotations: { readOnlyHint: true },
    handler: () => `saw ${name}`,
  })
const shared = sharedSession({
  canUseTool: (...question) => canUseTool(...question),
  mcpServers: { eyes: createSdkMcpServer({ name: 'eyes', tools: [eye('left'), eye('right')] }) },
})

describe('canUseTool', () => {
  it('is asked with the id of the call, and allows', async () => {
    const asked: { name: string; input: unknown; context: PermissionContext }[] = []
    canUseTool = (name, input, context) => {
      asked.push({ name, input, context })
      return { behavior: 'allow' }
    }
    const { toolResults } = await shared.turn([write('allowed.txt', 'toolu_the_real_one'), 'done'])
    expect(await readFile(fileAt('allowed.txt'), 'utf8')).toBe('as the model wanted')
    expect(toolResults).toMatchObject([{ isError: false }])
    expect(asked).toMatchObject([
      {
        name: 'Write',
        input: { file_path: fileAt('allowed.txt'), content: 'as the model wanted' },
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
  })

  it('allows with changed input: the tool runs with that', async () => {
    canUseTool = (_, input) => ({ behavior: 'allow', updatedInput: { ...input, content: 'changed' } })
    await shared.turn([write('changed.txt'), 'done'])
    expect(await readFile(fileAt('changed.txt'), 'utf8')).toBe('changed')
  })

  it('allows for good: with the suggested permission updates the next call is not asked about', async () => {
    const asked: string[] = []
    const allow = (updates: boolean): CanUseToolCallback => {
      return (name, _, { suggestions }) => {
        asked.push(name)
        return { behavior: 'allow', ...(updates && { updatedPermissions: suggestions }) }
      }
    }
    canUseTool = allow(false)
    await shared.turn([write('once.txt'), write('twice.txt'), 'done'])
    expect(asked).toEqual(['Write', 'Write'])
    asked.length = 0
    canUseTool = allow(true)
    await shared.turn([write('first.txt'), write('unasked.txt'), 'done'])
    expect(asked).toEqual(['Write'])
    expect(existsSync(fileAt('unasked.txt'))).toBe(true)
    await shared.session.setPermissionMode('default')
  })

  it('denies: the tool does not run, and the model learns why', async () => {
    canUseTool = () => ({ behavior: 'deny', message: 'Only on Tuesdays.' })
    const { toolResults } = await shared.turn([write('denied.txt'), 'done'])
    expect(existsSync(fileAt('denied.txt'))).toBe(false)
    expect(toolResults).toEqual([{ text: 'Only on Tuesdays.', isError: true }])
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
  ])('that %s denies, notifies the model, and the session goes on', async (how, answer, message) => {
    const answers = [answer, () => ({ behavior: 'allow' })]
    canUseTool = () => answers.shift()?.() as PermissionResult
    const { toolResults } = await shared.turn([write(`${how}.txt`), write(`${how}, then.txt`), 'done'])
    expect(toolResults[0]).toEqual({ text: expect.stringMatching(message), isError: true })
    expect(existsSync(fileAt(`${how}.txt`))).toBe(false)
    expect(existsSync(fileAt(`${how}, then.txt`))).toBe(true)
  })

  it('that does not answer in time denies, notifies the model, and has its signal aborted', async () => {
    let signal: AbortSignal | undefined
    const never: CanUseToolCallback = (_, __, context) => {
      signal = context.signal
      return new Promise(() => {})
    }
    await using run = await startOfflineAgent([], { canUseTool: never, canUseToolTimeoutMs: 60 })
    const file = join(run.cwd, 'a.txt')
    run.model.push(toolUse('Write', { file_path: file, content: 'x' }), 'done')
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect((await run.model.waitForRequest(2)).toolResults).toMatchObject([
      { text: 'Nobody answered the permission question within 60 ms, so it was denied.', isError: true },
    ])
    expect(signal?.aborted).toBe(true)
    expect(existsSync(file)).toBe(false)
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
    canUseTool = (_, input, asked) => {
      context = asked
      return { behavior: 'allow', updatedInput: { ...input, answers: { 'Tea or coffee?': 'Tea' } } }
    }
    const { toolResults } = await shared.turn([toolUse('AskUserQuestion', { questions }), 'done'])
    expect(toolResults).toEqual([{ text: expect.stringContaining('"Tea or coffee?"="Tea"'), isError: false }])
    expect(context?.requiresUserInteraction).toBe(true)
  })

  it('is not there: the CLI denies by itself and the session goes on', async () => {
    await using run = await startOfflineAgent([])
    const file = join(run.cwd, 'a.txt')
    run.model.push(toolUse('Write', { file_path: file, content: 'x' }), 'done')
    const session = await run.agent.startSession({ prompt: 'go' })
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
    expect((await run.model.waitForRequest(2)).toolResults).toMatchObject([{ isError: true }])
    expect(existsSync(file)).toBe(false)
  })
})

describe('the end of a turn by a permission question', () => {
  it('denying with interrupt ends the turn as interrupted, and the session can go on', async () => {
    canUseTool = () => ({ behavior: 'deny', message: 'Stop it.', interrupt: true })
    const { outcome, requests } = await shared.turn([write('stopped.txt')])
    expect(outcome).toBe('interrupted')
    expect(requests).toHaveLength(1)
    expect(existsSync(fileAt('stopped.txt'))).toBe(false)
    expect((await shared.turn(['a second turn'], 'and now?')).outcome).toBe('completed')
  })

  it('interrupting while a question is open withdraws it', async () => {
    const asked = deferredContext()
    canUseTool = asked.canUseTool
    const { session } = shared
    const turn = shared.turn([write('withdrawn.txt')])
    const { signal } = await asked.context
    await untilState(session, 'waiting_permission')
    expect(signal.aborted).toBe(false)

    await session.interrupt()
    expect(signal.aborted).toBe(true)
    expect((await turn).outcome).toBe('interrupted')
    expect(session.getState().pendingPermissions).toEqual([])
    asked.answer({ behavior: 'allow' })

    expect((await shared.turn(['a second turn'], 'and now?')).outcome).toBe('completed')
    expect(existsSync(fileAt('withdrawn.txt'))).toBe(false)
  })

  it('cancelling the session while a question is open aborts its signal', async () => {
    const asked = deferredContext()
    await using run = await startOfflineAgent([], { canUseTool: asked.canUseTool })
    run.model.push(toolUse('Write', { file_path: join(run.cwd, 'a.txt'), content: 'x' }))
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
  it('are all open, listed oldest first, and answered in any order', async () => {
    const answers = new Map<string, (result: PermissionResult) => void>()
    let bothCalled: () => void = () => {}
    const bothAsked = new Promise<void>((resolve) => {
      bothCalled = resolve
    })
    canUseTool = (name) =>
      new Promise((resolve) => {
        if (answers.set(name, resolve).size === 2) bothCalled()
      })
    const both = [
      toolUse('mcp__eyes__left', {}, 'toolu_left'),
      toolUse('mcp__eyes__right', {}, 'toolu_right'),
    ]
    const { session } = shared
    const states = recordStates(session)
    const events: PendingPermission[] = []
    const stop = session.on('permissionRequest', (question) => events.push(question))
    const turn = shared.turn([both, 'done'])
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
    const { outcome, requests } = await turn
    stop()
    expect(outcome).toBe('completed')
    expect(session.getState().pendingPermissions).toEqual([])
    expect(states.slice(0, 3)).toEqual(['idle', 'running', 'waiting_permission'])
    expect(states.at(-1)).toBe('idle')

    const results = requests.flatMap(({ toolResults }) => toolResults)
    const textOf = Object.fromEntries(results.map(({ toolUseId, text }) => [toolUseId, text]))
    expect(textOf).toEqual({ toolu_left: 'saw left', toolu_right: 'not that way' })
  })
})

/** A callback that waits for the test to answer, and hands it the context it was called with. */
function deferredContext() {
  let onAsked: (context: PermissionContext) => void = () => {}
  let answer: (result: PermissionResult) => void = () => {}
  const context = new Promise<PermissionContext>((resolve) => {
    onAsked = resolve
  })
  const canUseTool: CanUseToolCallback = (_, __, asked) => {
    onAsked(asked)
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  return { canUseTool, context, answer: (result: PermissionResult) => answer(result) }
}
