import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hang, reply, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { createSdkMcpServer, type Session, tool } from '../src/index.ts'
import { nextTurn, recordStates, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { sharedSession } from './support/shared-session.ts'

let calls = 0
const count = tool({ name: 'count', description: 'Counts', inputSchema: {}, handler: () => `${++calls}` })
let slowCall: (signal: AbortSignal) => void = () => {}
const slow = tool({
  name: 'slow',
  description: 'Waits for ever',
  inputSchema: {},
  handler: (_args, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('too late'))
      slowCall(signal)
    }),
})
const shared = sharedSession(
  {
    permissionMode: 'acceptEdits',
    mcpServers: { s: createSdkMcpServer({ name: 's', tools: [count, slow] }) },
    allowedTools: ['mcp__s__slow'],
    // Permits the mode that one of the cases sets.
    allowDangerouslySkipPermissions: true,
  },
  { sandbox: true },
)
const requestOf = (prompt: string) =>
  shared.run.model.waitForRequest(({ lastUserText }) => lastUserText === prompt)

describe('interrupt()', () => {
  it('ends the turn as interrupted, keeps the process, and the next message runs', async () => {
    const { session } = shared
    const turn = shared.turn([hang({ afterDeltas: 1, blocks: [text('partial answer')] })], 'hang')
    await requestOf('hang')
    const receipt = await session.interrupt()
    expect(receipt).toEqual({ stillQueued: [], cancelled: [] })
    expect((await turn).outcome).toBe('interrupted')
    expect(session.getState().lastOutcome).toBe('interrupted')
    await shared.turn(['second'], 'again')
    expect(session.getState().lastOutcome).toBe('completed')
  })

  it('completes a one-shot session, never fails it', async () => {
    await using run = await startOfflineAgent([hang({ afterDeltas: 1, blocks: [text('partial')] })])
    const session = await run.agent.startSession({ prompt: 'first' })
    await run.model.waitForRequest(1)
    await session.interrupt()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'interrupted' })
  })

  it('aborts the signal of a tool that runs', async () => {
    const { session } = shared
    const called = new Promise<AbortSignal>((resolve) => {
      slowCall = resolve
    })
    const turn = shared.turn([toolUse('mcp__s__slow', {})])
    const signal = await called
    expect(session.getState().state).toBe('waiting_tool_call')
    await session.interrupt()
    await turn
    expect(signal.reason).toBeInstanceOf(Error)
    expect(session.getState()).toMatchObject({ lastOutcome: 'interrupted', pendingToolCalls: [] })
  })

  it('does nothing to an idle session, which stays usable', async () => {
    await shared.session.interrupt()
    await shared.turn(['two'])
    expect(shared.session.getState().lastOutcome).toBe('completed')
  })

  it('drops waiting messages when asked to', async () => {
    const { session, run } = shared
    const turn = shared.turn([hang({ afterDeltas: 1, blocks: [text('partial')] })], 'hang and drop')
    await requestOf('hang and drop')
    const asked = run.model.requests.length
    const { uuid } = await session.send('b', { priority: 'later' })
    while (session.queuedMessages().some((message) => message.state === 'sent')) await sleep(10)
    const receipt = await session.interrupt({ cancelQueued: true })
    expect(receipt.cancelled).toEqual([uuid])
    await turn
    expect(run.model.requests).toHaveLength(asked)
  })
})

describe('pause()', () => {
  const write = (cwd: string) => toolUse('Write', { file_path: join(cwd, 'held.txt'), content: 'x' })
  const toolCalled = (session: Session) =>
    new Promise<void>((resolve) => {
      const stop = session.on('toolCall', () => {
        stop()
        resolve()
      })
    })

  it('holds a built-in tool until resume()', async () => {
    const { session, cwd } = shared
    const states = recordStates(session)
    const turn = shared.turn([reply([write(cwd)], { delayMs: 300 }), 'done'])
    await untilState(session, 'running')
    await session.pause()
    await toolCalled(session)
    await sleep(300)
    expect(existsSync(join(cwd, 'held.txt'))).toBe(false)
    expect(session.getState().state).toBe('paused')
    await session.resume()
    await turn
    expect(existsSync(join(cwd, 'held.txt'))).toBe(true)
    expect(states).toEqual(['idle', 'running', 'paused', 'running', 'idle'])
  })

  it('holds in-process tools in bypass mode too', async () => {
    const { session } = shared
    await session.setPermissionMode('bypassPermissions')
    const turn = shared.turn([reply([toolUse('mcp__s__count', {})], { delayMs: 200 }), 'done'])
    await untilState(session, 'running')
    await session.pause()
    await toolCalled(session)
    await sleep(200)
    expect(calls).toBe(0)
    await session.resume()
    await turn
    expect(calls).toBe(1)
  })

  it('holds messages: those sent while paused, and those that already waited in the CLI', async () => {
    const { session, run } = shared
    run.model.push(reply([text('one')], { delayMs: 500 }), 'two', 'three')
    const over = nextTurn(session)
    await session.send('first of three')
    await requestOf('first of three')
    const asked = run.model.requests.length
    await session.send('second', { priority: 'later' })
    while (session.queuedMessages().some((message) => message.state === 'sent')) await sleep(10)
    await session.pause()
    await session.send('third')
    await over
    await sleep(200)
    expect(run.model.requests).toHaveLength(asked)
    expect(session.queuedMessages().map((message) => [message.content, message.state])).toEqual([
      ['second', 'held'],
      ['third', 'held'],
    ])
    await session.resume()
    await untilState(session, 'idle')
    const said = run.model.requests.slice(asked).map((request) => request.lastUserText)
    expect(said.join(' ')).toMatch(/second.*third/s)
  })

  it('lets a held message be taken back', async () => {
    const { session, run } = shared
    const asked = run.model.requests.length
    await session.pause()
    const { uuid } = await session.send('never')
    expect(await session.cancelMessage(uuid)).toBe(true)
    await session.resume()
    expect(session.getState().state).toBe('idle')
    expect(run.model.requests).toHaveLength(asked)
  })

  it('lets go of a held tool on interrupt() and on cancel()', async () => {
    let cwd = ''
    await using run = await startOfflineAgent(() => reply([write(cwd)], { delayMs: 100 }), {
      permissionMode: 'acceptEdits',
    })
    cwd = run.cwd
    await using session = await run.agent.startSession({ prompt: 'write', keepAlive: true })
    await session.pause()
    await new Promise<void>((resolve) => session.on('toolCall', () => resolve()))
    const turn = nextTurn(session)
    await session.interrupt()
    expect(await turn).toBe('interrupted')
    expect(session.getState().state).toBe('paused')
    await session.cancel()
    expect(session.getState().state).toBe('cancelled')
    expect(existsSync(join(cwd, 'held.txt'))).toBe(false)
  })

  it('keeps a one-shot session open until resume()', async () => {
    await using run = await startOfflineAgent([reply([text('one')], { delayMs: 200 })])
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.pause()
    await new Promise<void>((resolve) => session.on('turnEnd', () => resolve()))
    await sleep(300)
    expect(session.getState().state).toBe('paused')
    await session.resume()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })
})

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
