/** What happens at the edges: things that come at the same time, too early, or twice. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hang, reply, steps, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  ClaudeCodeClient,
  createSdkMcpServer,
  FileStateStore,
  type StateStore,
  type StoredSession,
  tool,
} from '../src/index.ts'
import { collect, nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { sharedSession } from './support/shared-session.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const shared = sharedSession({}, {}, () => 'ok')
const requestOf = (prompt: string) =>
  shared.run.model.waitForRequest(({ lastUserText }) => lastUserText === prompt)
/** What reached the model since there were so many requests. */
const since = (before: number) => shared.run.model.requests.slice(before)

describe('messages', () => {
  it('with an id that was used are refused, and the session stays usable', async () => {
    const { session } = shared
    shared.run.model.push('one')
    const { uuid } = await session.send('a')
    await untilState(session, 'idle')
    await expect(session.send('b', { uuid })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    expect(session.getState().state).toBe('idle')
  })

  it('sent while held ones go out do not overtake them', async () => {
    const { session, run } = shared
    const before = run.model.requests.length
    await session.pause()
    for (const content of ['A', 'B', 'C']) await session.send(content)
    const resumed = session.resume()
    await session.send('D')
    await resumed
    await untilState(session, 'idle')
    const said = since(before).map((request) => request.newText)
    expect(said.join(' ').replace(/[^ABCD]/g, '')).toMatch(/A.*B.*C.*D/)
  })

  it('sent just before a pause are held by it', async () => {
    const { session, run } = shared
    const before = run.model.requests.length
    run.model.push(reply([text('one')], { delayMs: 500 }), 'two')
    const over = nextTurn(session)
    await session.send('slow')
    await requestOf('slow')
    await session.send('LATER', { priority: 'later' })
    await session.pause()
    await over
    await sleep(300)
    expect(since(before)).toHaveLength(1)
    expect(session.queuedMessages()).toMatchObject([{ content: 'LATER', state: 'held' }])
    await session.resume()
    await untilState(session, 'idle')
    expect(since(before)[1]?.lastUserText).toBe('LATER')
  })

  it('taken back before anything ran let a session end', async () => {
    await using fake = startFakeAgent([steps.say('answered')])
    const session = await fake.agent.startSession({ keepAlive: true })
    await session.pause()
    const { uuid } = await session.send('never')
    await session.cancelMessage(uuid)
    await session.resume()
    await session.close()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })
})

describe('pause and resume at once', () => {
  it('leave the session in a state that is true', async () => {
    const { session, run } = shared
    const before = run.model.requests.length
    await session.pause()
    await Promise.all([session.resume(), session.pause()])
    expect(session.getState().state).toBe('paused')
    await session.send('held')
    expect(session.queuedMessages()).toMatchObject([{ state: 'held' }])
    run.model.push('ok')
    await session.resume()
    await untilState(session, 'idle')
    expect(since(before)).toHaveLength(1)
  })

  it('an interrupt that drops what waits drops what is held too', async () => {
    const { session, run } = shared
    const before = run.model.requests.length
    run.model.push(hang())
    await session.send('hang')
    await requestOf('hang')
    await session.pause()
    const { uuid } = await session.send('held')
    expect(await session.interrupt({ cancelQueued: true })).toMatchObject({ cancelled: [uuid] })
    await session.resume()
    await untilState(session, 'idle')
    expect(since(before)).toHaveLength(1)
  })
})

describe('a message taken back the moment it was sent', () => {
  it('is gone, and said to be', async () => {
    await using run = await startOfflineAgent([reply([text('one')], { delayMs: 400 }), 'two'])
    await using session = await run.agent.startSession({ prompt: 'first', keepAlive: true })
    await run.model.waitForRequest(1)
    const { uuid } = await session.send('never', { priority: 'later' })
    const gone = await session.cancelMessage(uuid)
    await untilState(session, 'idle')
    const said = run.model.requests.map((request) => request.lastUserText)
    expect(gone).toBe(!said.join().includes('never'))
  })
})

describe('an agent that is closed', () => {
  it('starts none of the sessions that waited', async () => {
    await using fake = startFakeAgent([steps.hang()], { maxConcurrentSessions: 1 })
    const first = await fake.start({ prompt: 'a' })
    const waiting = fake.start({ prompt: 'b' }).catch((error: unknown) => error)
    await fake.agent.close()
    expect(await waiting).toMatchObject({ code: 'ABORTED' })
    expect(first.getState().state).toBe('cancelled')
    expect(await fake.entries('spawn')).toHaveLength(1)
  })
})

describe('a start that fails', () => {
  it('after the process is up leaves neither process nor record', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'races-'))
    const store = new FileStateStore(directory)
    {
      await using fake = startFakeAgent([steps.say('hi')], { stateStore: store, maxConcurrentSessions: 1 })
      const circular: Record<string, unknown> = { type: 'text' }
      circular.self = circular
      await expect(fake.start({ prompt: [circular], waitForMcp: true })).rejects.toThrow()
      await expect(fake.start({ prompt: 'x', projectPath: '/nowhere/at/all' })).rejects.toThrow()
      expect(await store.list()).toEqual([])
      await fake.expectAllGone()
      // The place is free again.
      await (await fake.agent.startSession({ keepAlive: true })).close()
    }
    await rm(directory, { recursive: true })
  })
})

