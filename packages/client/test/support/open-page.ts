/**
 * A real server with the real CLI and a scripted model, and a real browser that looks at its page. Whatever the browser complains
 * about (an error in the console, a violation of the page's policy, an exception) fails the test.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.mjs'
import type { HostOptions } from '../../../server/test/support/start-host.ts'
import { type UsedHost, useHost } from '../../../server/test/support/use-host.ts'

/** What browsers say about requests that a test makes fail on purpose. */
const expectedFailures = /Failed to load resource: net::ERR_|Failed to load resource: the server responded/

export interface TestPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Complaints so far; a test that causes one on purpose takes it out. */
  readonly complaints: string[]
}

export interface UsedPage extends UsedHost {
  /** A new browser profile, signed in, at the path. */
  open(path?: string, options?: BrowserContextOptions): Promise<TestPage>
  /** A new browser profile that is not signed in. */
  stranger(path?: string, options?: BrowserContextOptions): Promise<TestPage>
  /** Another tab of the same profile. */
  tab(of: TestPage, path: string): Promise<TestPage>
}

const desktop: BrowserContextOptions = {
  viewport: { width: 1280, height: 820 },
  reducedMotion: 'reduce',
  locale: 'en-US',
  // Each visitor would get the page twice. Where it matters, a test has one: `serviceWorkers: 'allow'`.
  serviceWorkers: 'block',
}
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
}

interface PageOptions extends HostOptions {
  /** Where browsers find the server, if not at its own address. */
  origin?: string
  /** As in every visitor's browser, unless a test says otherwise. */
  browser?: BrowserContextOptions
}

export function usePage({ origin, browser: common = {}, ...options }: PageOptions = {}): UsedPage {
  // A page, a server and the CLI share the processor: limits are for what never comes.
  vi.setConfig({ testTimeout: 120_000 })
  const used = useHost(options)
  let browser: Browser | undefined
  const opened: TestPage[] = []
  beforeAll(async () => {
    browser = await launchChromium()
  }, 60_000)
  afterEach(async () => {
    const all = opened.splice(0)
    const complaints = all.flatMap((one) => one.complaints)
    await Promise.all([...new Set(all.map((one) => one.context))].map((context) => context.close()))
    expect(complaints).toEqual([])
  })
  afterAll(() => browser?.close())

  const address = () => origin ?? used.host.server.url
  const watched = async (context: BrowserContext): Promise<TestPage> => {
    const page = await context.newPage()
    page.setDefaultTimeout(40_000)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error.message}`))
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || /Content Security Policy|Trusted/.test(message.text())
      if (isComplaint && !expectedFailures.test(message.text())) complaints.push(message.text())
    })
    const one = { page, context, complaints }
    opened.push(one)
    return one
  }
  const stranger = async (path = '/', more: BrowserContextOptions = {}) => {
    if (!browser) throw new Error('the browser runs only within tests')
    const one = await watched(await browser.newContext({ ...desktop, ...common, ...more }))
    await one.page.goto(address() + path)
    return one
  }
  return Object.assign(used, {
    stranger,
    async open(path = '/', more: BrowserContextOptions = {}) {
      const code = new URL(await used.host.server.signInLink()).hash.slice(1)
      // A link signs in wherever it leads: one load of the page for both.
      const one = await stranger(`${path}${path.includes('#') ? '&' : '#'}${code}`, more)
      await one.page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
      return one
    },
    async tab(of: TestPage, path: string) {
      const one = await watched(of.context)
      await one.page.goto(address() + path)
      return one
    },
  })
}
