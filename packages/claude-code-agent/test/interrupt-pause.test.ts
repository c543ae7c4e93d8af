import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hang, reply, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { createSdkMcpServer, tool } from '../src/index.ts'
import { nextTurn, recordStates, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

describe('interrupt()', () => {
  it('ends the turn as interrupted, keeps the process, and the next message runs', async () => {
    await using run = await startOfflineAgent([
      hang({ afterDeltas: 1, blocks: [text('partial answer')] }),
      'second',
    ])
    await using session = await run.agent.startSession({ prompt: 'first', keepAlive: true })
    const turn = nextTurn(session)
    await run.model.waitForRequest(1)
    const receipt = await session.interrupt()
    expect(receipt).toEqual({ stillQueued: [], cancelled: [] })
    expect(await turn).toBe('interrupted')
    await untilState(session, 'idle')
    expect(session.getState().lastOutcome).toBe('interrupted')
    await session.send('again')
    await untilState(session, 'idle')
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
    let aborted: unknown
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const slow = tool({
      name: 'slow',
      description: 'Waits for ever',
      inputSchema: {},
      handler: (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = signal.reason
            resolve('too late')
          })
          start()
        }),
    })
    await using run = await startOfflineAgent([toolUse('mcp__s__slow', {}), 'after'], {
      mcpServers: { s: createSdkMcpServer({ name: 's', tools: [slow] }) },
      allowedTools: ['mcp__s__slow'],
    })
    await using session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await started
    expect(session.getState().state).toBe('waiting_tool_call')
    await session.interrupt()
    await untilState(session, 'idle')
    expect(aborted).toBeInstanceOf(Error)
    expect(session.getState()).toMatchObject({ lastOutcome: 'interrupted', pendingToolCalls: [] })
  })

  it('does nothing to an idle session, which stays usable', async () => {
    await using run = await startOfflineAgent(['one', 'two'])
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    await session.interrupt()
    await session.send('b')
    await untilState(session, 'idle')
    expect(session.getState().lastOutcome).toBe('completed')
  })

  it('drops waiting messages when asked to', async () => {
    await using run = await startOfflineAgent([hang({ afterDeltas: 1, blocks: [text('partial')] }), 'never'])
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await run.model.waitForRequest(1)
    const { uuid } = await session.send('b', { priority: 'later' })
    while (session.queuedMessages().some((message) => message.state === 'sent')) await sleep(10)
    const receipt = await session.interrupt({ cancelQueued: true })
    expect(receipt.cancelled).toEqual([uuid])
    await untilState(session, 'idle')
    expect(run.model.requests).toHaveLength(1)
  })
})

describe('pause()', () => {
  const write = (cwd: string) => toolUse('Write', { file_path: join(cwd, 'held.txt'), content: 'x' })

  it('holds a built-in tool until resume()', async () => {
    let cwd = ''
    await using run = await startOfflineAgent(
      (request) => (request.toolResults.length > 0 ? 'done' : reply([write(cwd)], { delayMs: 300 })),
      { permissionMode: 'acceptEdits' },
    )
    cwd = run.cwd
    await using session = await run.agent.startSession({ prompt: 'write', keepAlive: true })
    const states = recordStates(session)
    await session.pause()
    await new Promise<void>((resolve) => session.on('toolCall', () => resolve()))
    await sleep(300)
    expect(existsSync(join(cwd, 'held.txt'))).toBe(false)
    expect(session.getState().state).toBe('paused')
    await session.resume()
    await untilState(session, 'idle')
    expect(existsSync(join(cwd, 'held.txt'))).toBe(true)
    expect(states).toEqual(['running', 'paused', 'running', 'idle'])
  })

  it('holds in-process tools in bypass mode too', async () => {
    let calls = 0
    const count = tool({ name: 'count', description: 'Counts', inputSchema: {}, handler: () => `${++calls}` })
    await using run = await startOfflineAgent(
      [reply([toolUse('mcp__s__count', {})], { delayMs: 200 }), 'done'],
      {
        mcpServers: { s: createSdkMcpServer({ name: 's', tools: [count] }) },
        permissionMode: 'bypassPermissions',
      },
      { sandbox: true },
    )
    await using session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await session.pause()
    await new Promise<void>((resolve) => session.on('toolCall', () => resolve()))
    await sleep(200)
    expect(calls).toBe(0)
    await session.resume()
    await untilState(session, 'idle')
    expect(calls).toBe(1)
  })

  it('holds messages: those sent while paused, and those that already waited in the CLI', async () => {
    await using run = await startOfflineAgent([reply([text('one')], { delayMs: 500 }), 'two', 'three'])
    await using session = await run.agent.startSession({ prompt: 'first', keepAlive: true })
    await run.model.waitForRequest(1)
    await session.send('second', { priority: 'later' })
    while (session.queuedMessages().some((message) => message.state === 'sent')) await sleep(10)
    await session.pause()
    await session.send('third')
    await new Promise<void>((resolve) => session.on('turnEnd', () => resolve()))
    await sleep(200)
    expect(run.model.requests).toHaveLength(1)
    expect(session.queuedMessages().map((message) => [message.content, message.state])).toEqual([
      ['second', 'held'],
      ['third', 'held'],
    ])
    await session.resume()
    await untilState(session, 'idle')
    const said = run.model.requests.slice(1).map((request) => request.lastUserText)
    expect(said.join(' ')).toMatch(/second.*third/s)
  })

  it('lets a held message be taken back', async () => {
    await using run = await startOfflineAgent(['one'])
    await using session = await run.agent.startSession({ keepAlive: true })
    await session.pause()
    const { uuid } = await session.send('never')
    expect(await session.cancelMessage(uuid)).toBe(true)
    await session.resume()
    expect(session.getState().state).toBe('idle')
    expect(run.model.requests).toHaveLength(0)
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
