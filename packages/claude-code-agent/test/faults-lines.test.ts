import { type JunkKind, junkKinds, steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { query, type Session, type SessionEvents, type SessionMessage } from '../src/index.ts'
import { collect, nextTurn, textOf } from './support/collect.ts'
import { type FakeAgent, startFakeAgent } from './support/fake-agent.ts'

function recordFaults(session: Session): SessionEvents['fault'][] {
  const faults: SessionEvents['fault'][] = []
  session.on('fault', (fault) => faults.push(fault))
  return faults
}

/** The messages of a turn in a session that has been there for a while. */
async function turnOf(fake: FakeAgent): Promise<SessionMessage[]> {
  const session = await fake.agent.startSession({ keepAlive: true })
  const reading = collect(session.messages())
  const ended = nextTurn(session)
  await session.send('go')
  await ended
  await session.close()
  return reading
}

interface Expected {
  faults: string[]
  /** The types of the messages that arrive between the two texts. */
  messages: string[]
}

const expectations: Record<JunkKind, Expected> = {
  text: { faults: ['malformed'], messages: [] },
  truncated_json: { faults: ['malformed'], messages: [] },
  invalid_utf8: { faults: ['invalid_utf8'], messages: ['junk'] },
  not_object: { faults: Array(5).fill('not_an_object'), messages: [] },
  blank: { faults: [], messages: [] },
  unknown_type: { faults: [], messages: ['junk'] },
  no_type: { faults: [], messages: ['unknown'] },
  unknown_response: { faults: [], messages: [] },
  crlf: { faults: [], messages: ['junk'] },
  // A byte order mark belongs at the start of everything, and nowhere else.
  bom: { faults: ['malformed'], messages: [] },
}

describe('junk between messages', () => {
  it.each(junkKinds)(
    '%s: what is unusable is a fault, what is unknown passes, the session goes on',
    async (kind) => {
      const { faults, messages } = expectations[kind]
      await using fake = startFakeAgent([steps.say('before'), steps.junk(kind), steps.say('after')])
      const session = await fake.agent.startSession({ keepAlive: true })
      const seen = recordFaults(session)
      const reading = session.messages()
      await session.send('go')
      const types: string[] = []
      for await (const message of reading) {
        types.push(message.type === 'assistant' ? message.content : message.type)
        if (message.type === 'result') break
      }
      expect(types.slice(types.indexOf('before') + 1, types.indexOf('after'))).toEqual(messages)
      expect(seen.map((fault) => fault.kind)).toEqual(faults)
      for (const fault of seen) {
        expect(fault.message).not.toBe('')
        expect(fault.bytes).toBeGreaterThan(0)
      }
      expect(session.getState().lastOutcome).toBe('completed')
    },
  )

  it('is a warning where nobody listens for faults', async () => {
    await using fake = startFakeAgent([steps.junk('text'), steps.junk('not_object'), steps.say('after')])
    expect(textOf(await turnOf(fake))).toBe('after')
    expect(fake.warnings).toHaveLength(6)
    expect(fake.warnings[0]).toContain('malformed')
  })

  it('while the session starts is reported to listeners that attach right after it', async () => {
    await using fake = startFakeAgent({ start: [steps.junk('text')], turns: [[steps.say('hello')]] })
    const session = await fake.start()
    const faults = recordFaults(session)
    await session.waitForCompletion()
    expect(faults.map((fault) => fault.kind)).toEqual(['malformed'])
  })

  it('while the session starts is a warning where nobody listens', async () => {
    await using fake = startFakeAgent({ start: [steps.junk('text')], turns: [[steps.say('hello')]] })
    const session = await fake.start()
    await session.waitForCompletion()
    expect(fake.warnings).toEqual([expect.stringContaining('malformed')])
  })

  it('before the first answer does not keep a session from starting', async () => {
    const start = junkKinds.filter((kind) => kind !== 'bom').map((kind) => steps.junk(kind))
    await using fake = startFakeAgent({ start, turns: [[steps.say('hello')]] })
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })

  it('a byte order mark at the start is skipped', async () => {
    await using fake = startFakeAgent({ start: [steps.junk('bom')], turns: [[steps.say('hello')]] })
    const session = await fake.start()
    const messages = await collect(session.messages())
    expect(messages[0]?.type).toBe('junk')
    expect(fake.warnings).toEqual([])
  })

  it('control frames that are none: faults, never an exception', async () => {
    await using fake = startFakeAgent([
      steps.emit({ type: 'control_request' }),
      steps.emit({ type: 'control_request', request_id: 7, request: { subtype: 'can_use_tool' } }),
      steps.emit({ type: 'control_request', request_id: 'x', request: {} }),
      steps.emit({ type: 'control_response' }),
      steps.emit({ type: 'control_response', response: { subtype: 'success' } }),
      steps.emit({ type: 'control_cancel_request', request_id: 'nobody' }),
      steps.emit({ type: 'control_cancel_request' }),
      steps.emit({ type: 'keep_alive' }),
      steps.say('after'),
    ])
    expect(textOf(await turnOf(fake))).toBe('after')
    expect(fake.warnings).toHaveLength(6)
  })

  it('messages whose fields are not what they should be pass through', async () => {
    const odd = [
      { type: 'assistant' },
      { type: 'assistant', message: { content: 5 } },
      { type: 'assistant', message: { content: [null, 3, { type: 'tool_use' }] } },
      { type: 'user', message: null },
      { type: 'user', message: { content: [{ type: 'tool_result' }] } },
      { type: 'system' },
      { type: 'system', subtype: 'session_state_changed', state: 12 },
      { type: 'system', subtype: 'background_tasks_changed', tasks: 'many' },
      { type: 'command_lifecycle' },
      { type: 'stream_event' },
      { type: { nested: true } },
    ]
    await using fake = startFakeAgent([...odd.map((message) => steps.emit(message)), steps.say('after')])
    const session = await fake.start()
    const messages = await collect(session.messages())
    for (const message of odd) expect(messages.map(({ raw }) => raw)).toContainEqual(message)
    expect(textOf(messages)).toBe('after')
    expect(session.getState().state).toBe('completed')
  })

  it('reaches a reader of query() in the same way', async () => {
    await using fake = startFakeAgent([steps.junk('text'), steps.junk('unknown_type'), steps.say('after')])
    const types: string[] = []
    const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path } })
    for await (const message of stream) types.push(message.type)
    expect(types).toEqual(expect.arrayContaining(['junk', 'assistant', 'result']))
  })
})

