/** The CLI processes behind the sessions: how many, which of them end, and what becomes of a turn when one dies. */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hang, toolUse } from '@dorkos/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { cliPid } from './support/cli-process.ts'
import { Conversation } from './support/conversation.ts'
import { Gate } from './support/gate.ts'
import { Prompts } from './support/prompts.ts'
import { createShiftingClock } from './support/shifting-clock.ts'
import { type Host, type HostOptions, startHost } from './support/start-host.ts'

let prompts: Prompts
let host: Host
const open: Conversation[] = []
afterEach(async () => {
  for (const { watch } of open.splice(0)) await watch.close()
  await host?.close()
})

async function start(options: HostOptions): Promise<void> {
  prompts = new Prompts()
  host = await startHost(prompts.script, options)
}

async function session(): Promise<Conversation> {
  const conversation = await Conversation.open(host)
  open.push(conversation)
  return conversation
}

const lives = async (...conversations: Conversation[]) => {
  const { sessions } = await host.client.listSessions({ query: { live: 'true' } })
  return conversations.map(({ id }) => sessions.some((live) => live.id === id))
}
const twoPlaces = { config: { sessions: { maxLive: 2, prewarm: false } } }

describe('live processes', () => {
  it('make room for others, least recently used first, and go on from the transcript', async () => {
    await start(twoPlaces)
    const [a, b, c] = [await session(), await session(), await session()]
    await a.say(prompts.on('I am a', 'hello a'))
    await b.say(prompts.on('I am b', 'hello b'))
    expect(await lives(a, b)).toEqual([true, true])
    await c.say(prompts.on('I am c', 'hello c'))
    expect(await lives(a, b, c)).toEqual([false, true, true])

    const end = await a.say(
      prompts.on('who am I?', ({ messages }) => JSON.stringify(messages).match(/I am \w/)?.[0] ?? '?'),
    )
    expect(end).toMatchObject({ outcome: 'completed' })
    expect(a.watch.text).toBe('hello aI am a')
    expect(await lives(a, b, c)).toEqual([true, false, true])
    const epochs = a.watch.events.map(({ id }) => Number(id.split('-')[0]))
    expect(epochs).toEqual(epochs.toSorted((x, y) => x - y))
    expect([...new Set(epochs)]).toEqual([1, 2])
    expect(a.watch.of('session_taken_over').map(({ id }) => id)).toEqual(['1-1', '2-1'])
  })

  it('are not taken from one that works: the next waits, says so, and runs when a place is free', async () => {
    await start(twoPlaces)
    const gates = [new Gate(), new Gate()] as const
    const [a, b, c] = [await session(), await session(), await session()]
    const hold = (gate: Gate) => async () => {
      await gate.opened
      return 'done'
    }
    const first = await a.send(prompts.on('busy a', hold(gates[0])))
    await a.watch.next('turn_start')
    await b.send(prompts.on('busy b', hold(gates[1])))
    await b.watch.next('turn_start')
    const third = await c.send(prompts.on('patient c', 'at last'))
    await c.watch.next('notice', ({ code }) => code === 'waiting_for_slot')
    expect(await lives(a, b, c)).toEqual([true, true, false])
    expect(await c.turn(third.id)).toMatchObject({ state: 'queued' })
    gates[0].open()
    expect(await a.end(first)).toMatchObject({ outcome: 'completed' })
    expect(await c.end(third)).toMatchObject({ outcome: 'completed' })
    expect(await lives(a, b, c)).toEqual([false, true, true])
    gates[1].open()
    expect(await b.endOf(1)).toMatchObject({ outcome: 'completed' })
  })

  it('end when they idle longer than the configuration says; one that works does not', async () => {
    const clock = createShiftingClock()
    await start({ clock, config: { sessions: { idleMinutes: 5, prewarm: false } } })
    await host.client.changeConfig({ body: { set: { 'sessions.idleMinutes': 1 } } })
    const gate = new Gate()
    const [a, b] = [await session(), await session()]
    await a.say(prompts.on('I am a', 'hello a'))
    const turn = await b.send(prompts.on('busy b', async () => gate.opened.then(() => 'done')))
    await b.watch.next('turn_start')
    clock.advance(90_000)
    await a.watch.next('session_status', (event) => !event.live && a.watch.of('turn_end').length === 1)
    expect(await lives(a, b)).toEqual([false, true])
    gate.open()
    expect(await b.end(turn)).toMatchObject({ outcome: 'completed' })
    expect(await a.say(prompts.on('awake?', 'awake'))).toMatchObject({ outcome: 'completed' })
  })

  it('that are killed end their turn with a reason; what was said is kept, and the next message runs', async () => {
    await start({})
    const a = await session()
    await a.say(prompts.on('first', 'one'))
    const turn = await a.send(prompts.on('talk', hang({ afterDeltas: 3 })))
    await a.watch.next(
      'text_delta',
      ({ message_id }) => message_id !== a.watch.of('text_delta')[0]?.message_id,
    )
    process.kill(cliPid(host.root, a.id), 'SIGKILL')
    const end = await a.end(turn)
    expect(end).toMatchObject({
      outcome: 'interrupted',
      reason: expect.stringMatching(/killed|SIGKILL|ended/i),
    })
    expect(await a.turn(turn.id)).toMatchObject({
      state: 'ended',
      outcome: 'interrupted',
      reason: end.reason,
    })
    expect(await a.session()).toMatchObject({ live: false, state: 'interrupted' })
    const partial = a.watch.text
    expect(partial.length).toBeGreaterThan('one'.length)

    expect(await a.say(prompts.on('still there?', 'yes'))).toMatchObject({ outcome: 'completed' })
    expect(a.watch.text).toBe(`${partial}yes`)
    const last = host.model.requests.findLast(({ sessionId }) => sessionId === a.id)
    // The CLI writes its transcript a moment later: a message that it was killed over may be missing there.
    expect(JSON.stringify(last?.messages)).toMatch(/first.*one.*still there/)
  })

  it('that are killed in a call: the model learns that it was made, and that its outcome is unknown', async () => {
    await start({})
    const a = await session()
    await a.say(prompts.on('first', 'one'))
    const started = join(host.cwd, 'started')
    // A command outlives the CLI that is killed: this one ends with the host's folders.
    const command = `touch ${started}; while [ -e ${started} ]; do sleep 0.1; done`
    const turn = await a.send(prompts.on('work', toolUse('Bash', { command }, 'toolu_cut_off')))
    await a.answer()
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 20))
    process.kill(cliPid(host.root, a.id), 'SIGKILL')
    expect(await a.end(turn)).toMatchObject({ outcome: 'interrupted', reason_code: 'process_ended' })

    expect(await a.say(prompts.on('go on', 'gone on'))).toMatchObject({ outcome: 'completed' })
    const { messages = [] } = host.model.requests.findLast(({ sessionId }) => sessionId === a.id) ?? {}
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    expect(blocks).toContainEqual(expect.objectContaining({ type: 'tool_use', id: 'toolu_cut_off' }))
    expect(blocks).toContainEqual(
      expect.objectContaining({
        type: 'tool_result',
        tool_use_id: 'toolu_cut_off',
        is_error: true,
        content: expect.stringContaining('outcome is unknown'),
      }),
    )
    const published = a.watch.events.filter((event) => 'tool_call_id' in event).map(({ type }) => type)
    expect(published).not.toContain('tool_result')
    const { events } = await host.client.getHistory({ params: a.params, query: {} })
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['tool_call_end', 'turn_end', 'tool_result']),
    )
    const result = events.findIndex(({ type }) => type === 'tool_result')
    expect(events.slice(0, result).filter(({ type }) => type === 'turn_end')).toHaveLength(2)
  })

  it('that do not start fail their turn with a sentence, and the server goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dorkos-broken-cli-'))
    const cliPath = join(folder, 'claude')
    writeFileSync(
      cliPath,
      '#!/bin/sh\ncase "$1" in --version) echo "2.1.325 (Claude Code)"; exit 0;; esac\necho "cannot find my config" >&2\nexit 1\n',
    )
    chmodSync(cliPath, 0o755)
    try {
      await start({ config: { cliPath, sessions: { prewarm: false } } })
      const a = await session()
      const end = await a.say('anybody there?')
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('cannot find my config'),
      })
      expect(await a.session()).toMatchObject({ state: 'failed', live: false, queued_messages: 0 })
      expect(a.watch.of('user_message')).toMatchObject([{ content: 'anybody there?' }])
      await expect(host.client.startSession({ params: a.params, body: {} })).rejects.toMatchObject({
        code: 'agent_failed',
      })
      expect(await a.say('and now?')).toMatchObject({ outcome: 'failed' })
      expect(await host.client.getHealth()).toMatchObject({ status: 'ok' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
