import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadWordsNow } from '../text/server-words.ts'
import { keptPairing } from './kept-pairing.ts'
import { PairingPanel } from './pairing-panel.tsx'

let asked: { path: string; body: unknown }[]
let claims: (() => Response)[]

const refuse = (code: string, status: number) => () =>
  Response.json({ error: { code, message: 'no' } }, { status })
const pending = () => Response.json({ state: 'pending' })

// An error waits for its words, which are another file.
beforeAll(loadWordsNow)
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
  sessionStorage.clear()
  asked = []
  claims = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    asked.push({ path, body: JSON.parse(String(body)) })
    if (path.endsWith('/claim')) return (claims.shift() ?? pending)()
    const count = requests().length
    const expires = new Date(Date.now() + 600_000).toISOString()
    const secret = String(count).repeat(43)
    return Response.json({ code: `CODE${count}-AAAAA`, secret, expires_at: expires }, { status: 201 })
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const requests = () => asked.filter(({ path }) => path.endsWith('/pairings'))
const secretsClaimed = () => asked.filter(({ path }) => path.endsWith('/claim')).map(({ body }) => body)
const tick = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms))

/** As a page is loaded; what it gives ends it. */
async function load(): Promise<() => Promise<void>> {
  document.body.innerHTML = '<div></div>'
  const root = createRoot(document.body.firstElementChild as HTMLElement)
  await act(async () => root.render(<PairingPanel />))
  await tick()
  return () => act(async () => root.unmount())
}

async function start(): Promise<void> {
  await act(async () => document.querySelector('button')?.click())
  await tick()
}

it('a page that is reloaded goes on with its code, and asks for no other', async () => {
  const leave = await load()
  expect(requests()).toHaveLength(0)
  await start()
  expect(document.body.textContent).toContain('CODE1-AAAAA')
  await leave()
  const leaveAgain = await load()
  expect(document.body.textContent).toContain('CODE1-AAAAA')
  await tick(2000)
  expect(requests()).toHaveLength(1)
  expect(secretsClaimed()).toEqual([{ secret: '1'.repeat(43) }])
  await leaveAgain()
})

it('a code that is gone or expired is followed by a new one', async () => {
  const leave = await load()
  await start()
  claims = [refuse('gone', 410)]
  await tick(2000)
  expect(document.body.textContent).toContain('CODE2-AAAAA')
  await leave()
  vi.setSystemTime(Date.now() + 600_000)
  expect(keptPairing()).toBeUndefined()
  const leaveAgain = await load()
  await start()
  expect(document.body.textContent).toContain('CODE3-AAAAA')
  await leaveAgain()
})
