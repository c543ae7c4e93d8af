import { apiError, reply, text, thinking, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  createSdkMcpServer,
  ResultError,
  type SessionMessage,
  SessionStateError,
  tool,
} from '../src/index.ts'
import { collect, nextTurn, recordStates, textOf, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

const add = tool({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: { a: 'number', b: 'number' },
  handler: ({ a, b }) => `${a + b}`,
})
const calc = () => ({
  mcpServers: { calc: createSdkMcpServer({ name: 'calculator', tools: [add] }) },
  allowedTools: ['mcp__calc__add'],
})

describe('a one-shot session', () => {
  it('delivers every kind of message to every reader, each with its raw message, and ends when the agent is done', async () => {
    await using run = await startOfflineAgent(
      [[thinking('hm'), text('I add.'), toolUse('mcp__calc__add', { a: 15, b: 27 })], 'It is 42.'],
      calc(),
    )
    const session = await run.agent.startSession({ prompt: 'Add 15 and 27' })
    const [messages, others] = await Promise.all([collect(session.messages()), collect(session.messages())])
    expect(others).toEqual(messages)

    const ofType = <T extends SessionMessage['type']>(type: T) =>
      messages.filter((message): message is Extract<SessionMessage, { type: T }> => message.type === type)
    expect(textOf(messages)).toBe('I add.It is 42.')
    expect(ofType('tool_use')).toMatchObject([{ toolName: 'mcp__calc__add', input: { a: 15, b: 27 } }])
    expect(ofType('tool_result')).toMatchObject([
      { toolName: 'mcp__calc__add', content: '42', isError: false },
    ])
    expect(ofType('tool_use')[0]?.toolUseId).toBe(ofType('tool_result')[0]?.toolUseId)
    const [result] = ofType('result')
    expect(result).toMatchObject({ outcome: 'completed', content: 'It is 42.' })
    expect(result?.stats.modelTurns).toBeGreaterThan(0)
    expect(ofType('system').some((message) => message.subtype === 'init')).toBe(true)
    for (const message of messages) expect(message.raw.type).toBeTypeOf('string')

    expect(session.getState()).toMatchObject({
      state: 'completed',
      lastOutcome: 'completed',
      stats: { toolCallCount: 1 },
    })
    expect(session.getState().stats.completedAt).toBeTypeOf('string')
    expect(() => process.kill(session.pid ?? 0, 0)).toThrow()
    await expect(session.send('more')).rejects.toThrow(SessionStateError)
  })

  it('raises its events and passes through its states in order, with nobody reading', async () => {
    let seen: unknown
    const slow = tool({
      name: 'slow',
      description: 'Waits',
      inputSchema: { note: 'string?' },
      handler: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        return 'ok'
      },
    })
    await using run = await startOfflineAgent([toolUse('mcp__my-key__slow', { note: 'n' }), 'done'], {
      mcpServers: { 'my-key': createSdkMcpServer({ name: 'another-name', tools: [slow] }) },
      allowedTools: ['mcp__my-key__slow'],
    })
    const session = await run.agent.startSession({ prompt: 'go' })
    const states = recordStates(session)
    session.on('stateChange', ({ to, info }) => {
      if (to === 'waiting_tool_call') seen = info.pendingToolCall
    })
    const log: string[] = []
    session.on('toolCall', (call) =>
      log.push(`call ${call.name} of ${call.serverName} ${JSON.stringify(call.arguments)}`),
    )
    session.on('toolResult', (result) => log.push(`result ${result.toolName} ${result.content}`))
    session.on('turnEnd', ({ outcome }) => log.push(`turn ${outcome}`))
    session.on('complete', ({ state }) => log.push(`complete ${state}`))
    const removed = session.on('message', () => log.push('never'))
    removed()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed', outcome: 'completed' })
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
    expect(states).toEqual(['running', 'waiting_tool_call', 'running', 'completed'])
    expect(seen).toMatchObject({
      toolName: 'mcp__my-key__slow',
      serverName: 'my-key',
      arguments: { note: 'n' },
    })
    expect(seen).toHaveProperty('toolUseId', expect.stringMatching(/^toolu_/))
    expect(log).toEqual([
      'call mcp__my-key__slow of my-key {"note":"n"}',
      'result mcp__my-key__slow ok',
      'turn completed',
      'complete completed',
    ])
  })

  it('ends as failed when the model refuses, with the result in the error', async () => {
    await using run = await startOfflineAgent([apiError(400, 'bad thing', { sticky: true })])
    const session = await run.agent.startSession({ prompt: 'go' })
    const errors: Error[] = []
    session.on('error', (error) => errors.push(error))
    const error = await session.waitForCompletion().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ResultError)
    expect((error as ResultError).message).toContain('bad thing')
    expect((error as ResultError).result).toMatchObject({ is_error: true })
    expect(errors).toEqual([error])
    expect(session.getState()).toMatchObject({ state: 'failed', lastOutcome: 'failed' })
    // A loop over the messages gets the result message, then the error.
    const seen: string[] = []
    const loop = async () => {
      for await (const message of session.messages()) seen.push(message.type)
    }
    await expect(loop()).rejects.toBe(error)
    expect(seen).toContain('result')
  })

  it('waits for background work, and delivers the turn that it starts', async () => {
    await using run = await startOfflineAgent(
      [
        toolUse('Bash', { command: 'sleep 0.5; echo bg', description: 'd', run_in_background: true }),
        'started',
        'woken',
      ],
      { allowedTools: ['Bash'] },
    )
    const session = await run.agent.startSession({ prompt: 'go' })
    const outcomes: string[] = []
    session.on('turnEnd', ({ result }) => outcomes.push(result.content))
    let tasks = 0
    session.on('stateChange', ({ info }) => {
      tasks = Math.max(tasks, info.backgroundTasks)
    })
    await session.waitForCompletion()
    expect(outcomes).toEqual(['started', 'woken'])
    expect(tasks).toBe(1)
  })

  it('cancel() ends in cancelled, and the process is gone', async () => {
    await using run = await startOfflineAgent([reply([text('a'.repeat(200))], { deltaDelayMs: 100 })])
    const session = await run.agent.startSession({ prompt: 'go' })
    const reading = collect(session.messages())
    await run.model.waitForRequest(1)
    await session.cancel()
    expect(session.getState().state).toBe('cancelled')
    expect(await session.waitForCompletion()).toMatchObject({ state: 'cancelled' })
    expect(() => process.kill(session.pid ?? 0, 0)).toThrow()
    await reading
    await session.cancel()
  })

  it('is cancelled by its abort signal, also while it starts', async () => {
    await using run = await startOfflineAgent([reply([text('a'.repeat(200))], { deltaDelayMs: 100 })])
    const controller = new AbortController()
    const session = await run.agent.startSession({ prompt: 'go', signal: controller.signal })
    controller.abort()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'cancelled' })

    const early = new AbortController()
    const starting = run.agent.startSession({ prompt: 'go', signal: early.signal })
    setTimeout(() => early.abort(), 50)
    await expect(starting).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('a session that is kept alive', () => {
  it('is idle between turns, runs many in one process, and completes on close()', async () => {
    await using run = await startOfflineAgent(['one', 'two', 'three'])
    const session = await run.agent.startSession({ prompt: 'first', keepAlive: true })
    const states = recordStates(session)
    const pid = session.pid
    await untilState(session, 'idle')
    for (const prompt of ['second', 'third']) {
      const turn = nextTurn(session)
      await session.send(prompt)
      expect(session.getState().state).toBe('running')
      expect(await turn).toBe('completed')
      await untilState(session, 'idle')
    }
    expect(session.pid).toBe(pid)
    expect(run.model.requests.at(-1)?.messages.length).toBeGreaterThan(4)
    await session.close()
    expect(states).toEqual(['running', 'idle', 'running', 'idle', 'running', 'idle', 'completed'])
  })

  it('starts without a prompt, but only then; takes blocks, and queues messages that come during a turn', async () => {
    await using run = await startOfflineAgent([reply([text('one')], { delayMs: 300 }), 'two', 'three'])
    await expect(run.agent.startSession({})).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    await using session = await run.agent.startSession({ keepAlive: true })
    expect(session.getState().state).toBe('idle')
    await session.send([{ type: 'text', text: 'block one' }])
    await run.model.waitForRequest(1)
    const second = await session.send('second', { priority: 'later' })
    const third = await session.send('third', { priority: 'later' })
    expect(session.queuedMessages().map((message) => message.uuid)).toContain(second.uuid)
    // The CLI must have it in line before it can be taken out of it.
    while (session.queuedMessages().find((one) => one.uuid === third.uuid)?.state === 'sent')
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await session.cancelMessage(third.uuid)).toBe(true)
    await untilState(session, 'idle')
    expect(session.getState().lastOutcome).toBe('completed')
    expect(run.model.requests.map((request) => request.lastUserText)).toEqual(['block one', 'second'])
    expect(await session.cancelMessage(second.uuid)).toBe(false)
  })
})
