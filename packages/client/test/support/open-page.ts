/**
 * A real server with the real CLI and a scripted model, and a real browser that looks at its page. Whatever the browser complains
 * about (an error in the console, a violation of the page's policy, an exception) fails the test.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.mjs'
import { type UsedHost, type UseHostOptions, useHost } from '../../../server/test/support/use-host.ts'

/** What browsers say about requests that a test makes fail on purpose. */
const expectedFailures = /Failed to load resource: net::ERR_|Failed to load resource: the server responded/

export interface TestPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Complaints so far; a test that causes one on purpose takes it out. */
  readonly complaints: string[]
}

export interface UsedPage extends UsedHost {
  /**
   * A signed-in page at the path. For a desktop or a phone it is the one tab of a profile that lasts as long as the host: nothing is stored
   * there but the token, and what a test changes of the page (its size, routes, media) is undone after it. Options of its own, be they
   * empty, or a second page in the same test mean a new profile: for who changes more (permissions, scripts, listeners) or signs out.
   */
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

type PageOptions = UseHostOptions & {
  /** Where browsers find the server, if not at its own address. */
  origin?: string
  /** As in every visitor's browser, unless a test says otherwise. */
  browser?: BrowserContextOptions
}

/** One browser for all files of a worker, closed with it. One whose worker is killed ends by itself: the pipe between them breaks. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which others this one needs.
const withBrowser = it.extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const browser = await launchChromium()
  onCleanup(() => browser.close())
  return browser
})

/** Of the host that files share: they end with the browser. */
const sharedProfiles = new Map<BrowserContextOptions, TestPage>()

export function usePage({ origin, browser: common = {}, ...options }: PageOptions = {}): UsedPage {
  // A page, a server and the CLI share the processor: limits are for what never comes.
  vi.setConfig({ testTimeout: 120_000 })
  const used = useHost(options)
  let browser: Browser | undefined
  const lasting = options.isShared ? sharedProfiles : new Map<BrowserContextOptions, TestPage>()
  const opened: TestPage[] = []
  withBrowser.beforeAll(({ browser: shared }) => {
    browser = shared
  })
  afterEach(async ({ task }) => {
    const all = opened.splice(0)
    const complaints = all.flatMap((one) => one.complaints.splice(0))
    const kept = [...lasting].filter(([, one]) => all.includes(one))
    // After a failure nobody knows what is left.
    if (task.result?.state === 'fail') for (const [size] of kept.splice(0)) lasting.delete(size)
    const contexts = new Set(all.map(({ context }) => context))
    for (const [, { context }] of kept) contexts.delete(context)
    await Promise.all([...contexts].map((context) => context.close()))
    for (const [{ viewport }, one] of kept) await cleared(one, address(), viewport)
    expect(complaints).toEqual([])
  })
  afterAll(async () => {
    if (!options.isShared) await Promise.all([...lasting.values()].map(({ context }) => context.close()))
  })

  const address = () => origin ?? used.host.server.url
  const profile = async (more: BrowserContextOptions): Promise<TestPage> => {
    if (!browser) throw new Error('the browser runs only within tests')
    return watched(await browser.newContext({ ...desktop, ...common, ...more }))
  }
  const watched = async (context: BrowserContext): Promise<TestPage> => {
    const one = await watchedTab(context)
    opened.push(one)
    return one
  }
  const signedIn = async (one: TestPage, path: string) => {
    const code = new URL(await used.host.server.signInLink()).hash.slice(1)
    // A link signs in wherever it leads: one load of the page for both.
    await one.page.goto(`${address()}${path}${path.includes('#') ? '&' : '#'}${code}`)
    await one.page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
    return one
  }
  return Object.assign(used, {
    async stranger(path = '/', more: BrowserContextOptions = {}) {
      const one = await profile(more)
      await one.page.goto(address() + path)
      return one
    },
    async open(path = '/', more: BrowserContextOptions = desktop) {
      const there = lasting.get(more)
      if (there && !opened.includes(there)) {
        opened.push(there)
        await there.page.goto(address() + path)
        return there
      }
      const one = await signedIn(await profile(more), path)
      if (!there && (more === desktop || more === phone)) lasting.set(more, one)
      return one
    },
    async tab(of: TestPage, path: string) {
      const one = await watched(of.context)
      await one.page.goto(address() + path)
      return one
    },
  })
}

async function watchedTab(context: BrowserContext): Promise<TestPage> {
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || /Content Security Policy|Trusted/.test(message.text())
    if (isComplaint && !expectedFailures.test(message.text())) complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** As the next test expects it: one tab. It stays at the same origin, so that its process goes on and has the page's code compiled. */
async function cleared(
  { page, context }: TestPage,
  origin: string,
  size: BrowserContextOptions['viewport'],
): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate(() => {
    const token = localStorage.getItem('dorkos.token') ?? ''
    localStorage.clear()
    sessionStorage.clear()
    localStorage.setItem('dorkos.token', token)
  })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  if (size) await page.setViewportSize(size)
  await page.mouse.move(0, 0)
}
