import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lateAfterMs } from './stop-state.ts'
import { useStop } from './use-stop.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let root: Root
let asked: string[]
let answer: () => Promise<Response>

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  answer = () => new Promise(() => undefined)
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return answer()
  })
  document.body.innerHTML = '<div id="root"></div><div id="beside"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
})

afterEach(async () => {
  await act(() => root.unmount())
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function Probe({ turnId, mayStop = true }: { turnId: string | undefined; mayStop?: boolean }) {
  const { state, stop } = useStop('s', turnId, mayStop)
  return (
    <>
      <button type="button" onClick={stop}>
        {state.state}
      </button>
      <textarea data-message-editor aria-label="message" />
    </>
  )
}

const show = (turnId: string | undefined, mayStop?: boolean) =>
  act(() => root.render(<Probe turnId={turnId} {...(mayStop !== undefined && { mayStop })} />))
const state = () => document.querySelector('button')?.textContent

async function pressEscape(target: Element | null = document.body): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  await act(() => {
    target?.dispatchEvent(event)
  })
  return event
}

function beside(html: string): Element | null {
  const beside = document.getElementById('beside') as HTMLElement
  beside.innerHTML = html
  return beside.firstElementChild
}

test('Escape stops from anywhere, also from the message, is shown at once, and asks once', async () => {
  await show('turn')
  await pressEscape()
  expect(state()).toBe('stopping')
  await pressEscape(document.querySelector('textarea'))
  expect(asked).toEqual(['/api/sessions/s/interrupt'])
  await show(undefined)
  expect(state()).toBe('none')
})

test.each([
  '<dialog open></dialog>',
  '<div role="menu"></div>',
  '<div role="dialog"></div>',
  '<div role="listbox"></div>',
])('it does not while %s is open', async (html) => {
  await show('turn')
  beside(html)
  await pressEscape()
  expect(asked).toEqual([])
})

test('it does not from another field, nor when something else took the key', async () => {
  await show('turn')
  await pressEscape(beside('<input>'))
  const taker = beside('<div></div>')
  taker?.addEventListener('keydown', (event) => event.preventDefault())
  await pressEscape(taker)
  expect(asked).toEqual([])
})

test('a tooltip that closes on the same key does not keep it from stopping', async () => {
  await show('turn')
  const tooltip = beside('<div role="tooltip"></div>')
  const close = (event: Event) => event.preventDefault()
  document.addEventListener('keydown', close, true)
  await pressEscape(tooltip)
  document.removeEventListener('keydown', close, true)
  expect(asked).toHaveLength(1)
})

test('without a turn or the right to, Escape is left alone', async () => {
  await show(undefined)
  expect((await pressEscape()).defaultPrevented).toBe(false)
  await show('turn', false)
  expect((await pressEscape()).defaultPrevented).toBe(false)
  expect(asked).toEqual([])
})

test('a turn that does not end is reported', async () => {
  await show('turn')
  await pressEscape()
  await act(() => vi.advanceTimersByTimeAsync(lateAfterMs))
  expect(state()).toBe('late')
})

test('a server that does not answer is reported', async () => {
  answer = () => Promise.reject(new TypeError('no network'))
  await show('turn')
  await pressEscape()
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(state()).toBe('failed')
})
