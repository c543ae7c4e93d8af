/** Turns of a live session, over HTTP, with the real CLI: in order, one at a time, and steered by a person. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointBody, SessionSnapshot, Turn } from '@dorkos/shared'
import { hang, text, toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cliPid } from './support/cli-process.ts'
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

async function start(body: EndpointBody<'createSession'> = {}): Promise<Conversation> {
  session = await Conversation.open(host, body)
  return session
}

/** A prompt whose answer waits for the gate. */
function held(prompt: string, gate: Gate, ...answers: Parameters<Prompts['on']>[1][]): string {
  const [first = 'done', ...others] = answers
  const wait = async (request: Parameters<Prompts['script']>[0]) => {
    await gate.opened
    return typeof first === 'function' ? first(request) : first
  }
  return prompts.on(prompt, wait, ...others)
}

const running = (turn: Turn) => session.watch.next('turn_start', ({ turn_id }) => turn_id === turn.id)
/** What a client is given that knows nothing of the session. */
async function snapshotOf({ id }: Conversation): Promise<SessionSnapshot> {
  for await (const frame of host.client.followSession(id))
    if (frame.frame === 'snapshot') return frame.snapshot
  throw new Error('the stream ended without a snapshot')
}

const requestsOf = (id: string) =>
  host.model.requests.filter((request) => request.sessionId === id && request.kind === 'main')

