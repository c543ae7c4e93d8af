import { randomUUID } from 'node:crypto'
import { steps, toolUse } from '@dorkos/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createSdkMcpServer, type MessageState, type Session, tool } from '../src/index.ts'
import { deferred } from '../src/session/deferred.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { sharedSession } from './support/shared-session.ts'

/** Turns and messages of a session as lines, with short names in place of ids. */
function record(session: Session) {
  const names = new Map<string, string>()
  const lines: string[] = []
  const nameOf = (uuid: string) => names.get(uuid) ?? 'first'
  session.on('turnStart', ({ cause, messageUuids }) =>
    lines.push(`turn by ${[cause, ...messageUuids.map(nameOf)].join(' ')}`),
  )
  session.on('turnEnd', ({ outcome, messageUuids }) =>
    lines.push(`${[outcome, ...messageUuids.map(nameOf)].join(' ')}`),
  )
  session.on('messageState', ({ uuid, state }) => lines.push(`${nameOf(uuid)} ${state}`))
  return {
    lines,
    id(name: string): string {
      const uuid = randomUUID()
      names.set(uuid, name)
      return uuid
    },
    /** What was said of turns alone. */
    turns: () => lines.filter((line) => /^(turn|completed|interrupted)/.test(line)),
    of: (name: string) =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]),
  }
}

let gate = deferred<void>()
const release = tool({
  name: 'release',
  description: 'Answers when it is told to',
  inputSchema: {},
  handler: async () => {
    await gate.promise
    return 'released'
  },
})
const shared = sharedSession({
  mcpServers: { open: createSdkMcpServer({ name: 'open', tools: [release] }) },
  allowedTools: ['mcp__open', 'Bash(*)'],
})

/** Begins a turn that waits in a tool until it is released; the model then answers with these. */
async function atWork(...answers: string[]) {
  const { session } = shared
  gate = deferred<void>()
  const seen = record(session)
  shared.run.model.push(toolUse('mcp__open__release'), ...answers)
  await session.send('first')
  await untilState(session, 'waiting_tool_call')
  return { session, seen, release: () => gate.resolve() }
}

describe('turns and messages, on the real CLI', () => {
  afterEach(() => expect([shared.run.model.remaining, ...shared.run.model.problems]).toEqual([0]))

  it('a message that is sent into a turn belongs to it', async () => {
    const { session, seen, release } = await atWork('ok')
    const over = nextTurn(session)
    await session.send('second', { uuid: seen.id('second') })
    await session.send('third', { uuid: seen.id('third'), priority: 'next' })
    release()
    await over
    await untilState(session, 'idle')
    expect(seen.turns()).toEqual(['turn by message first', 'completed first second third'])
    for (const name of ['first', 'second', 'third'])
      expect(seen.of(name)).toEqual(['queued', 'started', 'completed'])
  })

  it('messages that wait for its end begin one together', async () => {
    const { session, seen, release } = await atWork('ok', 'ok')
    await session.send('second', { uuid: seen.id('second'), priority: 'later' })
    await session.send('third', { uuid: seen.id('third'), priority: 'later' })
    release()
    await untilState(session, 'idle')
    expect(seen.turns()).toEqual([
      'turn by message first',
      'completed first',
      'turn by message second third',
      'completed second third',
    ])
  })

  it('one that is sent now ends the turn, and the message of that is cancelled', async () => {
    const { session, seen } = await atWork('ok')
    await session.send('second', { uuid: seen.id('second'), priority: 'now' })
    await untilState(session, 'idle')
    expect(seen.turns()).toEqual([
      'turn by message first',
      'interrupted first',
      'turn by message second',
      'completed second',
    ])
    expect(seen.of('first')).toEqual(['queued', 'started', 'cancelled'])
    expect(seen.of('second')).toEqual(['queued', 'started', 'completed'])
  })

  it('one that is taken back is part of none', async () => {
    const { session, seen, release } = await atWork('ok')
    const uuid = seen.id('second')
    await session.send('second', { uuid, priority: 'later' })
    expect(await session.cancelMessage(uuid)).toBe(true)
    release()
    await untilState(session, 'idle')
    expect(seen.turns()).toEqual(['turn by message first', 'completed first'])
    expect(seen.of('second').at(-1)).toBe('cancelled')
  })

  it('every message of a turn comes between its two events', async () => {
    const { session } = shared
    const order: string[] = []
    const listeners = [
      session.on('turnStart', () => order.push('[')),
      session.on('turnEnd', () => order.push(']')),
      session.on('message', ({ type, raw }) => {
        if (type === 'assistant' || type === 'result' || raw.subtype === 'init') order.push(type)
      }),
    ]
    await shared.turn(['one'])
    await shared.turn(['two'], 'again')
    for (const stop of listeners) stop()
    const turn = ['[', 'system', 'assistant', 'result', ']']
    expect(order).toEqual([...turn, ...turn])
  })

  it('work in the background begins one without a message', async () => {
    const { session } = shared
    const seen = record(session)
    const woken = new Promise((resolve) =>
      session.on('turnStart', ({ cause }) => cause === 'background' && resolve(nextTurn(session))),
    )
    const work = toolUse('Bash', { command: 'echo done', description: 'x', run_in_background: true })
    shared.run.model.push(work, 'ok', 'ok')
    await session.send('first')
    await woken
    expect(seen.turns()).toEqual([
      'turn by message first',
      'completed first',
      'turn by background',
      'completed',
    ])
  })
})

describe('turns and messages, on a CLI with faults', () => {
  it('a result that no init announced has a beginning all the same', async () => {
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'again' }
    await using started = startFakeAgent([steps.say('hi'), steps.result({}), steps.emit(result)])
    const session = await started.agent.startSession({ prompt: 'first', keepAlive: true })
    const seen = record(session)
    const ended = new Promise((resolve) =>
      session.on('turnEnd', ({ result: { content } }) => content === 'again' && resolve(true)),
    )
    await ended
    expect(seen.turns().filter((line) => line.startsWith('turn')).length).toBe(
      seen.turns().filter((line) => line.startsWith('completed')).length,
    )
  })

  it('a report of a state that is not known is passed over', async () => {
    const states: MessageState[] = []
    const uuid = randomUUID()
    const odd = { type: 'command_lifecycle', command_uuid: uuid, state: 'pondered' }
    await using started = startFakeAgent([steps.emit(odd), steps.say('hi')])
    const session = await started.agent.startSession({ keepAlive: true })
    session.on('messageState', ({ state }) => states.push(state))
    await session.send('one', { uuid })
    await nextTurn(session)
    await untilState(session, 'idle')
    expect(states).toEqual(['queued', 'started', 'completed'])
  })
})
