/** Without a mouse: from the sign-in to a message that is answered, and what the keys of the shell do. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, composer, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })

/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || element === document.body) return ''
    return element.getAttribute('aria-label') ?? element.textContent ?? ''
  })

/** Goes on with Tab until what is wanted has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let n = 0; n < 60; n++) {
    if ((await focused(page)).trim() === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

it('from the sign-in to a sent message by keys alone', async () => {
  const { page } = await used.stranger('/')
  const code = new URL(await used.host.server.signInLink()).hash.slice('#code='.length)
  await page.getByRole('textbox', { name: text.auth.codeLabel }).waitFor()
  for (let n = 0; n < 20; n++) {
    if (await page.evaluate(() => document.activeElement?.tagName === 'INPUT')) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
  await page.getByRole('link', { name: text.shell.pages.newSession }).first().waitFor()
  await tabTo(page, text.shell.skip)
  await tabTo(page, text.shell.pages.newSession)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/new$/)
  await composer(page).waitFor()
  await tabTo(page, text.composer.label)
  await page.keyboard.type(used.prompts.on('hello by keys', 'Hello to you.'))
  await page.keyboard.press('Enter')
  await said(page, 'Hello to you.').waitFor()
  // The next message needs no way there.
  await expect.poll(() => focused(page), polling).toBe(text.composer.label)
  await page.keyboard.type(used.prompts.on('and again', 'Again.'))
  await page.keyboard.press('Enter')
  await said(page, 'Again.').waitFor()
  await expect.poll(() => focused(page), polling).toBe(text.composer.label)
})

describe('the shell', () => {
  it('opens a session from the palette, the sheet with ?, and changes the theme', async () => {
    const session = await used.start(['There it is.'], { title: 'Needle in a stack' })
    await session.endOf(1)
    const { page } = await used.open('/rules')
    await page.getByRole('heading', { level: 1, name: text.rules.title }).waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: text.shell.palette.title })
    await box.fill('needle stack')
    await page.getByRole('option', { name: /Needle in a stack/ }).waitFor()
    await page.keyboard.press('Enter')
    await said(page, 'There it is.').waitFor()

    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Escape')
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: text.shell.shortcuts.title })
    await sheet.getByText(text.shell.shortcuts.palette, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL(/\/costs/)

    // Where a change of the colours leads, not a moment of it.
    const ground = () =>
      page.evaluate(async () => {
        await Promise.allSettled(document.getAnimations().map((one) => one.finished))
        return getComputedStyle(document.body).backgroundColor
      })
    const light = await ground()
    await page.keyboard.press('Control+k')
    const theme = text.shell.palette.themeTo(text.shell.themes.dark)
    await box.fill(theme)
    await page.getByRole('option', { name: theme }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(ground, polling).not.toBe(light)
    const dark = await ground()
    await page.reload()
    await button(page, new RegExp(text.shell.userMenu)).waitFor()
    await expect.poll(ground, polling).toBe(dark)
    await button(page, new RegExp(text.shell.userMenu)).click()
    await page.getByRole('menuitemradio', { name: text.shell.themes.light }).click()
    await expect.poll(ground, polling).toBe(light)
  })
})
