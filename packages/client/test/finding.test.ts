/** Finding things by the words that a person knows: what was said, and what sessions and workspaces are called. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

// What is only looked for needs no process.
const used = usePage({ config: { sessions: { prewarm: false } } })

it('the palette finds what was said, after all else, and leads there', async () => {
  const session = await used.start(['The heron waits by the weir.'], { title: 'Birds' })
  await session.endOf(1)
  // Said words are indexed beside the conversation.
  await expect
    .poll(async () => (await used.host.client.searchSessions({ query: { q: 'heron' } })).hits.length, polling)
    .toBeGreaterThan(0)
  const { page } = await used.open('/rules')
  await page.getByRole('heading', { level: 1, name: text.rules.title }).waitFor()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: text.shell.palette.title })
  await box.fill('Heron weir')
  const group = page.getByRole('group', { name: text.shell.palette.groups.text })
  const hit = group.getByRole('option', { name: /The heron waits by the weir\. ?Birds/ })
  await hit.waitFor()
  expect(await hit.locator('mark').allTextContents()).toEqual(['heron', 'weir'])
  // Nothing stays of words that are no longer asked for; commands come before what was said.
  await box.fill('rules')
  await page.getByRole('option', { name: text.shell.pages.rules }).waitFor()
  await group.waitFor({ state: 'detached' })
  await box.fill('heron')
  await hit.waitFor()
  expect(await page.getByRole('group').last().getAttribute('aria-label')).toBe(text.shell.palette.groups.text)
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/sessions/${session.id}#`))
  await said(page, 'The heron waits by the weir.').waitFor()
})

describe('the audit log', () => {
  it('is looked through by the title of a session; links with its id go on to work', async () => {
    const create = async (title: string) =>
      (await used.host.client.createSession({ body: { title } })).session
    const [wanted, other] = [await create('The wanted one'), await create('Another one')]
    const { page } = await used.open('/audit')
    const t = text.audit
    const field = page.getByRole('combobox', { name: t.session })
    const made = page.getByRole('button', { name: new RegExp(t.actions.session_created) })
    await expect.poll(() => made.count(), polling).toBeGreaterThan(1)
    await field.fill('nothing like it')
    await page.getByText(t.sessionFault).waitFor()
    await field.fill('wanted')
    await page.getByText(t.sessionUnchosen).waitFor()
    await field.fill('The wanted one')
    await page.waitForURL(`**/audit?session=${wanted.id}`)
    await expect.poll(() => made.count(), polling).toBe(1)
    expect(await page.getByText(t.sessionFault).count()).toBe(0)
    expect(await page.getByText(t.sessionUnchosen).count()).toBe(0)

    await page.goto(`${used.host.server.url}/audit?session=${other.id}`)
    await expect.poll(() => field.inputValue(), polling).toBe('Another one')
    await expect.poll(() => made.count(), polling).toBe(1)
    await field.fill('')
    await page.waitForURL('**/audit')
    await expect.poll(() => made.count(), polling).toBeGreaterThan(1)
  })

  it('is looked through by the name of a workspace', async () => {
    mkdirSync(join(used.host.root, 'shop'))
    const shop = await used.host.client.createWorkspace({
      body: { path: join(used.host.root, 'shop'), name: 'Shop' },
    })
    await used.host.client.createSession({ body: { workspace_id: shop.id, title: 'In the shop' } })
    const { page } = await used.open('/audit')
    const t = text.audit
    await page.getByRole('combobox', { name: t.workspace }).selectOption({ label: 'Shop' })
    await page.waitForURL(`**/audit?workspace=${shop.id}`)
    const made = button(page, new RegExp(t.actions.session_created))
    await expect.poll(() => made.count(), polling).toBe(1)
    await button(page, new RegExp(t.actions.workspace_created)).waitFor()
  })
})
