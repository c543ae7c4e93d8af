import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { text } from '../text/page-text.ts'
import { TryTool } from './try-tool.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let root: Root
let called: unknown[]
const words = text.mcp.trying

beforeEach(() => {
  called = []
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    called.push(JSON.parse(init.body))
    return Response.json({ content: [], is_error: false, duration_ms: 3 })
  })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const draw = (schema: unknown) =>
  act(async () => root.render(<TryTool server="files" tool="find" schema={schema} workspaceId={undefined} />))
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === name) ?? expect.fail(name)
const press = (name: string) => act(async () => button(name).click())
const editor = () => document.querySelector('textarea') ?? expect.fail('no editor')
const write = (value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(editor(), value)
    editor().dispatchEvent(new Event('input', { bubbles: true }))
  })

describe('a tool that says nothing of its input', () => {
  it('is tried with JSON, which is checked before it is sent', async () => {
    await draw({ type: 'object' })
    expect(document.body.textContent).toContain(words.onlyJson)
    expect(document.body.textContent).not.toContain(words.noInput)
    await write('{"path": ')
    await press(words.run)
    expect(document.querySelector('[role=alert]')?.textContent).toContain('JSON')
    await write('[1]')
    await press(words.run)
    expect(document.querySelector('[role=alert]')?.textContent).toBe(text.form.faults.object())
    expect(called).toEqual([])
    await write('{"path": "notes", "deep": [1, {"a": null}]}')
    await press(words.run)
    expect(called).toEqual([{ tool: 'find', input: { path: 'notes', deep: [1, { a: null }] } }])
  })
})

describe('every other tool', () => {
  it.each([
    ['without input', { type: 'object', properties: {} }],
    ['with a form', { type: 'object', properties: { path: { type: 'string' } } }],
  ])('%s offers JSON, too', async (_name, schema) => {
    await draw(schema)
    expect(document.querySelector('textarea')).toBeNull()
    await press(words.json)
    await write('{"path": "x"}')
    await press(words.run)
    expect(called).toEqual([{ tool: 'find', input: { path: 'x' } }])
  })

  it('holds what is written as JSON against its schema', async () => {
    await draw({
      type: 'object',
      properties: { path: { type: 'string' }, level: { type: 'integer' } },
      required: ['path'],
    })
    await press(words.json)
    await write('{"path": "x", "level": "high"}')
    await press(words.run)
    expect(document.querySelector('[role=alert]')?.textContent).toContain('level: ')
    await write('{}')
    await press(words.run)
    expect(document.querySelector('[role=alert]')?.textContent).toBe(`path: ${text.form.faults.required()}`)
    expect(called).toEqual([])
  })
})