it('whoever waits for the end of a session finds it in its record', async () => {
  const saved: StoredSession[] = []
  const slow: StateStore = {
    save: async (record) => {
      await sleep(20)
      saved.push(record)
    },
    delete: async () => {},
    list: async () => [],
  }
  await using fake = startFakeAgent([steps.say('hi')], { stateStore: slow })
  const first = await fake.start({ prompt: 'one' })
  await first.waitForCompletion()
  expect(saved.at(-1)).toMatchObject({ sessionId: first.id, state: 'completed' })
  const second = await fake.agent.startSession({ keepAlive: true })
  await second.close()
  expect(saved.at(-1)).toMatchObject({ sessionId: second.id, state: 'completed' })
  const third = await fake.agent.startSession({ keepAlive: true })
  await fake.agent.close()
  expect(saved.at(-1)).toMatchObject({ sessionId: third.id, state: 'completed' })
})

describe('ClaudeCodeClient', () => {
  it('does not wait for an answer of a message that went into the running turn', async () => {
    let waiting = () => {}
    const slow = tool({
      name: 'slow',
      description: 'Waits until it is told to go on',
      inputSchema: {},
      handler: () =>
        new Promise((resolve) => {
          waiting = () => resolve('done')
        }),
    })
    await using run = await startOfflineAgent(
      [toolUse('mcp__s__slow', {}), 'one answer for both', 'another'],
      {
        mcpServers: { s: createSdkMcpServer({ name: 's', tools: [slow] }) },
        allowedTools: ['mcp__s__slow'],
      },
    )
    await using client = new ClaudeCodeClient(run.agent.options)
    await client.connect()
    await client.query('one')
    await untilState(client.session, 'waiting_tool_call')
    await client.query('two', { priority: 'next' })
    while (client.session.queuedMessages().some((message) => message.state === 'sent')) await sleep(10)
    waiting()
    const first = await collect(client.receiveResponse())
    expect(first.at(-1)).toMatchObject({ type: 'result' })
    await collect(client.receiveResponse())
    expect(run.model.requests.some((request) => request.newText.includes('two'))).toBe(true)
  })

  it('connects once, however often it is asked at the same time, and again after the process died', async () => {
    await using run = await startOfflineAgent(['one'])
    await using client = new ClaudeCodeClient(run.agent.options)
    const [first, second] = await Promise.allSettled([client.connect(), client.connect()])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    process.kill(client.session.pid ?? 0, 'SIGKILL')
    await client.session.waitForCompletion().catch(() => {})
    await client.connect()
    await client.query('hi')
    expect((await collect(client.receiveResponse())).at(-1)).toMatchObject({ outcome: 'completed' })
  })
})
