import { act, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { forgetPrivate } from '../auth/private-state.ts'
import { text } from '../text/page-text.ts'
import { loadWordsNow } from '../text/server-words.ts'
import { onSignInFailed } from './sign-in-news.ts'
import { SignInReturn } from './sign-in-return.tsx'
import { takeSignInReturn, usedSignInReturn } from './taken-return.ts'

const words = text.mcp.signIn.back
let root: Root | undefined
let posted: unknown[]

// An error waits for its words, which are another file.
beforeAll(loadWordsNow)
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  posted = []
  vi.stubGlobal('fetch', async (_: unknown, options?: RequestInit) => {
    posted.push(JSON.parse(String(options?.body)))
    const error = { code: 'invalid_request', message: 'The sign-in was denied.', retryable: false }
    return new Response(JSON.stringify({ error }), {
      status: 400,
      headers: { 'content-type': 'application/json' },
    })
  })
})

afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  forgetPrivate()
  history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

/** Draws the page anew, as after going elsewhere and back. */
async function draw(): Promise<string> {
  act(() => root?.unmount())
  document.body.innerHTML = '<div id="root"></div>'
  const made = createRoot(document.getElementById('root') ?? document.body)
  root = made
  await act(async () =>
    made.render(
      <StrictMode>
        <SignInReturn />
      </StrictMode>,
    ),
  )
  return document.body.textContent ?? ''
}

it('leaves nothing in the address, posts once, and notifies the tab that waits', async () => {
  history.replaceState(null, '', '/mcp-sign-in?code=secret&state=s1#_=_')
  takeSignInReturn()
  expect(location.href).toMatch(/\/mcp-sign-in$/)
  const faults: string[] = []
  const others: string[] = []
  const stop = [
    onSignInFailed('s1', (fault) => faults.push(fault)),
    onSignInFailed('s2', (fault) => others.push(fault)),
  ]
  expect(await draw()).toContain(words.failed)
  expect(await draw()).toContain('The sign-in was denied.')
  expect(posted).toEqual([{ code: 'secret', state: 's1' }])
  await vi.waitFor(() => expect(faults).toEqual(['The sign-in was denied.']), 20_000)
  expect(others).toEqual([])
  for (const one of stop) one()
  // Whoever signs in next in this tab hears nothing of it.
  forgetPrivate()
  expect(await draw()).toContain(words.nothingHint)
})

it('what was taken outlives signing in to DorkOS, which forgets what others left', () => {
  history.replaceState(null, '', '/mcp-sign-in?code=c&state=s')
  takeSignInReturn()
  forgetPrivate()
  expect(usedSignInReturn()).toEqual({ code: 'c', state: 's' })
  expect(usedSignInReturn()).toBeUndefined()
})

it('says that there is nothing to finish, and leaves other addresses alone', async () => {
  history.replaceState(null, '', '/mcp?state=s&code=c')
  takeSignInReturn()
  expect(location.search).toBe('?state=s&code=c')
  expect(await draw()).toContain(words.nothing)
  expect(posted).toEqual([])
})
