/** Phones, themes, large type, and less motion: the page fits, and looks as it was chosen. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { Gate } from '../../server/test/support/gate.ts'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { composer, goTo, polling, said, screens } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()

const everyScreen = [...screens, '/mcp/files']
const long = 'a-name-without-any-place-to-break-it-'.repeat(12)
const wide = `A reply with \`${long}\`, ${long}, and

| ${Array.from({ length: 12 }, (_, n) => `column ${n}`).join(' | ')} |
|${' --- |'.repeat(12)}
| ${Array.from({ length: 12 }, () => 'some words here').join(' | ')} |

\`\`\`
${long}
\`\`\``

/** What of the page is seen only in part: it stands out at the right, and nothing that it is in can be scrolled there or cuts it with dots. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const isOut = (box: { right: number }) => box.right > innerWidth + 1
    const isLed = (element: Element): boolean => {
      // For screen readers alone.
      if (element.getBoundingClientRect().width <= 1) return true
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isScrolled = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth
      // A table or a block of code may be scrolled sideways; a page may not.
      if (isScrolled && element.clientHeight < innerHeight / 2) return true
      if (textOverflow === 'ellipsis' && !isOut(element.getBoundingClientRect())) return true
      return element.parentElement !== null && isLed(element.parentElement)
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (words.nextNode()) {
      const { parentElement: element, textContent } = words.currentNode
      if (element === null || textContent?.trim() === '' || !element.checkVisibility()) continue
      const range = document.createRange()
      range.selectNode(words.currentNode)
      if ([...range.getClientRects()].some((box) => box.width > 2 && isOut(box)) && !isLed(element))
        found.push(`${element.tagName} ${element.className}: ${textContent?.slice(0, 60)}`)
    }
    for (const element of document.querySelectorAll('button, input, textarea, select, img, svg, iframe'))
      if (element.checkVisibility() && isOut(element.getBoundingClientRect()) && !isLed(element))
        found.push(element.outerHTML.slice(0, 120))
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) found.push(`the page: ${scrollWidth} of ${innerWidth}`)
    return found
  })

let session: Conversation
beforeAll(async () => {
  session = await used.start([wide])
  await session.endOf(1)
})

it('no screen is wider than a phone, nor than a window with type of twice the size', async () => {
  const entry = server({ tools: ['read', long.slice(0, 60)] })
  await used.host.client.addMcpServers({ body: { name: 'files', entry } })
  await used.host.client.testMcpServer({ params: { name: 'files' }, body: {} })
  const command = `echo ${long} > a`
  const asks = toolUse('Bash', { command, description: long })
  const turn = await session.send(used.prompts.on('ask', asks, 'Asked.'))
  const address = `/sessions/${session.id}`
  // What a browser's zoom does: the same window has half as many pixels of the page.
  const zoomed = { viewport: { width: 640, height: 410 }, deviceScaleFactor: 2 }
  const { page: small } = await used.open(address, phone)
  const { page: large } = await used.open(address, zoomed)
  for (const path of [address, ...everyScreen]) {
    for (const page of [small, large]) {
      if (path !== address) await goTo(page, path)
      await page.getByRole('main').waitFor()
      if (path === address) await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
      await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
      expect([path, await overflow(page)]).toEqual([path, []])
    }
  }
  await goTo(large, address)
  await composer(large).fill('words')
  const box = await composer(large).boundingBox()
  expect(box && box.y + box.height).toBeLessThanOrEqual(410)
  await session.answer({ decision: 'deny' })
  await session.end(turn)
})

describe('on a phone', () => {
  it('the menu is a drawer; the composer stays above the keyboard', async () => {
    await session.say(used.prompts.on('be ready', 'Ready.'))
    const { page } = await used.open(`/sessions/${session.id}`, phone)
    await said(page, 'Ready.').waitFor()
    const drawer = page.getByRole('complementary', { name: text.shell.sidebar })
    const isAway = async () =>
      ((await drawer.boundingBox())?.x ?? 0) + ((await drawer.boundingBox())?.width ?? 0) <= 0
    expect(await isAway()).toBe(true)
    await page.getByRole('button', { name: text.shell.openMenu }).tap()
    await expect.poll(isAway, polling).toBe(false)
    await drawer.getByRole('link', { name: text.shell.pages.inbox }).tap()
    await page.waitForURL('**/inbox')
    await expect.poll(isAway, polling).toBe(true)
    await page.goBack()
    await said(page, 'Ready.').waitFor()
    await composer(page).tap()
    // As a keyboard does that makes what is seen smaller.
    await page.setViewportSize({ width: 390, height: 420 })
    await expect
      .poll(async () => {
        const box = await composer(page).boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= 420
      }, polling)
      .toBe(true)
    await expect
      .poll(async () => (await said(page, 'Ready.').boundingBox())?.y ?? -1, polling)
      .toBeGreaterThan(0)
    const sizes = await page
      .locator('input:visible, textarea:visible')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)))
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(16)
  })
})

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
/** From 0 (black) to 255. */
const lightness = async (page: Page) =>
  Math.max(...((await ground(page)).match(/\d+/g) ?? []).slice(0, 3).map(Number))

describe('themes', () => {
  it('follow the system, then the choice, which is there before the first paint', async () => {
    const { page } = await used.open('/settings', { colorScheme: 'light' })
    await page.getByRole('main').waitFor()
    expect(await lightness(page)).toBeGreaterThan(200)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => lightness(page), polling).toBeLessThan(60)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: text.shell.userMenu }).click()
    await page.getByRole('menuitemradio', { name: text.shell.themes.dark }).click()
    await expect.poll(() => lightness(page), polling).toBeLessThan(60)
    // The page's own code is held: what is painted now is what comes first.
    await page.route('**/assets/*.js', () => undefined)
    await page.reload({ waitUntil: 'commit' })
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme), polling).toBe('dark')
    await expect.poll(() => lightness(page).catch(() => 255), polling).toBeLessThan(60)
    await page.unroute('**/assets/*.js')
  })
})

describe('less motion', () => {
  it('leaves no movement that lasts', async () => {
    const gate = new Gate()
    const asks = () => gate.opened.then(() => toolUse('Bash', { command: 'echo c > c', description: 'x' }))
    await session.send(used.prompts.on('move', asks, 'Moved.'))
    const { page } = await used.open(`/sessions/${session.id}`, { reducedMotion: 'no-preference' })
    const moving = () =>
      page.evaluate(() => {
        const lasts = (one: Animation) => Number(one.effect?.getComputedTiming().duration) > 50
        return document.getAnimations().filter(lasts).length
      })
    await page.getByRole('button', { name: text.composer.stop, exact: true }).waitFor()
    await expect.poll(moving, polling).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(moving, polling).toBe(0)
    gate.open()
    await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
    expect(await moving()).toBe(0)
  })
})
