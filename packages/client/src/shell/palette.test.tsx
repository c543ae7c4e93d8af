// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Palette } from './palette.tsx'
import { queryClient } from './query-client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let root: Root
const onClose = vi.fn()
const openSheet = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ sessions: [], workspaces: [] }))
  HTMLElement.prototype.scrollIntoView = () => {}
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
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

it('tells by its attributes which command is chosen', async () => {
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
  await vi.waitFor(() => expect(openSheet).toHaveBeenCalledOnce())
})

it('does nothing on Enter where nothing fits', async () => {
  await type('zzzzzz')
  expect(selected()).toHaveLength(0)
  expect(box().getAttribute('aria-expanded')).toBe('false')
  await press('Enter')
  expect(onClose).not.toHaveBeenCalled()
})