describe('turns', () => {
  it('run in a process that was started ahead, and all in the same', async () => {
    await start()
    await session.watch.next('session_status', ({ live }) => live)
    const pid = cliPid(host.root, session.id)
    expect(await session.session()).toMatchObject({ live: true, state: 'idle', origin: 'dorkos' })
    expect(await session.say(prompts.on('hello', 'hi'))).toMatchObject({ outcome: 'completed' })
    expect(await session.say(prompts.on('and again', 'hi again'))).toMatchObject({ outcome: 'completed' })
    expect(session.watch.text).toBe('hihi again')
    expect(cliPid(host.root, session.id)).toBe(pid)
    expect(new Set(session.watch.events.map(({ id }) => id.split('-')[0]))).toEqual(new Set(['1']))
    expect(
      session.watch.of('session_status').filter(({ reason }) => reason === 'the process started'),
    ).toHaveLength(1)
    expect(await session.session()).toMatchObject({
      first_prompt: 'hello',
      state: 'idle',
      queued_messages: 0,
    })
  })

  it('wait in line, where they can be edited and taken back', async () => {
    const gate = new Gate()
    const { message } = await host.client.createSession({
      body: { content: held('one', gate, 'first') },
    })
    if (!message) throw new Error('the first message is missing')
    session = new Conversation(host, message.turn.session_id)
    await running(message.turn)
    const two = await session.send(prompts.on('two', 'second'))
    const three = await session.send('three')
    const four = await session.send('four')
    expect([two, three, four].map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    expect(await session.session()).toMatchObject({ state: 'working', queued_messages: 3 })

    const messages = { ...session.params }
    const edited = await host.client.editMessage({
      params: { ...messages, messageId: three.id },
      body: { content: prompts.on('three, better', 'third') },
    })
    expect(edited).toMatchObject({ id: three.id, content: 'three, better', state: 'queued' })
    await host.client.withdrawMessage({ params: { ...messages, messageId: four.id } })
    const late = { ...messages, messageId: message.turn.id }
    await expect(host.client.editMessage({ params: late, body: { content: 'x' } })).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
    })
    await expect(host.client.withdrawMessage({ params: late })).rejects.toMatchObject({ code: 'conflict' })
    gate.open()
    await session.end(three)

    expect(session.watch.text).toBe('firstsecondthird')
    const begun = session.watch.of('turn_start').map(({ turn_id }) => turn_id)
    expect(begun).toEqual([message.turn.id, two.id, three.id])
    expect(session.watch.of('user_message').map(({ content }) => content)).toEqual([
      'one',
      'two',
      'three, better',
    ])
    expect(await session.turn(four.id)).toMatchObject({ state: 'ended', outcome: 'withdrawn' })
    expect(session.watch.of('queue_update').map(({ queue }) => queue.length)).toContain(3)
    expect(session.watch.of('queue_update').at(-1)?.queue).toEqual([])
  })

  it('take in what a person steers', async () => {
    const gate = new Gate()
    await start({ permission_mode: 'acceptEdits' })
    const turn = await session.send(
      held('work', gate, toolUse('mcp__dorkos__ping'), toolUse('mcp__dorkos__ping'), 'done'),
    )
    await running(turn)
    const queued = await session.send('mind the queue')
    const steered = await session.send('mind the gap', 'steer')
    const messageId = queued.id
    await host.client.steerMessage({ params: { ...session.params, messageId }, body: {} })
    gate.open()
    expect(await session.end(turn)).toMatchObject({ outcome: 'completed' })
    for (const { id } of [steered, queued])
      expect(await session.turn(id)).toMatchObject({
        state: 'ended',
        cause: 'steer',
        outcome: 'joined',
        joined_turn: turn.id,
      })
    const said = session.watch.of('user_message').filter(({ turn_id }) => turn_id === turn.id)
    expect(said.map(({ content }) => content)).toEqual(['work', 'mind the gap', 'mind the queue'])
    expect(session.watch.of('turn_start')).toHaveLength(1)
    expect(
      requestsOf(session.id)
        .map(({ newText }) => newText)
        .join(),
    ).toContain('mind the gap')
    // One that comes too late for the turn that it was put into begins the next, and is known for what it is.
    const [ending, answering] = [new Gate(), new Gate()]
    const last = await session.send(held('one more', ending, 'over'))
    await running(last)
    const late = await session.send(held('mind the end', answering, 'minded'), 'steer')
    ending.open()
    expect(await running(late)).toMatchObject({ cause: 'steer' })
    expect(await session.turn(late.id)).toMatchObject({ state: 'running', cause: 'steer' })
    expect((await snapshotOf(session)).turn[0]).toMatchObject({
      type: 'turn_start',
      turn_id: late.id,
      cause: 'steer',
    })
    answering.open()
    await session.end(late)
    expect(await session.turn(late.id)).toMatchObject({ outcome: 'completed', cause: 'steer' })
  })

  it('can be interrupted by a program that has the next one run, or the others taken back', async () => {
    await start()
    const turn = await session.send(prompts.on('talk', hang({ afterDeltas: 3 })))
    await session.watch.next('text_delta')
    const next = await session.send(prompts.on('now this', 'fine'))
    await host.client.interruptSession({ params: session.params, body: { hold_queued: false } })
    expect(await session.end(turn)).toMatchObject({
      outcome: 'interrupted',
      reason: 'The turn was interrupted.',
      reason_code: 'person',
    })
    expect(await session.turn(turn.id)).toMatchObject({ reason_code: 'person' })
    expect(await session.end(next)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.text).toMatch(/.+fine$/)

    const song = hang({ afterDeltas: 1, blocks: [text('Once more')] })
    const again = await session.send(prompts.on('sing', song))
    await session.watch.next('text_delta', (event) => event.text.startsWith('O'))
    const dropped = await session.send('never said')
    await host.client.interruptSession({ params: session.params, body: { cancel_queued: true } })
    expect(await session.end(again)).toMatchObject({ outcome: 'interrupted' })
    expect(await session.turn(dropped.id)).toMatchObject({ outcome: 'withdrawn' })
    expect(await session.session()).toMatchObject({ state: 'interrupted', live: true, queued_messages: 0 })
    // Nothing to interrupt is no error.
    await host.client.interruptSession({ params: session.params, body: {} })
  })

  it('hold still while paused', async () => {
    const gate = new Gate()
    const file = join(host.cwd, 'paused.txt')
    await start({ permission_mode: 'acceptEdits' })
    const turn = await session.send(
      held('write', gate, toolUse('Write', { file_path: file, content: 'written' }), 'done'),
    )
    await running(turn)
    const next = await session.send(prompts.on('after the pause', 'here'))
    expect(await host.client.pauseSession({ params: session.params, body: {} })).toMatchObject({
      state: 'paused',
    })
    gate.open()
    await session.watch.next('tool_call_end')
    // Had the tool run, the model would soon hear of it.
    const request = host.model.waitForRequest(
      ({ sessionId, toolResults }) => sessionId === session.id && toolResults.length > 0,
      { timeoutMs: 2000 },
    )
    await expect(request).rejects.toThrow('No such model request')
    expect(existsSync(file)).toBe(false)
    expect(session.watch.of('tool_result')).toEqual([])
    expect(await session.session()).toMatchObject({ state: 'paused' })

    await host.client.resumeSession({ params: session.params, body: {} })
    expect(await session.end(turn)).toMatchObject({ outcome: 'completed' })
    expect(existsSync(file)).toBe(true)
    expect(await session.end(next)).toMatchObject({ outcome: 'completed' })
  })
})
