import type { Turn } from '@dorkos/shared'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { text } from '../text/queue-text.ts'
import { loadWordsNow } from '../text/server-words.ts'
import { Toasts } from '../ui/toast.tsx'
import { QueueList } from './queue-list.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const id = '4f0b1c1e-8a51-4c43-9e0e-0d3a3f0f6a11'
const [a, b, c] = ['a', 'b', 'c'].map((end) => `a1b6f3f0-6b0e-4a39-a0a6-6b2f0f6f9f0${end}`) as [
  string,
  string,
  string,
]
const words = text.queue
const turn = (turnId: string, held = false): Turn => ({
  id: turnId,
  session_id: id,
  cause: 'message',
  state: 'queued',
  content: `says ${turnId.at(-1)}`,
  principal: 'owner',
  created_at: '2026-01-01T00:00:00.000Z',
  ...(held && { held }),
})

let asked: string[]
/** By method and last part of the path; anything else is a turn. */
let answers: Record<string, { status: number; body: unknown }>
let root: Root

// An error waits for its words, which are another file.
beforeAll(loadWordsNow)
beforeEach(() => {
  asked = []
  answers = {}
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push([init.method, path.replace(`/api/sessions/${id}/`, ''), init.body].join(' ').trim())
    const answer = answers[`${init.method} ${path.split('/').at(-1)}`] ?? { status: 200, body: turn(a) }
    return new Response(JSON.stringify(answer.body), { status: answer.status })
  })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
})

afterEach(async () => {
  await act(() => root.unmount())
  vi.unstubAllGlobals()
})

const show = (queue: Turn[], readOnly = false) =>
  act(() =>
    root.render(
      <>
        <QueueList sessionId={id} queue={queue} running={false} readOnly={readOnly} />
        <textarea data-message-editor />
        <Toasts />
      </>,
    ),
  )
const buttons = (name: string) =>
  [...document.querySelectorAll('button')].filter(
    (one) => one.textContent === name || one.getAttribute('aria-label') === name,
  )
const press = (name: string, index = 0) => act(async () => buttons(name)[index]?.click())
const shown = () => document.body.textContent ?? ''

test('a queue that waits for its turn has nothing to run or clear', async () => {
  await show([turn(a)])
  expect(shown()).toContain(words.title(1))
  for (const name of [words.run(1), words.clear, words.up, words.down]) expect(buttons(name)).toEqual([])
})

test('a held one says so; it is run, and who may only look sees no buttons', async () => {
  await show([turn(a, true), turn(b, true)], true)
  expect(shown()).toContain(words.held(2))
  expect(document.querySelector('button')).toBeNull()
  await show([turn(a, true), turn(b, true)])
  await press(words.run(2))
  expect(asked).toEqual(['POST queue/release {}'])
})

test('clearing takes back what is in sight, and one that began meanwhile is no fault', async () => {
  const error = { code: 'conflict', message: 'This message is no longer queued.' }
  answers[`DELETE ${a}`] = { status: 409, body: { error } }
  await show([turn(a, true), turn(b, true)])
  await press(words.clear)
  expect(asked).toEqual([])
  await press(words.clear, 1)
  expect(asked).toEqual([`DELETE messages/${a}`, `DELETE messages/${b}`])
  expect(document.querySelector('dialog[open]')).toBeNull()
})

test('a message moves by one, and keeps the focus where it can be moved on', async () => {
  await show([turn(a), turn(b), turn(c)])
  expect(buttons(words.up).map(({ disabled }) => disabled)).toEqual([true, false, false])
  expect(buttons(words.down).map(({ disabled }) => disabled)).toEqual([false, false, true])
  await press(words.down, 0)
  await press(words.up, 2)
  await press(words.down, 1)
  expect(asked).toEqual([
    `POST messages/${a}/move {"before":"${c}"}`,
    `POST messages/${c}/move {"before":"${b}"}`,
    `POST messages/${b}/move {"before":null}`,
  ])
  await press(words.down, 0)
  await show([turn(b), turn(a), turn(c)])
  expect(document.activeElement).toBe(buttons(words.down)[1])
  await press(words.down, 1)
  await show([turn(b), turn(c), turn(a)])
  expect(document.activeElement).toBe(buttons(words.up)[2])
})

const editor = () => document.querySelector<HTMLTextAreaElement>('[data-message-editor]')
const edited = () => document.querySelector<HTMLTextAreaElement>('li textarea')

test('who leaves the editing of a message is at its button again', async () => {
  await show([turn(a), turn(b)])
  expect(document.activeElement).toBe(document.body)
  await press(words.edit, 1)
  expect(document.activeElement).toBe(edited())
  await act(async () => {
    edited()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  expect(edited()).toBeNull()
  expect(document.activeElement).toBe(buttons(words.edit)[1])
  await press(words.edit, 0)
  await press(text.ui.save)
  expect(document.activeElement).toBe(buttons(words.edit)[0])
})

test('who is in what goes away writes on; others stay where they are', async () => {
  await show([turn(a), turn(b)])
  await press(words.edit, 0)
  await show([turn(b)])
  expect(document.activeElement).toBe(editor())
  await press(words.edit)
  await show([turn(a), turn(b)])
  await show([turn(b)])
  expect(document.activeElement).toBe(edited())
})

test('one that began meanwhile is not moved, and that is reported kindly', async () => {
  const error = { code: 'conflict', message: 'This message is no longer queued.' }
  answers['POST move'] = { status: 409, body: { error } }
  await show([turn(a), turn(b)])
  await press(words.up, 1)
  await vi.waitFor(() => expect(shown()).toContain(words.started), 20_000)
})
