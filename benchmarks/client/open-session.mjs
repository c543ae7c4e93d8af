/** A server, a long conversation in its CLI's folder, and a browser that looks at it. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHere } from '../server/server-here.mjs'
import { writeTranscriptOf } from '../server/transcript-files.mjs'

/** What people have before them. */
const viewport = { width: 1280, height: 820 }

/** @returns {Promise<import('playwright-core').Browser>} */
export async function openBrowser() {
  const { launchChromium } = await import('../../scripts/chromium.mjs')
  return launchChromium()
}

/** @param {import('playwright-core').Browser} browser */
export async function openPage(browser) {
  const context = await browser.newContext({ viewport, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** @param {{ turns: number, cliPath?: string }} options */
export async function openLongSession({ turns, cliPath }) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'benchmark-page-')))
  const configDir = join(root, 'claude')
  const cwd = join(root, 'workspace')
  await mkdir(cwd, { recursive: true })
  const id = await writeTranscriptOf(configDir, cwd, turns)
  const here = await startHere({ root, configDir, ...(cliPath !== undefined && { cliPath }) })
  const browser = await openBrowser()
  const page = await openPage(browser)
  await page.goto(await here.server.signInLink())
  await page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
  return {
    ...here,
    id,
    page,
    /** Until the end of the conversation is seen. */
    async show() {
      await page.goto(`${here.server.url}/sessions/${id}`)
      await conversation(page)
        .getByText(`Question ${turns - 1} of`)
        .waitFor()
    },
    async close() {
      await browser.close()
      await here.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param {import('playwright-core').Page} page */
export function conversation(page) {
  return page.getByRole('region', { name: 'Conversation', exact: true })
}
