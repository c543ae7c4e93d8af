import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { text } from '../text/text.ts'
import { clearDraft, messageDraftOf, saveDrafts } from './drafts.ts'
import { MessageEditor, type MessageEditorProps } from './message-editor.tsx'
import { setSendsWithCommand } from './send-keys.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const command = { description: '', argumentHint: '', aliases: [], source: 'project' as const }
const commands: MessageEditorProps['commands'] = {
  state: 'ready',
  commands: [
    { ...command, name: 'compact' },
    { ...command, name: 'context' },
    { ...command, name: 'deploy', argumentHint: '[environment]' },
  ],
}

let root: Root
let sent: [string, string][]

beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>'
  const container = document.getElementById('root')
  if (!container) throw new Error('no root')
  root = createRoot(container)
  sent = []
})

afterEach(async () => {
  await act(() => root.unmount())
  clearDraft('s')
  setSendsWithCommand(false)
  vi.useRealTimers()
})

async function show(props: Partial<MessageEditorProps> = {}): Promise<HTMLTextAreaElement> {
  await act(() =>
    root.render(
      <MessageEditor
        draftKey="s"
        placeholder=""
        commands={commands}
        onSubmit={({ text }, how) => sent.push([text, how]) > 0}
        actions={() => null}
        {...props}
      />,
    ),
  )
  return box()
}

function box(): HTMLTextAreaElement {
  const found = document.querySelector('textarea')
  if (!found) throw new Error('no text box')
  return found
}

