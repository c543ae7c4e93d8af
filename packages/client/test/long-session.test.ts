/** Conversations that are long: what is in the document stays small, and the reader is never moved. */
import { reply, text as say } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Gate } from '../../server/test/support/gate.ts'
import { text } from '../src/text/page-text.ts'
import { writeLongTranscript } from './support/long-transcript.ts'
import { conversation, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const mostNodes = 3000

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

/** Where the conversation stands, in pixels. */
const scrollPosition = (page: Page) =>
  conversation(page).evaluate((box) => ({
    top: Math.round(box.scrollTop),
    left: Math.round(box.scrollHeight - box.clientHeight - box.scrollTop),
    height: box.scrollHeight,
  }))

/** As by the wheel of a mouse that is over the conversation. */
async function wheel(page: Page, pixels: number): Promise<void> {
  const box = await conversation(page).boundingBox()
  if (!box) throw new Error('the conversation is not to be seen')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, pixels)
}

/** The rows in sight, and where each stands on the screen. */
const rowsInSight = (page: Page) =>
  conversation(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    return [...box.querySelectorAll<HTMLElement>('[data-key]')]
      .map((row) => ({
        key: row.dataset.key,
        top: row.getBoundingClientRect().top,
        end: row.getBoundingClientRect().bottom,
      }))
      .filter((row) => row.end > top && row.top < bottom)
  })

describe('a conversation of 5,000 messages', () => {
  let id = ''
  beforeAll(async () => {
    id = writeLongTranscript(used.host, 2500)
    await vi.waitFor(() => used.host.client.getSession({ params: { id } }), polling)
  })

  it('opens at its end; older pages come in above without moving what is read; few nodes are in the document', async () => {
    const { page } = await used.open(`/sessions/${id}`)
    await said(page, 'Answer 2499.').waitFor()
    await expect.poll(() => scrollPosition(page).then(({ left }) => left), polling).toBeLessThanOrEqual(1)
    expect(await nodes(page)).toBeLessThan(mostNodes)
    let gate = new Gate()
    let isAsked = false
    // What else is asked is the newest page, when the file has changed.
    await page.route(/\/history\?.*before=/, async (route) => {
      isAsked = true
      await gate.opened
      await route.continue()
    })
    for (let pages = 0; pages < 2; pages++) {
      while (!isAsked) {
        const { top } = await scrollPosition(page)
        await wheel(page, -1500)
        // It moves a moment later: nothing may be on its way when positions are compared.
        await expect
          .poll(() => scrollPosition(page).then((now) => now.top < top || top === 0), polling)
          .toBe(true)
        expect(await nodes(page)).toBeLessThan(mostNodes)
      }
      await settled(page)
      const { height } = await scrollPosition(page)
      const before = await rowsInSight(page)
      const held = gate
      gate = new Gate()
      isAsked = false
      held.open()
      await expect
        .poll(() => scrollPosition(page).then((now) => now.height), polling)
        .toBeGreaterThan(height + 1000)
      await settled(page)
      const after = new Map((await rowsInSight(page)).map((row) => [row.key, row.top]))
      expect(before.length).toBeGreaterThan(1)
      for (const row of before) expect(Math.abs((after.get(row.key) ?? Number.NaN) - row.top)).toBeLessThan(4)
    }
    gate.open()
  })

  it('is searched, and a hit near its beginning is brought into sight', async () => {
    const { page } = await used.open('/')
    await page.getByRole('searchbox', { name: text.sessions.search }).fill('"Question 7"')
    await page
      .getByRole('link', { name: /Question 7$|Question 7 / })
      .first()
      .click()
    await said(page, 'Question 7').waitFor({ timeout: 60_000 })
    expect(await nodes(page)).toBeLessThan(mostNodes)
    await conversation(page).press('Home')
    await conversation(page).getByText(text.conversation.beginning).waitFor()
    await said(page, 'Question 0').waitFor()
    expect(await nodes(page)).toBeLessThan(mostNodes)
    await page.getByRole('button', { name: text.conversation.newMessages(0) }).click()
    await said(page, 'Answer 2499.').waitFor()
    await expect.poll(() => scrollPosition(page).then(({ left }) => left), polling).toBeLessThanOrEqual(1)
  })
})

/** Nothing moves any more: two frames after another show the same. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const before = JSON.stringify([await scrollPosition(page), await rowsInSight(page)])
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      return before === JSON.stringify([await scrollPosition(page), await rowsInSight(page)])
    }, polling)
    .toBe(true)
}

const paragraphs = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name} paragraph ${n}. ${'It has some words. '.repeat(8)}`).join(
    '\n\n',
  )

describe('while an agent writes', () => {
  it('the end is followed; one who reads further up is not moved, is shown what is new, and led back', async () => {
    const session = await used.start([reply([say(paragraphs('first', 60))], { deltaSize: 2000 })])
    await session.endOf(1)
    const { page } = await used.open(`/sessions/${session.id}`)
    await conversation(page).getByText('first paragraph 59.').waitFor()
    const gate = new Gate()
    const writes = () =>
      gate.opened.then(() => reply([say(paragraphs('second', 40))], { deltaSize: 60, deltaDelayMs: 20 }))
    await session.send(used.prompts.on('write', writes))
    // How much comes in between two frames is the machine's matter: what was the end two frames ago is in sight, and where it is not
    // (a row turned out lower or higher), then a moment later.
    const followed = conversation(page).evaluate(async (box) => {
      const heights: number[] = []
      let behind = 0
      let longest = 0
      while (!box.textContent?.includes('second paragraph 20.')) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        const end = Math.min(heights.at(-2) ?? 0, box.scrollHeight)
        behind = box.scrollTop + box.clientHeight < end - 1 ? behind + 1 : 0
        longest = Math.max(longest, behind)
        heights.push(box.scrollHeight)
      }
      return { longest, frames: heights.length }
    })
    gate.open()
    const { longest, frames } = await followed
    expect(longest).toBeLessThan(3)
    expect(frames).toBeGreaterThan(10)
    await wheel(page, -900)
    await page.getByRole('button', { name: text.conversation.newMessages(0) }).waitFor()
    await settledTop(page)
    const before = await scrollPosition(page)
    await session.endOf(2)
    await session.say(used.prompts.on('more', paragraphs('third', 10)))
    const news = page.getByRole('button', { name: /new messages?$/ })
    await news.waitFor()
    expect((await scrollPosition(page)).top).toBe(before.top)
    expect((await scrollPosition(page)).height).toBeGreaterThan(before.height)
    await news.click()
    await conversation(page).getByText('third paragraph 9.').waitFor()
    await expect.poll(() => scrollPosition(page).then(({ left }) => left), polling).toBeLessThanOrEqual(1)
    await session.say(used.prompts.on('last', paragraphs('fourth', 10)))
    await conversation(page).getByText('fourth paragraph 9.').waitFor()
    await expect.poll(() => scrollPosition(page).then(({ left }) => left), polling).toBeLessThanOrEqual(1)
    expect(await news.count()).toBe(0)
  })
})

/** A wheel's movement has come to its end. */
async function settledTop(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const { top } = await scrollPosition(page)
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      return (await scrollPosition(page)).top === top
    }, polling)
    .toBe(true)
}
