import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { HighlightAnswer, HighlightQuestion } from './highlight-messages.ts'
import { createHighlighter, type HighlightWorker } from './highlighter.ts'
import { LocalWorker } from './local-worker.ts'

/** A worker that answers when the test says so. */
class HeldWorker implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null
  onerror: HighlightWorker['onerror'] = null
  readonly asked: HighlightQuestion[] = []
  isOver = false

  postMessage(question: HighlightQuestion): void {
    this.asked.push(question)
  }

  terminate(): void {
    this.isOver = true
  }

  /** With each line as one token. */
  answer(): void {
    const lines = (this.asked.at(-1)?.text ?? '').split('\n').map((text) => [{ text }])
    this.say({ lines })
  }

  say(data: HighlightAnswer): void {
    this.onmessage?.(new MessageEvent('message', { data }))
  }

  fail(): void {
    this.onerror?.(new Event('error', { cancelable: true }) as ErrorEvent)
  }
}

const wanted = () => new AbortController().signal
/** What is done in microtasks. */
const settle = () => vi.advanceTimersByTimeAsync(0)

let workers: HeldWorker[]
const held = () =>
  createHighlighter(() => {
    const worker = new HeldWorker()
    workers.push(worker)
    return worker
  })

beforeEach(() => {
  workers = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it('gives every line with its colours, also over slices', async () => {
  vi.useRealTimers()
  const text = `/* a\n${'still a comment\n'.repeat(450)}*/ const b = 1`
  const lines = await createHighlighter(() => new LocalWorker())(text, 'typescript', wanted())
  expect(lines?.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(text)
  expect(lines?.[445]).toEqual([{ text: 'still a comment', color: 'var(--code-token-comment)' }])
  expect(lines?.at(-1)).toContainEqual({ text: 'const', color: 'var(--code-token-keyword)' })
  expect(lines?.at(-1)).toContainEqual({ text: ' ' })
})

it('starts one worker when it is first needed, and asks for one text after the other', async () => {
  const highlight = held()
  expect(workers).toHaveLength(0)
  const first = highlight('a', 'json', wanted())
  const second = highlight('b', 'json', wanted())
  await settle()
  expect(workers[0]?.asked.map(({ text }) => text)).toEqual(['a'])
  workers[0]?.answer()
  expect(await first).toEqual([[{ text: 'a' }]])
  await settle()
  workers[0]?.answer()
  expect(await second).toEqual([[{ text: 'b' }]])
  expect(workers).toHaveLength(1)
})

it('drops what is outdated: before it is asked for, between slices, and when it comes', async () => {
  const highlight = held()
  const running = new AbortController()
  const waiting = new AbortController()
  const long = highlight('x\n'.repeat(1000), 'json', running.signal)
  const never = highlight('never asked for', 'json', waiting.signal)
  const next = highlight('next', 'json', wanted())
  await settle()
  workers[0]?.answer()
  await settle()
  expect(workers[0]?.asked.map(({ goesOn }) => goesOn)).toEqual([false, true])
  running.abort()
  waiting.abort()
  workers[0]?.answer()
  expect([await long, await never]).toEqual([undefined, undefined])
  await settle()
  expect(workers[0]?.asked.map(({ text }) => text).slice(2)).toEqual(['next'])
  workers[0]?.answer()
  expect(await next).toEqual([[{ text: 'next' }]])
  const late = new AbortController()
  const short = highlight('short', 'json', late.signal)
  await settle()
  late.abort()
  workers[0]?.answer()
  expect(await short).toBeUndefined()
})

it('goes on after a text that the highlighter cannot read', async () => {
  const highlight = held()
  const bad = expect(highlight('bad', 'json', wanted())).rejects.toThrow('no such rule')
  await settle()
  workers[0]?.say({ fault: 'no such rule' })
  await bad
  const good = highlight('good', 'json', wanted())
  await settle()
  workers[0]?.answer()
  expect(await good).toEqual([[{ text: 'good' }]])
  expect(workers).toHaveLength(1)
})

it.each([
  ['does not start', () => workers[0]?.fail()],
  ['does not answer', () => vi.advanceTimersByTime(60_000)],
])('ends a worker that %s, and tries another one later', async (_, happens) => {
  const highlight = held()
  const lost = expect(highlight('lost', 'json', wanted())).rejects.toThrow('highlighter')
  await settle()
  happens()
  await lost
  expect(workers[0]?.isOver).toBe(true)
  await expect(highlight('soon', 'json', wanted())).rejects.toThrow('not to be had now')
  expect(workers).toHaveLength(1)
  vi.advanceTimersByTime(30_000)
  const later = highlight('later', 'json', wanted())
  await settle()
  workers[1]?.answer()
  expect(await later).toEqual([[{ text: 'later' }]])
  // What the first one still has to say is heard by nobody.
  workers[0]?.say({ lines: [] })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(workers[1]?.isOver).toBe(false)
})

it('leaves text plain where there are no workers', async () => {
  const highlight = createHighlighter(() => {
    throw new Error('Worker is not defined')
  })
  await expect(highlight('a', 'json', wanted())).rejects.toThrow('Worker is not defined')
})
