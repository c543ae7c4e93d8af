import { type AcceptedMessage, ApiError, NetworkError } from '@dorkos/shared'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutboxStore, whenSent } from './outbox-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => vi.useRealTimers())

interface Call {
  key: string | undefined
  content: unknown
}

/** Answers one after the other: an error, or acceptance. */
function clientWith(...answers: (Error | 'accept')[]) {
  const calls: Call[] = []
  return {
    calls,
    sendMessage: async ({
      body,
      idempotencyKey,
    }: {
      body: { content: unknown }
      idempotencyKey?: string
    }) => {
      calls.push({ key: idempotencyKey, content: body.content })
      const answer = answers.shift() ?? 'accept'
      if (answer !== 'accept') throw answer
      return { turn: { id: `turn-${calls.length}` } } as AcceptedMessage
    },
  }
}

const me = () => 'owner'
const settled = () => vi.advanceTimersByTimeAsync(0)
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith('dorkos.outbox.'))

test('a message is kept before it is sent, and let go when the server has it', async () => {
  const client = clientWith()
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'hello', 'queue')
  expect(stored()).toHaveLength(1)
  await settled()
  expect(stored()).toHaveLength(0)
  expect(outbox.get()).toMatchObject([{ state: 'accepted', turnId: 'turn-1' }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(outbox.get()).toEqual([])
})

test('without a connection it waits, and goes with the same key when that is back', async () => {
  const client = clientWith(new NetworkError('no'), new NetworkError('no'))
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'one', 'queue')
  outbox.add('s', 'two', 'queue')
  await settled()
  expect(outbox.get().map(({ state }) => state)).toEqual(['waiting', 'ready'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(client.calls).toHaveLength(2)
  outbox.retry()
  await settled()
  expect(client.calls.map(({ content }) => content)).toEqual(['one', 'one', 'one', 'two'])
  expect(new Set(client.calls.slice(0, 3).map(({ key }) => key)).size).toBe(1)
})

test('after a reload it is sent by itself, with the key that it had', async () => {
  const before = createOutboxStore(clientWith(new NetworkError('no')), me)
  before.add('s', 'hello', 'steer')
  await settled()
  const [key] = before.get().map((entry) => entry.key)
  const client = clientWith()
  createOutboxStore(client, me)
  await settled()
  expect(client.calls).toEqual([{ key, content: 'hello' }])
  expect(stored()).toEqual([])
})

test('what the server refuses waits for a person, in the server’s words', async () => {
  const client = clientWith(new ApiError('payload_too_large', 413, 'Too much.'))
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'hello', 'queue')
  await settled()
  expect(outbox.get()).toMatchObject([{ state: 'failed', fault: 'Too much.' }])
  expect(stored()).toHaveLength(1)
  const [entry] = outbox.get()
  outbox.retry(entry?.key)
  await settled()
  expect(outbox.get()).toMatchObject([{ state: 'accepted' }])
})

test('a server that is busy is asked again when it says', async () => {
  const client = clientWith(new ApiError('unavailable', 503, 'Full.', { retryAfterSeconds: 7 }))
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'hello', 'queue')
  await vi.advanceTimersByTimeAsync(6900)
  expect(client.calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(client.calls).toHaveLength(2)
})

test('what a person discards is gone', async () => {
  const outbox = createOutboxStore(clientWith(new NetworkError('no')), me)
  outbox.add('s', 'hello', 'queue')
  await settled()
  outbox.remove(outbox.get()[0]?.key ?? '')
  expect(outbox.get()).toEqual([])
  expect(stored()).toEqual([])
})

test('what another tab has sent or discarded is not sent from here', async () => {
  const client = clientWith(new NetworkError('no'))
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'hello', 'queue')
  await settled()
  const [key] = stored()
  window.dispatchEvent(new StorageEvent('storage', { key: key ?? '', newValue: null }))
  expect(outbox.get()).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(client.calls).toHaveLength(1)
})

test('what somebody else wrote is not sent by itself, and as one’s own when a person wants it', async () => {
  createOutboxStore(clientWith(new NetworkError('no')), () => 'first').add('s', 'private', 'queue')
  await settled()
  const client = clientWith()
  const outbox = createOutboxStore(client, () => 'second')
  outbox.add('s', 'mine', 'queue')
  await vi.advanceTimersByTimeAsync(60_000)
  outbox.retry()
  await settled()
  expect(client.calls.map(({ content }) => content)).toEqual(['mine'])
  const [kept] = outbox.get()
  expect(kept).toMatchObject({ content: 'private', state: 'failed', principal: 'first' })
  outbox.retry(kept?.key)
  await settled()
  expect(client.calls.map(({ content }) => content)).toEqual(['mine', 'private'])
})

test('while nobody is signed in all waits, and goes when the same person is back', async () => {
  let who: string | undefined = 'first'
  const client = clientWith(new NetworkError('no'))
  const outbox = createOutboxStore(client, () => who)
  outbox.add('s', 'one', 'queue')
  await settled()
  who = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  outbox.retry()
  await settled()
  expect(client.calls).toHaveLength(1)
  who = 'second'
  outbox.retry()
  await settled()
  expect(client.calls).toHaveLength(1)
  expect(outbox.get()).toMatchObject([{ state: 'failed' }])
})

test('cleared, it sends nothing any more', async () => {
  const client = clientWith(new NetworkError('no'))
  const outbox = createOutboxStore(client, me)
  outbox.add('s', 'one', 'queue')
  outbox.add('s', 'two', 'queue')
  await settled()
  outbox.clear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(outbox.get()).toEqual([])
  expect(client.calls).toHaveLength(1)
})

test('resolves when nothing of a session is under way', async () => {
  const answers: (() => void)[] = []
  const client = {
    sendMessage: () =>
      new Promise<AcceptedMessage>((resolve) => {
        answers.push(() => resolve({ turn: { id: 't' } } as AcceptedMessage))
      }),
  }
  const outbox = createOutboxStore(client, me)
  const seen: string[] = []
  await whenSent(outbox, 's', 1000)
  outbox.add('s', 'one', 'queue')
  await settled()
  await whenSent(outbox, 'another', 1000)
  void whenSent(outbox, 's', 1000).then(() => seen.push('sent'))
  await settled()
  expect(seen).toEqual([])
  for (const answer of answers) answer()
  await settled()
  expect(seen).toEqual(['sent'])
  outbox.add('s', 'two', 'queue')
  void whenSent(outbox, 's', 1000).then(() => seen.push('late'))
  await vi.advanceTimersByTimeAsync(999)
  expect(seen).toEqual(['sent'])
  await vi.advanceTimersByTimeAsync(1)
  expect(seen).toEqual(['sent', 'late'])
})