async function type(value: string, caret = value.length): Promise<void> {
  await act(() => {
    const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    setter?.call(box(), value)
    box().setSelectionRange(caret, caret)
    box().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  await act(() => {
    box().dispatchEvent(event)
  })
  return event
}

const options = () =>
  [...document.querySelectorAll('[role="option"]')].map((option) => option.textContent ?? '')
const active = () =>
  document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''

test('Enter sends and empties the box; Shift+Enter does not; a composed character does not', async () => {
  await show()
  await type('hello')
  expect((await press('Enter', { shiftKey: true })).defaultPrevented).toBe(false)
  await press('Enter', { isComposing: true })
  expect(sent).toEqual([])
  await press('Enter')
  expect(sent).toEqual([['hello', 'send']])
  expect(box().value).toBe('')
})

test('the box is as high as its text; an empty one has its lines, whatever its placeholder takes', async () => {
  const height = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(68)
  await show({ placeholder: 'words that need two lines' })
  await type('two\nlines')
  expect(box().style.height).toBe('68px')
  await press('Enter')
  expect(box().style.height).toBe('auto')
  height.mockRestore()
})

test('nothing is not sent, and a message that is not taken stays', async () => {
  await show({ onSubmit: () => false })
  await type('   ')
  await press('Enter')
  await type('keep me')
  await press('Enter')
  expect(box().value).toBe('keep me')
})

test('Ctrl+Enter steers; by setting it sends, and Enter makes a line', async () => {
  await show()
  await type('a')
  await press('Enter', { ctrlKey: true })
  await act(() => setSendsWithCommand(true))
  await type('b')
  await press('Enter')
  expect(sent).toEqual([['a', 'steer']])
  await press('Enter', { metaKey: true })
  expect(sent.at(-1)).toEqual(['b', 'send'])
})

test('the palette: arrows go round, Tab puts the command in, Enter on a whole name sends it', async () => {
  await show()
  await type('/co')
  // The list is a part of its own, and comes with its first use.
  await vi.waitFor(() => expect(options()).toHaveLength(2))
  expect(box().getAttribute('role')).toBe('combobox')
  expect(active()).toContain('compact')
  await press('ArrowUp')
  expect(active()).toContain('context')
  await press('Tab')
  expect(box().value).toBe('/context ')
  expect(options()).toHaveLength(0)
  await type('/compact')
  await press('Enter')
  expect(sent).toEqual([['/compact', 'send']])
})

test('Enter chooses while the name is not whole', async () => {
  await show()
  await type('/dep')
  await press('Enter')
  expect(box().value).toBe('/deploy ')
  expect(sent).toEqual([])
  expect(document.body.textContent).toContain('[environment]')
})

test('Escape closes the list and nothing else, and it stays closed for this word', async () => {
  await show()
  await type('/co')
  const event = await press('Escape')
  expect(event.defaultPrevented).toBe(true)
  expect(box().hasAttribute('aria-expanded')).toBe(false)
  await type('/com')
  expect(options()).toHaveLength(0)
  expect((await press('Escape')).defaultPrevented).toBe(false)
  await type('')
  await type('/')
  expect(options()).toHaveLength(3)
})

test('a note is turned into a request that waits to be sent; Escape leaves it as it is', async () => {
  const { requests, scopes } = text.composer.remember
  await show()
  await type('# use tabs')
  expect(options()).toEqual([scopes.project, scopes.user])
  await press('Enter')
  expect(box().value).toBe(requests.project('use tabs'))
  expect(sent).toEqual([])
  await press('Enter')
  expect(sent).toEqual([[requests.project('use tabs'), 'send']])
  await type('#')
  await press('ArrowDown')
  await type('# be brief')
  await press('Tab')
  expect(box().value).toBe(requests.user('be brief'))
  await type('')
  await type('# A title')
  await press('Escape')
  await press('Enter')
  expect(sent.at(-1)).toEqual(['# A title', 'send'])
})

test('a mention asks once for what is typed, gives up what is outdated, and goes on into directories', async () => {
  vi.useFakeTimers()
  const asked: [string, AbortSignal][] = []
  const searchFiles: MessageEditorProps['searchFiles'] = async (query, signal) => {
    asked.push([query, signal])
    return query === 's' ? [{ path: 'src', kind: 'directory' }] : [{ path: 'src/a b.ts', kind: 'file' }]
  }
  await show({ searchFiles })
  await type('see @')
  await type('see @s')
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(asked.map(([query]) => query)).toEqual(['s'])
  await press('Enter')
  expect(box().value).toBe('see @src/')
  expect(asked[0]?.[1].aborted).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(asked.map(([query]) => query)).toEqual(['s', 'src/'])
  await press('Tab')
  expect(box().value).toBe('see @"src/a b.ts" ')
  await type('see @s')
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(asked).toHaveLength(2)
  expect(options()).toHaveLength(1)
})

test('a list without options leaves Enter to the message', async () => {
  await show()
  await type('/nothing-like-it')
  await press('Enter')
  expect(sent).toEqual([['/nothing-like-it', 'send']])
})

test('up goes back through what was sent, down comes back to what was typed', async () => {
  await show({ history: () => ['newest', 'older'] })
  await type('')
  await press('ArrowUp')
  expect(box().value).toBe('newest')
  await press('ArrowUp')
  expect(box().value).toBe('older')
  await press('ArrowUp')
  expect(box().value).toBe('older')
  await press('ArrowDown')
  await press('ArrowDown')
  expect(box().value).toBe('')
  await type('typing', 3)
  expect((await press('ArrowUp')).defaultPrevented).toBe(false)
  expect(box().value).toBe('typing')
})

test('Shift+Tab goes through the modes', async () => {
  const onCycleMode = vi.fn()
  await show({ onCycleMode })
  expect((await press('Tab', { shiftKey: true })).defaultPrevented).toBe(true)
  expect(onCycleMode).toHaveBeenCalledOnce()
})

test('a draft outlives the page; its attachments do not, and that is shown', async () => {
  await show()
  await type('half a thought')
  saveDrafts()
  const stored = JSON.parse(localStorage.getItem('dorkos.draft.s') ?? '{}')
  expect(stored).toMatchObject({ text: 'half a thought', attachments: 0 })
  localStorage.setItem('dorkos.draft.later', JSON.stringify({ text: 'a', attachments: 2 }))
  await show({ draftKey: 'later' })
  expect(box().value).toBe('a')
  expect(document.body.textContent).toContain('2 attachments in this draft')
  await act(() => clearDraft('later'))
  expect(localStorage.getItem('dorkos.draft.later')).toBeNull()
})

test('files that are pasted are attached; text that comes with a picture of itself stays text', async () => {
  await show()
  const paste = async (data: Pick<DataTransfer, 'getData'> & { files: File[] }) => {
    const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: data,
    })
    await act(async () => {
      box().dispatchEvent(event)
    })
    return event
  }
  const file = new File(['# Notes'], 'notes.md', { type: 'text/markdown' })
  const files = { files: [file], getData: () => '' }
  expect((await paste(files)).defaultPrevented).toBe(true)
  await act(() => vi.waitFor(() => expect(messageDraftOf('s').attachments).toHaveLength(1), 20_000))
  expect(messageDraftOf('s').attachments).toMatchObject([{ kind: 'text', name: 'notes.md', data: '# Notes' }])
  const both = { files: [file], getData: () => 'cells' }
  expect((await paste(both)).defaultPrevented).toBe(false)
  expect(messageDraftOf('s').attachments).toHaveLength(1)
})
