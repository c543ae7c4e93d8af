// `npm run shots -- [part of a name…]`: pictures of every screen, light and dark, on a desktop and on a phone, into the folder shots.
// Names are as the files are called: `-- approval` takes four, `-- light-phone` every screen once.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchChromium } from './chromium.mjs'
import { screens } from './shots/screens.mjs'
import { startSeeded } from './shots/seed.mjs'

const folder = fileURLToPath(new URL('../shots/', import.meta.url))
const wanted = process.argv.slice(2)
const desktop = { viewport: { width: 1280, height: 820 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const variants = { desktop, phone }

if (wanted.length === 0) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const seeded = await startSeeded()
const browser = await launchChromium()
const complaints = []
try {
  for (const [size, options] of Object.entries(variants)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({
        ...options,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-US',
      })
      await shoot(context, { colorScheme, size })
      await context.close()
    }
  }
} finally {
  await browser.close()
  await seeded.close()
}
for (const complaint of new Set(complaints)) console.error(complaint)
process.exit(complaints.length === 0 ? 0 : 1)

async function shoot(context, { colorScheme, size }) {
  const variant = `${colorScheme}-${size}`
  const page = await context.newPage()
  let screenNow = 'sign-in'
  page.on('pageerror', (error) => complaints.push(`${variant}: ${error.message}`))
  page.on('console', (message) => {
    const expected = screenNow === 'reconnecting' || screenNow === 'not-found'
    if (message.type() === 'error' && !expected) complaints.push(`${variant}: ${message.text()}`)
  })
  const take = async (name) => {
    const file = join(folder, `${name}-${variant}.png`)
    await page.screenshot({ path: file, animations: 'disabled' })
    console.log(file.slice(folder.length))
  }
  if (included('sign-in', variant)) {
    await page.goto(seeded.network.origin)
    await page.waitForTimeout(600)
    await take('sign-in')
  }
  await page.goto((await seeded.server.signInLink()).replace(seeded.server.url, seeded.network.origin))
  await page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
  for (const screen of screens(seeded)) {
    if (!included(screen.name, variant) || (screen.only && screen.only !== size)) continue
    screenNow = screen.name
    await page.goto(seeded.network.origin + screen.path)
    await page.waitForTimeout(screen.waitMs ?? 1200)
    try {
      await screen.prepare?.(page)
      if (screen.prepare) await page.waitForTimeout(500)
    } catch (error) {
      complaints.push(`${screen.name}-${variant}: ${error.message.split('\n')[0]}`)
    }
    await take(screen.name)
    await screen.after?.()
  }
}

function included(name, variant) {
  return wanted.length === 0 || wanted.some((word) => `${name}-${variant}`.includes(word))
}
