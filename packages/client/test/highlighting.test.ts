/** Code is coloured by a worker beside the page: under the page's policy, and without it the code is there all the same. */
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { conversation, polling } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })

const code = `const answer: number = 42\n${'// a note\n'.repeat(300)}export { answer }`
const block = `\`\`\`ts\n${code}\n\`\`\``

let session: Conversation
beforeAll(async () => {
  session = await used.start([block])
  await session.endOf(1)
})

it('colours come from a worker, are the theme’s, and change no character', async () => {
  const { page } = await used.open(`/sessions/${session.id}`, { colorScheme: 'dark' })
  const shown = conversation(page).getByRole('figure').locator('code')
  const colours = () =>
    shown
      .locator('span')
      .evaluateAll((spans) => new Set(spans.map((one) => getComputedStyle(one).color)).size)
  await expect.poll(colours, polling).toBeGreaterThan(2)
  expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([
    expect.stringMatching(/^\/assets\/highlight-worker-[\w-]+\.js$/),
  ])
  expect(await shown.textContent()).toBe(code)
  const keyword = shown.getByText('const', { exact: true }).first()
  const colour = () => keyword.evaluate((one) => getComputedStyle(one).color)
  const dark = await colour()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(colour, polling).not.toBe(dark)
})

it('without the worker, code is shown as plain text', async () => {
  const { page, context } = await used.open('/', {})
  const refused = new Set<string>()
  await context.route('**/assets/highlight-worker-*', (route) => {
    refused.add(route.request().resourceType())
    return route.abort()
  })
  await page.goto(`${used.host.server.url}/sessions/${session.id}`)
  const shown = conversation(page).getByRole('figure').locator('code')
  await shown.waitFor()
  await expect.poll(() => refused.size, polling).toBe(1)
  expect(await shown.textContent()).toBe(code)
  expect(await shown.locator('span[style]').count()).toBe(0)
})
