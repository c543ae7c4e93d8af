import { hang, reply, text } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeClient, type SessionMessage } from '../src/index.ts'
import { collect, textOf, untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

const clientOf = (run: OfflineAgent) => new ClaudeCodeClient(run.agent.options)

describe('ClaudeCodeClient', () => {
  it('runs many turns in one process, each answer up to its result', async () => {
    await using run = await startOfflineAgent(['one', 'two', 'three'])
    await using client = clientOf(run)
    await client.connect()
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
    await using run = await startOfflineAgent(['one', 'two'])
    await using client = clientOf(run)
    await client.connect()
    await client.query('a')
    await untilState(client.session, 'idle')
    await client.query('b')
    await untilState(client.session, 'idle')
    expect(textOf(await collect(client.receiveResponse()))).toBe('one')
    expect(textOf(await collect(client.receiveResponse()))).toBe('two')
  })

  it('skips the rest of an answer whose reader broke off', async () => {
    await using run = await startOfflineAgent([[text('first '), text('rest')], 'second'])
    await using client = clientOf(run)
    await client.connect()
    await client.query('a')
    for await (const message of client.receiveResponse()) if (message.type === 'assistant') break
    await client.query('b')
    expect(textOf(await collect(client.receiveResponse()))).toBe('second')
  })

  it('queues messages sent while a turn runs; one can be taken back', async () => {
    await using run = await startOfflineAgent([reply([text('one')], { delayMs: 400 }), 'two'])
    await using client = clientOf(run)
    await client.connect()
    await client.query('a')
    await run.model.waitForRequest(1)
    const dropped = await client.query('dropped', { priority: 'later' })
    await client.query('b', { priority: 'later' })
    while (client.session.queuedMessages().some((message) => message.state === 'sent'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await client.cancelMessage(dropped.uuid)).toBe(true)
    expect(textOf(await collect(client.receiveResponse()))).toBe('one')
    expect(textOf(await collect(client.receiveResponse()))).toBe('two')
    expect(run.model.requests.map((request) => request.lastUserText)).toEqual(['a', 'b'])
  })

  it('interrupts an answer, which then ends with its result', async () => {
    await using run = await startOfflineAgent([
      hang({ afterDeltas: 1, blocks: [text('never ends')] }),
      'next',
    ])
    await using client = clientOf(run)
    await client.connect()
    await client.query('a')
    await run.model.waitForRequest(1)
    await client.interrupt()
    const answer = await collect(client.receiveResponse())
    expect(answer.at(-1)).toMatchObject({ type: 'result', outcome: 'interrupted' })
    await client.query('b')
    expect(textOf(await collect(client.receiveResponse()))).toBe('next')
  })

  it('refuses what needs a connection without one, and a second connection', async () => {
    await using run = await startOfflineAgent([])
    const client = clientOf(run)
    expect(() => client.session).toThrow('connect()')
    await expect(client.query('a')).rejects.toThrow('connect()')
    await client.connect()
    await expect(client.connect()).rejects.toThrow('already connected')
    await client.disconnect()
    await client.disconnect()
  })

  it('connects again, and goes on with the conversation by resume', async () => {
    await using run = await startOfflineAgent(['one', 'two'])
    const client = clientOf(run)
    await client.connect()
    const { id } = client.session
    await client.query('remember me')
    await collect(client.receiveResponse())
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
