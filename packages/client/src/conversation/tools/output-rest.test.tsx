import { ApiError, type ToolOutput } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from '../../api.ts'
import { text } from '../../text/card-text.ts'
import { ConversationContext, useConversation } from '../conversation-context.tsx'
import { sampleCall } from '../test-support/sample-call.ts'
import { ToolCard } from './tool-card.tsx'

const words = text.conversation
let container: HTMLElement
let close: () => Promise<void>
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(async () => {
  await close()
  vi.restoreAllMocks()
})

interface Result {
  content?: { type: string; [field: string]: unknown }[]
  omittedBytes: number
}

function Page({ content = [{ type: 'text', text: 'the beginning' }], omittedBytes }: Result) {
  const context = useConversation()
  const result = { content, omittedBytes, isError: false, detail: undefined }
  const item = sampleCall('toolu_1', { name: 'mcp__files__read', status: 'done', result })
  const opened = new Map([[item.key, true]])
  return (
    <ConversationContext value={{ ...context, sessionId: 's', opened }}>
      <ToolCard item={item} />
    </ConversationContext>
  )
}

/** An open card, once all of its parts are there. */
async function show(result: Result): Promise<void> {
  container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <Page {...result} />
      </QueryClientProvider>,
    ),
  )
  close = () => act(async () => root.unmount())
  await until(
    () => container.querySelector('[aria-busy]') === null && container.querySelectorAll('button').length > 1,
  )
}

/** Parts of the page, and answers, come when they come. */
async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitFor(async () => {
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
    expect(isTrue()).toBe(true)
  }, 30_000)
}

function button(name: string): HTMLButtonElement | undefined {
  return [...container.querySelectorAll('button')].find((one) => one.textContent?.includes(name))
}

async function press(name: string): Promise<void> {
  await until(() => button(name) !== undefined)
  await act(async () => button(name)?.click())
}

const says = (words: string) => until(() => container.textContent?.includes(words) === true)

const answers = (...pages: Partial<ToolOutput>[]) => {
  const output = vi.spyOn(api, 'getToolOutput')
  for (const page of pages) output.mockResolvedValueOnce({ text: '', bytes: 0, pictures: [], ...page })
  return output
}

it('says how much is left out, and shows all of it when it is asked for', async () => {
  const output = answers({ text: '<b>all of it</b>', bytes: 90_000 })
  await show({ omittedBytes: 80_000 })
  expect(container.textContent).toContain(words.omitted('80.0 kB'))
  expect(output).not.toHaveBeenCalled()
  await press(words.showOutput)
  await says('<b>all of it</b>')
  expect(output.mock.calls[0]?.[0]).toMatchObject({ params: { id: 's', toolCallId: 'toolu_1' } })
  expect(container.querySelector('b')).toBeNull()
  expect(container.textContent).toContain(words.wholeOutput('90.0 kB'))
  expect(button(words.showOutput)).toBeUndefined()
})

it('shows a long one in parts, not more than a page can hold, and offers the rest as a file', async () => {
  const bytes = 50_000_000
  answers({ text: 'one,', bytes, next_offset: 900_000 }, { text: 'two', bytes, next_offset: 1_100_000 })
  await show({ omittedBytes: bytes })
  await press(words.showOutput)
  await press(words.showMoreOutput)
  await says('one,two')
  expect(container.textContent).toContain(words.partOfOutput('1.1 MB', '50.0 MB'))
  expect(button(words.showMoreOutput)).toBeUndefined()
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const download = vi.spyOn(api, 'downloadToolOutput').mockResolvedValue(new Response('everything'))
  await press(words.downloadOutput)
  expect(download).toHaveBeenCalledWith({ params: { id: 's', toolCallId: 'toolu_1' } })
  await until(() => saved.mock.calls.length === 1)
})

it('says what is gone, and what went wrong, and lets one try again', async () => {
  const output = answers()
  output.mockRejectedValueOnce(new ApiError('not_found', 404, 'not written yet'))
  output.mockResolvedValueOnce({ text: 'a little', bytes: 8, pictures: [], missing: 'the file is gone' })
  await show({ omittedBytes: 80_000 })
  await press(words.showOutput)
  await says('not written yet')
  expect(container.querySelector('[role=alert]')?.textContent).toBe('not written yet')
  await press(words.showOutput)
  await says('the file is gone')
  expect(container.querySelector('[role=alert]')).toBeNull()
  expect(container.textContent).toContain('a little')
})

it('loads a picture that was left out, by its place among the pictures', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture')
  const picture = vi.spyOn(api, 'getToolPicture').mockResolvedValue(new Response('…'))
  const here = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const leftOut = {
    type: 'image',
    source: { type: 'omitted', media_type: 'image/png' },
    omitted_bytes: 2_000_000,
  }
  await show({ content: [here, { type: 'text', text: 'and' }, leftOut], omittedBytes: 2_000_000 })
  expect(button(words.showOutput)).toBeUndefined()
  await press(words.showPicture('2.0 MB'))
  await until(() => container.querySelector('img[src="blob:picture"]') !== null)
  expect(picture).toHaveBeenCalledWith({ params: { id: 's', toolCallId: 'toolu_1', index: 1 } })
})
