/** `POST …/messages`: the same request twice is one message, and the answer can be the turn itself. */
import { toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Gate } from './support/gate.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(prompts.script)
})
afterEach(() => session?.close())
afterAll(() => host?.close())

const send = (content: string, idempotencyKey: string) =>
  host.client.sendMessage({ params: session.params, body: { content }, idempotencyKey })

describe('an Idempotency-Key', () => {
  it('makes one message of two requests, also long after, and refuses another body', async () => {
    session = await Conversation.open(host)
    const content = prompts.on('only once', 'once')
    const [first, second] = await Promise.all([send(content, 'key-1'), send(content, 'key-1')])
    expect(second.turn.id).toBe(first.turn.id)
    await session.end(first.turn)
    const third = await send(content, 'key-1')
    expect(third.turn).toMatchObject({ id: first.turn.id, state: 'ended', outcome: 'completed' })
    await expect(send('something else', 'key-1')).rejects.toMatchObject({
      code: 'idempotency_mismatch',
      status: 409,
    })
    await session.end((await send(prompts.on('another key', 'two'), 'key-2')).turn)
    expect(session.watch.text).toBe('oncetwo')
    expect(session.watch.of('turn_start')).toHaveLength(2)
  })

  it('makes one session of two requests, with one first message', async () => {
    const body = { content: prompts.on('be born', 'born'), title: 'only one' }
    const create = (title = body.title) =>
      host.client.createSession({ body: { ...body, title }, idempotencyKey: 'session-1' })
    const [first, second] = await Promise.all([create(), create()])
    expect(second.session.id).toBe(first.session.id)
    expect(second.message?.turn.id).toBe(first.message?.turn.id)
    session = new Conversation(host, first.session.id)
    await session.endOf(1)
    expect((await create()).message?.turn).toMatchObject({ state: 'ended' })
    const { sessions } = await host.client.listSessions({ query: {} })
    expect(sessions.filter(({ title }) => title === 'only one')).toHaveLength(1)
    await expect(create('not the same')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })
})

describe('a message that is asked for as an event stream', () => {
  it('streams its own turn, from its acceptance to its end', async () => {
    session = await Conversation.open(host, { permission_mode: 'acceptEdits' })
    await session.say(prompts.on('before', 'not in the stream'))
    const gate = new Gate()
    const hold = async () => {
      await gate.opened
      return 'the turn before'
    }
    const other = await session.send(prompts.on('meanwhile', hold))
    const content = prompts.on('tell me', toolUse('mcp__dorkos__ping'), 'told you')
    const frames: string[] = []
    let said = ''
    const stream = host.client.streamMessage({ params: session.params, body: { content } })
    for await (const frame of stream) {
      if (frame.frame === 'accepted') gate.open()
      if (frame.frame === 'message' && frame.event.type === 'text_delta') said += frame.event.text
      frames.push(frame.frame === 'message' ? frame.event.type : frame.frame)
    }
    expect(said).toBe('told you')
    expect(frames[0]).toBe('accepted')
    expect(frames[1]).toBe('turn_start')
    expect(frames.filter((name) => name === 'turn_end')).toHaveLength(1)
    expect(frames.at(-1)).toBe('turn_end')
    expect(frames).toEqual(
      expect.arrayContaining(['user_message', 'tool_call_start', 'tool_call_end', 'tool_result']),
    )
    expect(await session.turn(other.id)).toMatchObject({ outcome: 'completed' })
  })

  it('of a message that goes into a running turn ends with that turn', async () => {
    session = await Conversation.open(host, { permission_mode: 'acceptEdits' })
    const gate = new Gate()
    const hold = async () => {
      await gate.opened
      return toolUse('mcp__dorkos__ping')
    }
    const running = await session.send(prompts.on('a long task', hold, 'both done'))
    await session.watch.next('turn_start', ({ turn_id }) => turn_id === running.id)
    const body = { content: 'and this too', delivery: 'steer' as const }
    const frames: string[] = []
    for await (const frame of host.client.streamMessage({ params: session.params, body })) {
      if (frame.frame === 'accepted') gate.open()
      if (frame.frame === 'message') frames.push(frame.event.type)
    }
    expect(frames).toContain('user_message')
    expect(frames.at(-1)).toBe('turn_end')
  })

  it('is a plain answer of 202 otherwise, given at once', async () => {
    session = await Conversation.open(host)
    const response = await fetch(`${host.server.url}/api/sessions/${session.id}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await host.server.ownToken()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ content: prompts.on('plainly', 'plain') }),
    })
    expect(response.status).toBe(202)
    const { turn } = (await response.json()) as { turn: { id: string } }
    expect(await session.end(turn)).toMatchObject({ outcome: 'completed' })
  })
})
