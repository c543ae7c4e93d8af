import { afterEach, expect, it } from 'vitest'
import type { Asker } from '../../terminal/line-asker.ts'
import { listenForCallback } from './callback-listener.ts'
import { waitForAnswer } from './wait-for-answer.ts'

const address = { href: 'https://a.example.org/authorize?state=s', host: 'a.example.org', state: 's' }
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** `lines`: what somebody types, one after the other; then they leave the question open. */
async function setUp(lines: ((redirectUri: string) => string | undefined)[] = []) {
  const listener = await listenForCallback(0)
  closers.push(() => listener.close())
  const stop = new AbortController()
  let notified = ''
  const opened: string[] = []
  const asker: Asker = {
    ask: async (_prompt, { signal } = {}) => {
      const next = lines.shift()
      if (next) return next(listener.redirectUri)
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve(undefined)
        signal?.addEventListener('abort', () => resolve(undefined))
      })
    },
  }
  const openBrowser = async (href: string) => {
    opened.push(href)
    return opened.length === 1
  }
  const terminal = {
    asker,
    notify: (text: string) => {
      notified += text
    },
    signal: stop.signal,
    context: { openBrowser },
  }
  return {
    listener,
    stop,
    opened,
    notified: () => notified,
    wait: (ms?: number) => waitForAnswer(terminal, listener, address, ms),
  }
}

it('takes an address that was pasted, and opens a browser for Enter', async () => {
  const { wait, opened, notified } = await setUp([
    () => '',
    () => '',
    () => 'what?',
    () => 'http://127.0.0.1:1/callback?code=c&state=s',
    (uri) => `${uri}?code=c&state=other`,
    (uri) => ` ${uri}?code=c&state=s&iss=i `,
  ])
  expect(await wait()).toEqual({ code: 'c', state: 's', iss: 'i' })
  expect(opened).toEqual([address.href, address.href])
  expect(notified().match(/Couldn’t start a browser/g)).toHaveLength(1)
  expect(notified().match(/isn’t the right address/g)).toHaveLength(3)
})

it('goes on listening when nobody can type any more', async () => {
  const { wait, listener } = await setUp([() => undefined])
  const answer = wait()
  const page = await fetch(`${listener.redirectUri}?code=c&state=s`)
  expect(page.status).toBe(200)
  expect(await answer).toEqual({ code: 'c', state: 's' })
})

it('ends when nobody comes back, and on Ctrl-C', async () => {
  const late = await setUp()
  await expect(late.wait(1)).rejects.toThrow('The sign-in took too long')
  const { wait, stop } = await setUp()
  const answer = wait()
  stop.abort(new Error('stopped'))
  await expect(answer).rejects.toThrow('stopped')
})
