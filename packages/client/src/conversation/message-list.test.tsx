import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HistoryState, Item, PageSession, TextItem } from '../live/page-session.ts'
import { emptySession } from '../live/reduce-session.ts'
import { MessageList } from './message-list.tsx'
import type { Row } from './rows.ts'

const rowHeight = 40
const viewHeight = 600

/** How often each row was drawn. */
let drawn: Record<string, number> = {}
function CountedRow({ row }: { row: Row }) {
  drawn[row.key] = (drawn[row.key] ?? 0) + 1
  return <p>{row.type === 'item' && row.item.kind === 'text' ? row.item.text : row.key}</p>
}

function textItem(index: number, text = `text ${index}`): TextItem {
  const time = new Date(Date.UTC(2026, 4, 1) + index * 1000).toISOString()
  return {
    kind: 'text',
    key: `text:${index}`,
    time,
    messageId: `m${index}`,
    text,
    streaming: false,
  } as TextItem
}

function stateOf(items: readonly Item[], history: Partial<HistoryState> = {}): PageSession {
  return {
    ...emptySession('s'),
    phase: 'ready',
    items,
    turn: undefined,
    history: { phase: 'complete', before: undefined, fault: undefined, ...history },
  }
}

let root: Root
let container: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // A page without layout: the box shows 600 pixels, each row is 40 high.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.dataset.index === undefined ? viewHeight : rowHeight
  })
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(viewHeight)
  drawn = {}
  container = document.createElement('div')
  document.body.append(container)
  root = createRoot(container)
})

afterEach(async () => {
  await act(async () => root.unmount())
  container.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function show(state: PageSession, loadOlder = () => {}, target?: string) {
  await act(async () =>
    root.render(<MessageList state={state} row={CountedRow} loadOlder={loadOlder} target={target} />),
  )
}

const scroll = () => act(async () => container.querySelector('section')?.dispatchEvent(new Event('scroll')))
const rows = () =>
  [...container.querySelectorAll<HTMLElement>('[data-key]')].map(({ dataset }) => dataset.key)

describe('MessageList', () => {
  it('has a bounded number of rows in the document, however long the conversation is', async () => {
    await show(stateOf(Array.from({ length: 5000 }, (_, index) => textItem(index))))
    expect(rows().length).toBeGreaterThan(5)
    expect(rows().length).toBeLessThan(60)
  })

  it('draws only the last row again while it grows', async () => {
    const items = Array.from({ length: 10 }, (_, index) => textItem(index))
    await show(stateOf(items))
    expect(rows()).toHaveLength(10)
    const before = { ...drawn }
    for (let delta = 0; delta < 200; delta += 1) {
      await show(stateOf([...items.slice(0, 9), textItem(9, `text ${'x'.repeat(delta)}`)]))
    }
    for (const index of [0, 1, 5, 8]) expect(drawn[`text:${index}`]).toBe(before[`text:${index}`])
    expect(drawn['text:9']).toBeGreaterThanOrEqual((before['text:9'] ?? 0) + 200)
    expect(container.textContent).toContain('x'.repeat(199))
  })

  it('draws no row again when an older page comes in', async () => {
    const items = Array.from({ length: 5 }, (_, index) => textItem(index + 5))
    await show(stateOf(items))
    const before = { ...drawn }
    await show(stateOf([...Array.from({ length: 5 }, (_, index) => textItem(index)), ...items]))
    // The first of the page stood under the line of its day, which has moved up.
    for (const index of [6, 7, 8, 9]) expect(drawn[`text:${index}`]).toBe(before[`text:${index}`])
    expect(rows()).toHaveLength(10)
  })

  it('follows the end again when asked to', async () => {
    const items = Array.from({ length: 100 }, (_, index) => textItem(index))
    const draw = (follows: number) =>
      act(async () =>
        root.render(
          <MessageList
            state={stateOf(items)}
            row={CountedRow}
            loadOlder={() => {}}
            target="m3"
            follows={follows}
          />,
        ),
      )
    const toEnd = () => container.querySelector('button[aria-label="Jump to latest"]')
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(4000)
    await draw(0)
    await scroll()
    expect(toEnd()).not.toBeNull()
    await draw(1)
    expect(toEnd()).toBeNull()
  })

  it('counts what came after a link was followed, and has no way down where nothing is below', async () => {
    const height = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(4000)
    const some = (count: number) => stateOf(Array.from({ length: count }, (_, index) => textItem(index)))
    const down = () => container.querySelector('[aria-label="Conversation"] + button')?.textContent
    await show(some(10))
    await show(some(10), undefined, 'm1')
    await scroll()
    expect(down()).toBe('')
    await show(some(12), undefined, 'm1')
    expect(down()).toBe('2')
    // Back at the end, all has been seen.
    await act(async () => container.querySelector<HTMLElement>('section + button')?.click())
    await show(some(12), undefined, 'm2')
    await scroll()
    expect(down()).toBe('')
    height.mockReturnValue((container.querySelector('section')?.scrollTop ?? 0) + viewHeight + 100)
    await scroll()
    expect(down()).toBeUndefined()
    await show(some(13), undefined, 'm2')
    expect(down()).toBe('1')
  })

  it('is a region that can be reached by keyboard, and says where the conversation begins', async () => {
    await show(stateOf([textItem(1)]))
    const region = container.querySelector('section')
    expect(region?.getAttribute('aria-label')).toBe('Conversation')
    expect(region?.tabIndex).toBe(0)
    expect(container.textContent).toContain('Start of the conversation')
  })

  it('offers another try when an older page could not be loaded', async () => {
    const loadOlder = vi.fn()
    await show(stateOf([textItem(1)], { phase: 'failed', fault: 'no answer' }), loadOlder)
    expect(container.textContent).toContain('no answer')
    const retry = [...container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Try again',
    )
    await act(async () => retry?.click())
    expect(loadOlder).toHaveBeenCalledOnce()
  })

  it('loads older pages until what a link names is there, one at a time', async () => {
    const loadOlder = vi.fn()
    const idle = { phase: 'idle', before: 'x' } as const
    await show(stateOf([textItem(9)], { phase: 'loading' }), loadOlder, 'm3')
    expect(loadOlder).not.toHaveBeenCalled()
    await show(stateOf([textItem(9)], idle), loadOlder, 'm3')
    expect(loadOlder).toHaveBeenCalledTimes(1)
    await show(
      stateOf(
        [3, 4, 9].map((index) => textItem(index)),
        { phase: 'loading' },
      ),
      loadOlder,
      'm3',
    )
    expect(loadOlder).toHaveBeenCalledTimes(1)
    const shining = container.querySelector('[data-key="text:3"] .bg-mark')
    expect(shining).not.toBeNull()
  })
})