describe('a line in pieces', () => {
  it('is joined, wherever it was cut', async () => {
    const text = 'größer als ein Stück: 🙂'
    const cuts = [1, 10, 100, 150, 200, 210, 215, 220].map((at) => steps.partial(text, { at, ms: 5 }))
    await using fake = startFakeAgent(cuts)
    const session = await fake.start()
    expect(textOf(await collect(session.messages()))).toBe(text.repeat(cuts.length))
    expect(fake.warnings).toEqual([])
  })

  it('whose second half never comes is a fault, and the exit is reported', async () => {
    await using fake = startFakeAgent([steps.say('whole'), steps.partial('half', { exitCode: 1 })])
    const session = await fake.start()
    const faults = recordFaults(session)
    const error = await session.waitForCompletion().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CLI_EXIT', exitCode: 1 })
    expect(faults).toMatchObject([{ kind: 'truncated' }])
  })
})

describe('a giant line', () => {
  const lengthOf = async (session: Session) => textOf(await collect(session.messages())).length

  it('of 5 MB is delivered whole', async () => {
    await using fake = startFakeAgent([steps.giant({ bytes: 5_000_000 }), steps.say('!')])
    const session = await fake.start()
    const faults = recordFaults(session)
    expect(await lengthOf(session)).toBeGreaterThan(4_999_000)
    expect(faults).toEqual([])
  })

  it('of 70 MB is a fault, and the session goes on', async () => {
    await using fake = startFakeAgent([steps.giant({ bytes: 70_000_000 }), steps.say('after')])
    const session = await fake.start()
    const faults = recordFaults(session)
    expect(textOf(await collect(session.messages()))).toBe('after')
    expect(faults).toMatchObject([{ kind: 'too_long' }])
    expect(faults[0]?.preview).toHaveLength(200)
    expect(session.getState().state).toBe('completed')
  })

  it('of 70 MB is delivered where maxLineBytes allows it', async () => {
    await using fake = startFakeAgent([steps.giant({ bytes: 70_000_000 })], { maxLineBytes: 80_000_000 })
    const session = await fake.start()
    expect(await lengthOf(session)).toBeGreaterThan(69_999_000)
    expect(fake.warnings).toEqual([])
  })

  it('over a smaller limit is a fault', async () => {
    await using fake = startFakeAgent([steps.giant({ bytes: 20_000 }), steps.say('after')], {
      maxLineBytes: 19_999,
    })
    expect(textOf(await turnOf(fake))).toBe('after')
    expect(fake.warnings).toEqual([expect.stringContaining('19999 bytes')])
  })
})
