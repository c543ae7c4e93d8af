import { expect, test } from 'vitest'
import {
  dueEntries,
  fromStored,
  newEntry,
  nextDueAt,
  type Outbox,
  type OutboxInput,
  reduceOutbox,
  shownEntries,
  toStored,
} from './outbox.ts'

function entry(key: string, sessionId = 's') {
  return newEntry({ key, sessionId, content: `message ${key}`, delivery: 'queue', principal: 'owner' }, 1000)
}

function after(...inputs: OutboxInput[]): Outbox {
  return inputs.reduce<Outbox>(reduceOutbox, [])
}

const added = (key: string, sessionId?: string): OutboxInput => ({
  type: 'added',
  entry: entry(key, sessionId),
})
const keysDue = (outbox: Outbox, now = 0) => dueEntries(outbox, now).map(({ key }) => key)

test('messages of one session go one after the other, those of two beside each other', () => {
  const outbox = after(added('a'), added('b'), added('c', 'other'))
  expect(keysDue(outbox)).toEqual(['a', 'c'])
  const sending = reduceOutbox(outbox, { type: 'sending', key: 'a' })
  expect(keysDue(sending)).toEqual(['c'])
  expect(keysDue(reduceOutbox(sending, { type: 'accepted', key: 'a', turnId: 't', now: 0 }))).toEqual([
    'b',
    'c',
  ])
})

test('one that got no answer waits, with the others behind it, and is tried again ever more slowly', () => {
  let outbox = after(added('a'), added('b'))
  const delays: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) {
    outbox = reduceOutbox(outbox, { type: 'sending', key: 'a' })
    outbox = reduceOutbox(outbox, { type: 'unreachable', key: 'a', now: 0 })
    delays.push(outbox[0]?.retryAt ?? 0)
    expect(keysDue(outbox, (outbox[0]?.retryAt ?? 0) - 1)).toEqual([])
    expect(keysDue(outbox, outbox[0]?.retryAt)).toEqual(['a'])
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect(nextDueAt(outbox)).toBe(30_000)
})

test('when the connection is back all that wait are due, with the same key', () => {
  const outbox = after(
    added('a'),
    { type: 'sending', key: 'a' },
    { type: 'unreachable', key: 'a', now: 5000 },
    { type: 'retry' },
  )
  expect(keysDue(outbox, 0)).toEqual(['a'])
  expect(outbox[0]).toMatchObject({ key: 'a', content: 'message a' })
})

test('a refused one stays for a person, and holds up nobody', () => {
  const outbox = after(added('a'), added('b'), { type: 'refused', key: 'a', fault: 'too large' })
  expect(outbox[0]).toMatchObject({ state: 'failed', fault: 'too large' })
  expect(keysDue(outbox)).toEqual(['b'])
  expect(keysDue(reduceOutbox(outbox, { type: 'retry' }))).toEqual(['b'])
  expect(keysDue(reduceOutbox(outbox, { type: 'retry', key: 'a' }))).toEqual(['a'])
  expect(reduceOutbox(outbox, { type: 'removed', key: 'a' })).toHaveLength(1)
})

test('the same message is not taken twice', () => {
  expect(after(added('a'), added('a'))).toHaveLength(1)
})

test('a reload brings a message back as it was', () => {
  const stored = JSON.parse(JSON.stringify(toStored(entry('a'))))
  expect(fromStored(stored, String)).toEqual(entry('a'))
})

test('one whose attachments were too large to keep is not sent without them', () => {
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png', data: 'A'.repeat(2_000_000) },
  }
  const big = newEntry(
    {
      key: 'a',
      sessionId: 's',
      content: [image, { type: 'text', text: 'look' }],
      delivery: 'queue',
      principal: 'owner',
    },
    1,
  )
  const restored = fromStored(toStored(big), (count) => `${count} lost`)
  expect(restored).toMatchObject({
    state: 'failed',
    fault: '1 lost',
    content: [{ type: 'text', text: 'look' }],
  })
  expect(keysDue(restored ? [restored] : [])).toEqual([])
})

test('what is no entry is not taken from storage', () => {
  for (const value of [null, 'x', {}, { key: 'a' }, { key: 'a', sessionId: 's', content: 5 }])
    expect(fromStored(value, String)).toBeUndefined()
})

test('what goes through at once is never shown; what the conversation does not have yet is', () => {
  const shown = (outbox: Outbox, now: number, isKnown = false) =>
    shownEntries(outbox, 's', () => isKnown, now).map(({ state }) => state)
  const sending = after(added('a'), added('b', 'other'), { type: 'sending', key: 'a' })
  expect(shown(sending, 1100)).toEqual([])
  expect(shown(sending, 2000)).toEqual(['sending'])
  const accepted = reduceOutbox(sending, { type: 'accepted', key: 'a', turnId: 't', now: 2000 })
  expect(shown(accepted, 2100)).toEqual([])
  expect(shown(accepted, 3000)).toEqual(['accepted'])
  expect(shown(accepted, 3000, true)).toEqual([])
  const waiting = reduceOutbox(sending, { type: 'unreachable', key: 'a', now: 1100 })
  expect(shown(waiting, 1100)).toEqual(['waiting'])
})
