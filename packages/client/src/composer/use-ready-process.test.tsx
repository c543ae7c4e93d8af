import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReadyProcess } from './use-ready-process.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let root: Root
let asked: string[]

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
})
afterEach(async () => {
  await act(() => root.unmount())
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function Probe({ what }: { what: string | undefined }) {
  useReadyProcess(what, async () => {
    asked.push(what ?? '')
    throw new Error('the server is busy')
  })
  return null
}

const show = (what: string | undefined) => act(() => root.render(<Probe what={what} />))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const see = (state: 'visible' | 'hidden') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  return act(() => document.dispatchEvent(new Event('visibilitychange')))
}

test('asks once it has rested, again while it is there, and no more after that', async () => {
  await show('a')
  await pass(300)
  await show('b')
  await pass(300)
  expect(asked).toEqual([])
  await pass(100)
  expect(asked).toEqual(['b'])
  await pass(60_000)
  expect(asked).toEqual(['b', 'b', 'b'])
  await show(undefined)
  await pass(60_000)
  expect(asked).toHaveLength(3)
})

test('asks for nothing while nobody sees the page, and at once when they do again', async () => {
  await see('hidden')
  await show('a')
  await pass(90_000)
  expect(asked).toEqual([])
  await see('visible')
  expect(asked).toEqual(['a'])
})
