import { hang, reply, text } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClaudeCodeClient, type SessionMessage } from '../src/index.ts'
import { collect, textOf, untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

const clientOf = (run: OfflineAgent) => new ClaudeCodeClient(run.agent.options)

describe('ClaudeCodeClient, connected once', () => {
  let run: OfflineAgent
  let client: ClaudeCodeClient
  beforeAll(async () => {
    run = await startOfflineAgent([])
    client = clientOf(run)
    await client.connect()
  })
  afterAll(async () => {
    await client.disconnect()
    await run[Symbol.asyncDispose]()
  })
  const requestOf = (prompt: string) =>
    run.model.waitForRequest(({ lastUserText }) => lastUserText === prompt)

  it('runs many turns in one process, each answer up to its result', async () => {
    run.model.push('one', 'two', 'three')
    const pid = client.session.pid
    for (const expected of ['one', 'two', 'three']) {
      await client.query(`say ${expected}`)
      const answer = await collect(client.receiveResponse())
      expect(textOf(answer)).toBe(expected)
      expect(answer.at(-1)).toMatchObject({ type: 'result', outcome: 'completed' })
    }
    expect(client.session.pid).toBe(pid)
  })

  it('misses nothing when the answer is read late, and keeps answers apart', async () => {
    run.model.push('one', 'two')
    await client.query('a')
    await untilState(client.session, 'idle')
    await client.query('b')
    await untilState(client.session, 'idle')
    expect(textOf(await collect(client.receiveResponse()))).toBe('one')
    expect(textOf(await collect(client.receiveResponse()))).toBe('two')
  })

  it('skips the rest of an answer whose reader broke off', async () => {
    run.model.push([text('first '), text('rest')], 'second')
    await client.query('a')
    for await (const message of client.receiveResponse()) if (message.type === 'assistant') break
    await client.query('b')
    expect(textOf(await collect(client.receiveResponse()))).toBe('second')
  })

  it('queues messages sent while a turn runs; one can be taken back', async () => {
    run.model.push(reply([text('one')], { delayMs: 400 }), 'two')
    const before = run.model.requests.length
    await client.query('slow')
    await requestOf('slow')
    const dropped = await client.query('dropped', { priority: 'later' })
    await client.query('b', { priority: 'later' })
    while (client.session.queuedMessages().some((message) => message.state === 'sent'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await client.cancelMessage(dropped.uuid)).toBe(true)
    expect(textOf(await collect(client.receiveResponse()))).toBe('one')
    expect(textOf(await collect(client.receiveResponse()))).toBe('two')
    expect(run.model.requests.slice(before).map((request) => request.lastUserText)).toEqual(['slow', 'b'])
  })

  it('interrupts an answer, which then ends with its result', async () => {
    run.model.push(hang({ afterDeltas: 1, blocks: [text('never ends')] }), 'next')
    await client.query('hang')
    await requestOf('hang')
    await client.interrupt()
    const answer = await collect(client.receiveResponse())
    expect(answer.at(-1)).toMatchObject({ type: 'result', outcome: 'interrupted' })
    await client.query('b')
    expect(textOf(await collect(client.receiveResponse()))).toBe('next')
  })
})

describe('ClaudeCodeClient', () => {
  it('refuses what needs a connection without one, and a second one; connects again, and goes on by resume', async () => {
    await using run = await startOfflineAgent(['one', 'two'])
    const client = clientOf(run)
    expect(() => client.session).toThrow('connect()')
    await expect(client.query('a')).rejects.toThrow('connect()')
    await client.connect()
    await expect(client.connect()).rejects.toThrow('already connected')
    const { id } = client.session
    await client.query('remember me')
    await collect(client.receiveResponse())
    await client.disconnect()
    await client.disconnect()
    await client.connect({ resume: id })
    expect(client.session.id).toBe(id)
    await client.query('again')
    const answer: SessionMessage[] = await collect(client.receiveResponse())
    expect(textOf(answer)).toBe('two')
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).toContain('remember me')
    await client.disconnect()
  })
})
