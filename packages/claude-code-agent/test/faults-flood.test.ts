import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { query, type Session, type SessionMessage } from '../src/index.ts'
import { collect, nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'

const count = 200_000
const flood = steps.flood({ count, bytes: 300, numbered: true })
/** The high-water mark, one read and what an answer had before it in the pipe: far from the whole flood. */
const few = 20_000

function numbersOf(messages: readonly { raw: Record<string, unknown> }[]): number[] {
  return messages.flatMap(({ raw }) => (typeof raw.n === 'number' ? [raw.n] : []))
}

function expectUnbroken(numbers: number[], expected = numbers.length): void {
  const first = numbers.findIndex((number, index) => number !== index)
  expect({ count: numbers.length, firstOutOfOrder: first }).toEqual({ count: expected, firstOutOfOrder: -1 })
}

const read = (session: Session): number => session.getState().stats.messageCount

/** Waits until nothing more is read, and returns how many messages that were. */
async function untilReadingStops(session: Session): Promise<number> {
  for (let before = -1; ; ) {
    const now = read(session)
    if (now === before && now > 10) return now
    before = now
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** A reader that took one message and then does something else for ever. */
async function stuckReader(session: Session): Promise<AsyncIterableIterator<SessionMessage>> {
  const iterator = session.messages()
  await iterator.next()
  return iterator
}

async function rest(iterator: AsyncIterableIterator<SessionMessage>): Promise<SessionMessage[]> {
  const messages: SessionMessage[] = []
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) messages.push(next.value)
  return messages
}

describe('a flood of messages', () => {
  it('reaches a fast reader whole and in order', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const numbers: number[] = []
    for await (const { raw } of session.messages()) if (typeof raw.n === 'number') numbers.push(raw.n)
    expectUnbroken(numbers, count)
    expect(session.getState().state).toBe('completed')
  })

  it('reaches every reader of several, a slower one included', async () => {
    await using fake = startFakeAgent([steps.flood({ count: 20_000, numbered: true })], { highWaterMark: 50 })
    const session = await fake.agent.startSession({ keepAlive: true })
    const slow: number[] = []
    const slowly = (async () => {
      for await (const { raw } of session.messages()) {
        if (typeof raw.n !== 'number') continue
        slow.push(raw.n)
        if (raw.n % 1000 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    const quickly = collect(session.messages())
    const ended = nextTurn(session)
    await session.send('go')
    await ended
    await session.close()
    const fast = await quickly
    await slowly
    expectUnbroken(numbersOf(fast), 20_000)
    expectUnbroken(slow, 20_000)
  })

  it('reaches a first reader whole that attaches when the session is there', async () => {
    await using fake = startFakeAgent({
      turns: [[steps.flood({ count: 500, numbered: true })]],
      answers: { initialize: 'late' },
    })
    const session = await fake.start()
    expectUnbroken(numbersOf(await collect(session.messages())), 500)
  })

  it('reaches a second reader whole that attaches with the first one', async () => {
    // Answered late, so that messages are there before the session is.
    await using fake = startFakeAgent({
      turns: [[steps.flood({ count: 500, numbered: true })]],
      answers: { initialize: 'late' },
    })
    const session = await fake.start()
    const [first, second] = await Promise.all([collect(session.messages()), collect(session.messages())])
    expectUnbroken(numbersOf(first), 500)
    expectUnbroken(numbersOf(second), 500)
  })

  it('is read to its end when nobody iterates', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    // By an event, not by waitForCompletion(), which lets reading go on by itself.
    await untilState(session, 'completed')
    expect(read(session)).toBeGreaterThanOrEqual(count)
  })

  it('is delivered by query(), and stopped by leaving the loop', async () => {
    await using fake = startFakeAgent([flood])
    const numbers: number[] = []
    const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path } })
    for await (const message of stream) {
      if (typeof message.n !== 'number') continue
      numbers.push(message.n)
      if (message.n === 5000) break
    }
    expectUnbroken(numbers, 5001)
    await fake.expectAllGone()
  })
})

describe('a reader that is stuck', () => {
  it('stops the reading, and gets everything once it goes on', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const iterator = await stuckReader(session)
    expect(await untilReadingStops(session)).toBeLessThan(few)
    expect(session.getState().state).toBe('running')
    expectUnbroken(numbersOf(await rest(iterator)), count)
    expect(session.getState().state).toBe('completed')
  })

  it('stops it at the mark that was set', async () => {
    await using fake = startFakeAgent([steps.flood({ count: 50_000, bytes: 4000 })], { highWaterMark: 10 })
    const session = await fake.start()
    await stuckReader(session)
    expect(await untilReadingStops(session)).toBeLessThan(500)
    await session.cancel()
  })

  it('that listens to the raw messages stops it too, and gets each of them once', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const received: { raw: Record<string, unknown> }[] = []
    let goOn = () => {}
    const stuck = new Promise<void>((resolve) => {
      goOn = resolve
    })
    session.onRawMessage((raw) => {
      received.push({ raw })
      return stuck
    })
    expect(await untilReadingStops(session)).toBeLessThan(few)
    goOn()
    await untilState(session, 'completed')
    expectUnbroken(numbersOf(received), count)
  })

  it('does not hold up setModel() and other requests, and still stops the reading after them', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const iterator = await stuckReader(session)
    await untilReadingStops(session)
    await session.setModel('another-model')
    expect(await session.getContextUsage()).toHaveProperty('totalTokens')
    expect(await untilReadingStops(session)).toBeLessThan(few)
    expectUnbroken(numbersOf(await rest(iterator)), count)
  })

  it('does not hold up interrupt(), and then reads up to the interrupted result', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start({ keepAlive: true })
    const iterator = await stuckReader(session)
    await untilReadingStops(session)
    await session.interrupt()
    const numbers: number[] = []
    let outcome: string | undefined
    while (!outcome) {
      const { value } = await iterator.next()
      if (typeof value?.raw.n === 'number') numbers.push(value.raw.n)
      if (value?.type === 'result') outcome = value.outcome
    }
    expect(outcome).toBe('interrupted')
    expect(numbers.length).toBeLessThan(few)
    expectUnbroken(numbers)
    await session.close()
  })

  it('does not hold up cancel(), and gets what was read before its end', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const iterator = await stuckReader(session)
    await untilReadingStops(session)
    await session.cancel()
    expect(session.getState().state).toBe('cancelled')
    const numbers = numbersOf(await rest(iterator))
    expect(numbers.length).toBeGreaterThan(1000)
    expectUnbroken(numbers)
  })

  it('does not hold up send(): the message is read by the CLI', async () => {
    await using fake = startFakeAgent({ turns: [[flood], [steps.say('second')]] })
    const session = await fake.start({ keepAlive: true })
    const iterator = await stuckReader(session)
    await untilReadingStops(session)
    await session.send('more')
    const texts: string[] = []
    while (!texts.includes('second')) {
      const { value } = await iterator.next()
      if (value?.type === 'assistant') texts.push(value.content)
    }
    await session.close()
  })

  it('does not keep the end of a crashed CLI from who waits for it', async () => {
    await using fake = startFakeAgent([steps.flood({ count: 20_000 }), steps.crash({ code: 6 })])
    const session = await fake.start()
    await stuckReader(session)
    await untilReadingStops(session)
    await expect(session.waitForCompletion()).rejects.toMatchObject({ code: 'CLI_EXIT', exitCode: 6 })
  })

  it('does not deadlock waitForCompletion(), even if it never reads again', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    session.messages()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
    expect(read(session)).toBeGreaterThanOrEqual(count)
  })

  it('lets go by leaving its loop', async () => {
    await using fake = startFakeAgent([flood])
    const session = await fake.start()
    const leaving = session.messages()
    const other = await stuckReader(session)
    await untilReadingStops(session)
    for await (const message of leaving) if (message.raw.n === 10) break
    expect(await untilReadingStops(session)).toBeLessThan(few)
    await other.return?.()
    await untilState(session, 'completed')
    expect(read(session)).toBeGreaterThanOrEqual(count)
  })
})
