/** Files that go with a message: several at once, with how far they are; one that cannot be read keeps the message back. */
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, composer, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const words = text.composer

it('are read side by side, wait for each other, and are sent with the message that was sent meanwhile', async () => {
  const session = await used.start(['Ready.'])
  const { page } = await used.open(`/sessions/${session.id}`, {})
  await said(page, 'Ready.').waitFor()
  // The disk is played: the second file is slow, and the third fails once.
  await page.evaluate(() => {
    const begin = FileReader.prototype.readAsArrayBuffer
    const opened = new Promise<void>((open) => Object.assign(globalThis, { open }))
    let fails = true
    FileReader.prototype.readAsArrayBuffer = function (blob) {
      const { name } = blob as File
      if (name === 'third.txt' && fails) {
        fails = false
        Object.defineProperty(this, 'error', { value: new DOMException('gone', 'NotReadableError') })
        queueMicrotask(() => this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>))
      } else if (name === 'second.txt') {
        this.onprogress?.(new ProgressEvent('progress', { loaded: 5 }) as ProgressEvent<FileReader>)
        void opened.then(() => begin.call(this, blob))
      } else begin.call(this, blob)
    }
  })
  const names = ['first.txt', 'second.txt', 'third.txt']
  await page
    .locator('input[type=file]')
    .setInputFiles(
      names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`${name} has it`) })),
    )
  const list = page.getByRole('list', { name: words.attachments })
  const bar = list.getByRole('progressbar', { name: words.reading('second.txt') })
  await bar.waitFor()
  expect(await bar.getAttribute('value')).toBe(String(5 / 'second.txt has it'.length))
  await composer(page).fill(used.prompts.on('read all three', 'Read.'))
  await composer(page).press('Enter')
  await page.getByText(words.waitsForFiles(2)).waitFor()
  await page.evaluate(() => (globalThis as unknown as { open(): void }).open())
  // The one that failed keeps the message here until somebody decides.
  await list.getByText(words.notRead).waitFor()
  expect(await composer(page).inputValue()).toContain('read all three')
  await button(list, words.readAgain('third.txt')).click()
  await list.getByText(words.notRead).waitFor({ state: 'detached' })
  await composer(page).press('Enter')
  await said(page, 'Read.').waitFor()
  const asked = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
  const sent = JSON.stringify(asked?.messages)
  const positions = names.map((name) => sent.indexOf(`${name} has it`))
  expect(positions.every((at) => at > 0)).toBe(true)
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(await list.count()).toBe(0)
})

it('a large one says how far it is on its way to the server', async () => {
  const session = await used.start(['Ready.'])
  const { page, context } = await used.open(`/sessions/${session.id}`, {})
  await said(page, 'Ready.').waitFor()
  const name = 'large.txt'
  await page
    .locator('input[type=file]')
    .setInputFiles([
      { name, mimeType: 'text/plain', buffer: Buffer.from(`${'words and '.repeat(80_000)}the end`) },
    ])
  await page.getByText(name).waitFor()
  const slow = await context.newCDPSession(page)
  await slow.send('Network.enable')
  await slow.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200 * 1024,
  })
  await composer(page).fill(used.prompts.on('read the large one', 'Read all.'))
  await composer(page).press('Enter')
  await page.getByText(/^Sending… [1-9]\d?%$/).waitFor()
  await said(page, 'Read all.').waitFor()
  const asked = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
  expect(JSON.stringify(asked?.messages)).toContain('words and the end')
})
