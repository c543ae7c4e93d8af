/** No headless browser hears anything: the browser's part is played here. */
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { text } from '../text/text.ts'
import { DictateButton } from './dictate-button.tsx'
import { clearDraft, messageDraftOf } from './drafts.ts'

const words = text.dictation

class Heard extends EventTarget {
  static last: Heard | undefined
  continuous = false
  interimResults = true
  lang = ''
  isRunning = false
  start() {
    this.isRunning = true
    Heard.last = this
  }
  stop() {
    this.isRunning = false
    this.dispatchEvent(new Event('end'))
  }
  abort() {
    this.stop()
  }
  say(transcript: string, isFinal: boolean) {
    const results = [Object.assign([{ transcript }], { isFinal })]
    this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results }))
  }
}

let root: Root
let holder: HTMLElement
const button = () => holder.querySelector('button')
const press = () => act(async () => button()?.click())
async function draw(): Promise<void> {
  holder = document.createElement('div')
  root = createRoot(holder)
  await act(async () => root.render(<DictateButton draftKey="s" />))
}
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  clearDraft('s')
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

it('is not there where the browser cannot hear', async () => {
  await draw()
  expect(button()).toBeNull()
})

it('writes what is certain behind what was written, until it is stopped or left', async () => {
  vi.stubGlobal('webkitSpeechRecognition', Heard)
  await draw()
  expect(button()?.getAttribute('aria-label')).toBe(words.start)
  await press()
  expect(button()?.getAttribute('aria-label')).toBe(words.stop)
  await act(async () => {
    Heard.last?.say('maybe', false)
    Heard.last?.say('fix the', true)
    Heard.last?.say('tests', true)
  })
  expect(messageDraftOf('s').text).toBe('fix the tests')
  await press()
  expect([Heard.last?.isRunning, button()?.getAttribute('aria-pressed')]).toEqual([false, 'false'])
  await press()
  const second = Heard.last
  await act(async () => root.render(null))
  expect(second?.isRunning).toBe(false)
})

it('ends with a word when the microphone is not allowed', async () => {
  vi.stubGlobal('webkitSpeechRecognition', Heard)
  await draw()
  await press()
  await act(async () => {
    Heard.last?.dispatchEvent(Object.assign(new Event('error'), { error: 'not-allowed' }))
    Heard.last?.stop()
  })
  expect(button()?.getAttribute('aria-pressed')).toBe('false')
})
