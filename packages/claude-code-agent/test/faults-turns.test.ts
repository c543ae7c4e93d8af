import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { createSdkMcpServer, type SessionMessage, tool } from '../src/index.ts'
import { deferred } from '../src/session/deferred.ts'
import { collect, nextTurn, recordStates, textOf, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'

const resultsOf = (messages: SessionMessage[]) =>
  messages.flatMap((message) => (message.type === 'tool_result' ? [message] : []))

describe('say', () => {
  it('arrives as text, and as deltas where they were asked for', async () => {
    await using fake = startFakeAgent([steps.say('hello there')], { includePartialMessages: true })
    const session = await fake.start()
    const messages = await collect(session.messages())
    expect(textOf(messages)).toBe('hello there')
    expect(messages.filter((message) => message.type === 'stream_event').length).toBeGreaterThan(2)
  })
})

describe('tool', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('a slow call holds up neither other calls nor requests of ours', async () => {
    const slowest = deferred<string>()
    const order: string[] = []
    const named = tool({
      name: 'work',
      description: 'Works',
      inputSchema: { id: 'string' },
      handler: async ({ id }) => {
        const answer = id === 'slow' ? await slowest.promise : id
        order.push(answer)
        return answer
      },
    })
    const call = (id: string) => ({ server: 's', name: 'work', args: { id }, toolUseId: `toolu_${id}` })
    await using fake = startFakeAgent([steps.tools([call('slow'), call('a'), call('b'), call('c')])], {
      mcpServers: { s: createSdkMcpServer({ name: 's', tools: [named] }) },
    })
    const session = await fake.start()
    const answered: string[] = []
    const three = deferred<void>()
    session.on('toolResult', ({ content }) => {
      if (answered.push(content) === 3) three.resolve()
    })
    const completion = session.waitForCompletion()
    await three.promise
    expect(answered).toEqual(['a', 'b', 'c'])
    expect(session.getState()).toMatchObject({
      state: 'waiting_tool_call',
      pendingToolCall: { toolUseId: 'toolu_slow', toolName: 'mcp__s__work', serverName: 's' },
    })
    await session.setModel('meanwhile')
    slowest.resolve('at last')
    await completion
    expect(order).toEqual(['a', 'b', 'c', 'at last'])
    expect(session.getState()).toMatchObject({ pendingToolCalls: [], stats: { toolCallCount: 4 } })
  })

  it('open calls are listed in the order in which they came', async () => {
    const ends = new Map<string, () => void>()
    const held = tool({
      name: 'hold',
      description: 'Waits',
      inputSchema: { id: 'string' },
      handler: ({ id }) => new Promise<string>((resolve) => ends.set(id, () => resolve(id))),
    })
    const ids = ['a', 'b', 'c']
    const calls = ids.map((id) => ({ server: 's', name: 'hold', args: { id }, toolUseId: id }))
    await using fake = startFakeAgent([steps.tools(calls)], {
      mcpServers: { s: createSdkMcpServer({ name: 's', tools: [held] }) },
    })
    const session = await fake.start()
    while (ends.size < 3) await wait(5)
    const open = () => session.getState().pendingToolCalls.map((call) => call.toolUseId)
    expect(open()).toEqual(['a', 'b', 'c'])
    const lists: string[][] = []
    session.on('toolResult', () => lists.push(open()))
    for (const id of ['b', 'a', 'c']) {
      const before = lists.length
      ends.get(id)?.()
      while (lists.length === before) await wait(5)
    }
    expect(lists).toEqual([['a', 'c'], ['c'], []])
    await session.waitForCompletion()
  })

  it('an interrupt aborts open calls; what they return later is not sent', async () => {
    const opened = deferred<AbortSignal>()
    const late = deferred<string>()
    const held = tool({
      name: 'hold',
      description: 'Waits',
      inputSchema: {},
      handler: (_, { signal }) => {
        opened.resolve(signal)
        return late.promise
      },
    })
    await using fake = startFakeAgent([steps.tool({ server: 's', name: 'hold' })], {
      mcpServers: { s: createSdkMcpServer({ name: 's', tools: [held] }) },
    })
    const session = await fake.start({ keepAlive: true })
    const signal = await opened.promise
    const ended = nextTurn(session)
    await session.interrupt()
    expect(await ended).toBe('interrupted')
    expect(signal.aborted).toBe(true)
    late.resolve('too late')
    await untilState(session, 'idle')
    expect(session.getState().pendingToolCalls).toEqual([])
    const sent = JSON.stringify(await fake.entries('stdin'))
    expect(sent).not.toContain('too late')
  })
})

describe('ask', () => {
  it('a slow answer to one question does not hold up another', async () => {
    const first = deferred<void>()
    await using fake = startFakeAgent(
      [
        steps.parallel([
          steps.ask({ toolName: 'Bash', input: { command: 'slow' }, toolUseId: 't1' }),
          steps.ask({ toolName: 'Write', input: { path: 'x' }, toolUseId: 't2' }),
        ]),
      ],
      {
        canUseTool: async (toolName) => {
          if (toolName === 'Bash') await first.promise
          return toolName === 'Bash' ? { behavior: 'allow' } : { behavior: 'deny', message: 'no writing' }
        },
      },
    )
    const session = await fake.start()
    const reading = collect(session.messages())
    const denied = deferred<void>()
    session.on('toolResult', () => denied.resolve())
    await denied.promise
    expect(session.getState()).toMatchObject({
      state: 'waiting_permission',
      pendingPermissions: [{ toolName: 'Bash', toolUseId: 't1' }],
    })
    first.resolve()
    const results = resultsOf(await reading)
    expect(results.map(({ toolUseId, isError }) => [toolUseId, isError])).toEqual([
      ['t2', true],
      ['t1', false],
    ])
  })

  it('withdrawn by the CLI: the signal is aborted, and the state is running again', async () => {
    const asked = deferred<AbortSignal>()
    await using fake = startFakeAgent(
      [
        steps.parallel([steps.ask({ toolName: 'Bash' }), [steps.wait(200), steps.cancelAsk()]]),
        steps.wait(200),
      ],
      {
        canUseTool: (_, __, { signal }) => {
          asked.resolve(signal)
          return new Promise(() => {})
        },
      },
    )
    const session = await fake.start()
    const states = recordStates(session)
    const signal = await asked.promise
    const reading = collect(session.messages())
    await untilState(session, 'running')
    expect(signal.aborted).toBe(true)
    expect(session.getState().pendingPermissions).toEqual([])
    expect(resultsOf(await reading)).toMatchObject([{ isError: true }])
    expect(states.slice(-2)).toEqual(['running', 'completed'])
  })

  it('a callback that throws, hangs past its time, or answers nonsense denies', async () => {
    const answers = {
      Throws: () => {
        throw new Error('broken')
      },
      Hangs: () => new Promise(() => {}),
      Nonsense: () => 'yes',
      Nothing: () => undefined,
    } as Record<string, () => unknown>
    const names = Object.keys(answers)
    await using fake = startFakeAgent(
      names.map((toolName) => steps.ask({ toolName })),
      { canUseTool: async (toolName) => answers[toolName]?.() as never, canUseToolTimeoutMs: 200 },
    )
    const session = await fake.start()
    const results = resultsOf(await collect(session.messages()))
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual(
      names.map((name) => [name, true]),
    )
    expect(results[0]?.content).toContain('broken')
    expect(results[1]?.content).toContain('200 ms')
  })
})
