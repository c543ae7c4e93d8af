/** Phones, themes, large type, and less motion: the page fits, and looks as it was chosen. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { composer, polling, said, screens } from './support/on-page.ts'
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

/** By how much the page, or anything in it that is seen, stands out at the side. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    const main = document.querySelector('main')
    return Math.max(scrollWidth - innerWidth, (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0))
  })

/** A session with wide things in it, and a call that waits. */
async function wideSession() {
  const session = await used.start([wide])
  await session.endOf(1)
  const command = `echo ${long} > a`
  await session.send(
    used.prompts.on(`ask ${session.id}`, toolUse('Bash', { command, description: long }), 'Asked.'),
  )
  return session
}

async function nothingOverflows(page: Page): Promise<void> {
  const { servers } = await used.host.client.listMcpServers()
  if (servers.length === 0) {
    const entry = server({ tools: ['read', long.slice(0, 60)] })
    await used.host.client.addMcpServers({ body: { name: 'files', entry } })
    await used.host.client.testMcpServer({ params: { name: 'files' }, body: {} })
  }
  const session = await wideSession()
  for (const path of [`/sessions/${session.id}`, ...everyScreen]) {
    await page.goto(used.host.server.url + path)
    await page.getByRole('main').waitFor()
    if (path.startsWith('/sessions'))
      await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
    await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
    expect([path, await overflow(page)]).toEqual([path, 0])
  }
}

describe('on a phone', () => {
  it('no screen is wider than the phone', async () => {
    const { page } = await used.open('/', phone)
    await nothingOverflows(page)
  })

  it('the menu is a drawer; the composer stays above the keyboard', async () => {
    const session = await used.start(['Ready.'])
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

describe('with type of twice the size', () => {
  it('nothing stands out at the side, and the composer can be used', async () => {
    // What a browser's zoom does: the same window has half as many pixels of the page.
    const { page } = await used.open('/', { viewport: { width: 640, height: 410 }, deviceScaleFactor: 2 })
    await nothingOverflows(page)
    const session = await used.start(['Here.'])
    await page.goto(`${used.host.server.url}/sessions/${session.id}`)
    await said(page, 'Here.').waitFor()
    await composer(page).fill('words')
    const box = await composer(page).boundingBox()
    expect(box && box.y + box.height).toBeLessThanOrEqual(410)
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
    const session = await used.start([toolUse('Bash', { command: 'echo c > c', description: 'x' }), 'Moved.'])
    const { page } = await used.open(`/sessions/${session.id}`, { reducedMotion: 'reduce' })
    await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > 50)
          .length,
    )
    expect(moving).toBe(0)
  })
})
