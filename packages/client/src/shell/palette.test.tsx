import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../queries/query-client.ts'
import { Palette } from './palette.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let root: Root
const searched: string[] = []
const sessionId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'
const hits = (q: string) =>
  q.startsWith('key')
    ? [{ session_id: sessionId, message_id: 'm/1', role: 'assistant', snippet: 'the   key to\nit' }]
    : []
const onClose = vi.fn()
const openSheet = vi.fn()

beforeEach(async () => {
  searched.length = 0
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname !== '/api/search') return Response.json({ sessions: [], workspaces: [] })
    searched.push(searchParams.get('q') ?? '')
    return Response.json({ hits: hits(searchParams.get('q') ?? ''), complete: true })
  })
  HTMLElement.prototype.scrollIntoView = () => {}
  const container = document.body.appendChild(document.createElement('div'))
  root = createRoot(container)
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <Palette onClose={onClose} toggleSidebar={() => {}} openSheet={openSheet} />
      </QueryClientProvider>,
    ),
  )
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const box = () => document.querySelector<HTMLInputElement>('[role="combobox"]') as HTMLInputElement
const selected = () => [...document.querySelectorAll('[role="option"][aria-selected="true"]')]
const press = (key: string) =>
  act(async () => {
    box().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
const type = (value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box(), value)
    box().dispatchEvent(new Event('input', { bubbles: true }))
  })

/** Waits for what comes by itself. */
async function settles(check: () => void): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(check, 20_000).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

it('says by its attributes which command is chosen', async () => {
  expect(selected()).toHaveLength(1)
  expect(box().getAttribute('aria-activedescendant')).toBe(selected()[0]?.id)
  const [first] = selected()
  await press('ArrowDown')
  expect(selected()).toHaveLength(1)
  expect(selected()[0]).not.toBe(first)
  await press('ArrowUp')
  await press('ArrowUp')
  const all = [...document.querySelectorAll('[role="option"]')]
  expect(selected()[0]).toBe(all.at(-1))
})

it('runs what was typed for, once it has closed', async () => {
  await type('keyboard')
  expect(selected()[0]?.textContent).toContain('Keyboard shortcuts')
  await press('Enter')
  expect(onClose).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(openSheet).toHaveBeenCalledOnce(), 20_000)
})

it('does nothing on Enter where nothing fits', async () => {
  await type('zzzzzz')
  expect(selected()).toHaveLength(0)
  expect(box().getAttribute('aria-expanded')).toBe('false')
  await press('Enter')
  expect(onClose).not.toHaveBeenCalled()
})

it('looks for what was said when typing rests, and shows it after all else', async () => {
  await type('k')
  await type('ke')
  await type('keyboard')
  const options = () =>
    [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent)
  await settles(() => expect(options().at(-1)).toContain('the key to it'))
  // What came late took the choice from nothing.
  expect(selected()[0]?.textContent).toContain('Keyboard shortcuts')
  expect(searched).toEqual(['keyboard'])
  await press('ArrowUp')
  expect(selected()[0]?.textContent).toContain('the key to it')
  await press('Enter')
  await settles(() => expect(location.pathname + location.hash).toBe(`/sessions/${sessionId}#m%2F1`))
})

it('asks nothing for one letter, and keeps nothing of other words', async () => {
  await type('key')
  await settles(() => expect(searched).toEqual(['key']))
  await settles(() => expect(document.body.textContent).toContain('the key to it'))
  await type('z')
  expect(document.body.textContent).not.toContain('the key to it')
  await type('zzz')
  await settles(() => expect(searched).toEqual(['key', 'zzz']))
})
