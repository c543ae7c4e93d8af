import { randomUUID } from 'node:crypto'
import { reply, type Script, steps, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { MessageState, Session } from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { openTool } from './support/open-tool.ts'

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

const callsToolFirst: Script = (request) =>
  request.lastUserText === 'first' && request.toolResults.length === 0 ? toolUse('mcp__open__release') : 'ok'

/** A session whose first turn waits in a tool until it is released. */
async function atWork() {
  const open = openTool()
  const started = await startOfflineAgent(callsToolFirst, {
    mcpServers: { open: open.server },
    allowedTools: ['mcp__open'],
  })
  const session = await started.agent.startSession({ prompt: 'first', keepAlive: true })
  const seen = record(session)
  await untilState(session, 'waiting_tool_call')
  return { ...started, session, seen, release: open.release }
}

describe('turns and messages, on the real CLI', () => {
  it('a message that is sent into a turn belongs to it', async () => {
    const { session, seen, release, ...started } = await atWork()
    await using _ = started
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
    const { session, seen, release, ...started } = await atWork()
    await using _ = started
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
    const { session, seen, ...started } = await atWork()
    await using _ = started
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
    const { session, seen, release, ...started } = await atWork()
    await using _ = started
    const uuid = seen.id('second')
    await session.send('second', { uuid, priority: 'later' })
    expect(await session.cancelMessage(uuid)).toBe(true)
    release()
    await untilState(session, 'idle')
    expect(seen.turns()).toEqual(['turn by message first', 'completed first'])
    expect(seen.of('second').at(-1)).toBe('cancelled')
  })

  it('work in the background begins one without a message', async () => {
    const script: Script = (request) =>
      request.lastUserText === 'first' && request.toolResults.length === 0
        ? toolUse('Bash', { command: 'echo done', description: 'x', run_in_background: true })
        : reply([text('ok')])
    await using started = await startOfflineAgent(script, { allowedTools: ['Bash(*)'] })
    const session = await started.agent.startSession({ prompt: 'first', keepAlive: true })
    const seen = record(session)
    const woken = new Promise((resolve) =>
      session.on('turnStart', ({ cause }) => cause === 'background' && resolve(nextTurn(session))),
    )
    await woken
    expect(seen.turns()).toEqual([
      'turn by message first',
      'completed first',
      'turn by background',
      'completed',
    ])
  })

  it('every message of a turn comes between its two events', async () => {
    await using started = await startOfflineAgent(['one', 'two'])
    const session = await started.agent.startSession({ prompt: 'first', keepAlive: true })
    const order: string[] = []
    session.on('turnStart', () => order.push('['))
    session.on('turnEnd', () => order.push(']'))
    session.on('message', ({ type, raw }) => {
      if (type === 'assistant' || type === 'result' || raw.subtype === 'init') order.push(type)
    })
    await untilState(session, 'idle')
    await session.send('again')
    await untilState(session, 'idle')
    const turn = ['[', 'system', 'assistant', 'result', ']']
    expect(order).toEqual([...turn, ...turn])
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
