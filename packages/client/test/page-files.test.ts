/** The files of the page in a real browser: how they are served and kept, and what opens when the server is away. */
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { goTo, polling, said, screens } from './support/on-page.ts'
import { useCutPage } from './support/use-cut-page.ts'

const { proxy, used } = await useCutPage()

it('everything comes from the server, under a policy, and what has a hash in its name is kept for ever', async () => {
  const { page, context } = await used.stranger('/')
  const elsewhere: string[] = []
  context.on(
    'request',
    (request) => new URL(request.url()).origin === proxy.origin || elsewhere.push(request.url()),
  )
  const answers = new Map<string, Record<string, string>>()
  page.on('response', (response) => answers.set(new URL(response.url()).pathname, response.headers()))
  await page.goto((await used.host.server.signInLink()).replace(used.host.server.url, proxy.origin))
  await page.getByRole('main').waitFor()
  await page.goto(`${proxy.origin}/`)
  for (const path of screens) {
    await goTo(page, path)
    await page.getByRole('main').waitFor()
    await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
  }
  expect(elsewhere).toEqual([])
  const policy = answers.get('/')?.['content-security-policy'] ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(rule)
  expect(policy).not.toMatch(/unsafe|\*/)
  expect(answers.get('/')?.['cache-control']).toBe('no-cache')
  const assets = [...answers].filter(([path]) => path.startsWith('/assets/'))
  expect(assets.length).toBeGreaterThan(5)
  for (const [path, headers] of assets)
    expect([path, headers['cache-control']]).toEqual([path, 'public, max-age=31536000, immutable'])
})

it('it can be installed: the manifest has what browsers ask for, and its icons load', async () => {
  const { page } = await used.open('/', {})
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await page.evaluate(async (url) => (await fetch(String(url))).json(), address)
  expect(manifest).toMatchObject({ name: 'DorkOS', start_url: '/', scope: '/', display: 'standalone' })
  const sizes = await page.evaluate(
    (icons: { src: string }[]) =>
      Promise.all(
        icons.map(async ({ src }) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return image.naturalWidth
        }),
      ),
    manifest.icons,
  )
  const declared = manifest.icons.map((icon: { sizes: string; purpose: string }) => [
    icon.sizes,
    icon.purpose,
  ])
  expect(declared).toEqual(
    expect.arrayContaining([
      ['192x192', 'any'],
      ['512x512', 'any'],
      ['512x512', 'maskable'],
    ]),
  )
  manifest.icons.forEach((icon: { sizes: string }, index: number) => {
    if (icon.sizes !== 'any') expect(`${sizes[index]}x${sizes[index]}`).toBe(icon.sizes)
  })
  const cdp = await page.context().newCDPSession(page)
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  // A private profile installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

it('the shell opens while the server is away, says so, and goes on when it is back', async () => {
  const session = await used.start(['Here I am.'])
  await session.endOf(1)
  const { page } = await used.open(`/sessions/${session.id}`, {})
  await said(page, 'Here I am.').waitFor()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state), polling)
    .toBe('activated')
  await page.reload()
  await said(page, 'Here I am.').waitFor()
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), polling)
    .toBe(true)
  proxy.mode = 'away'
  await page.goto(`${proxy.origin}/sessions/${session.id}`)
  await page.getByRole('heading', { name: text.auth.unreachable }).waitFor()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return keys.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept.length).toBeGreaterThan(2)
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([])
  proxy.mode = 'open'
  await said(page, 'Here I am.').waitFor({ timeout: 60_000 })
})
