/** Profiles on the page: listed, made, checked while one writes, and started with. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fresh } from '../src/text/en/new-session.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const t = text.profiles
const file = (head: string) => `---\n${head}\n---\n\nYou make tea.\n`

it('is made, with its errors shown by line, and starts a session', async () => {
  const { page } = await used.open('/profiles')
  await page.getByRole('link', { name: 'reviewer', exact: true }).waitFor()
  expect(await axeFaults(page, 'profiles')).toEqual([])
  await button(page, t.add).click()
  await page.getByRole('textbox', { name: t.name, exact: true }).fill('tea')
  const box = page.getByRole('textbox', { name: t.text, exact: true })
  expect(await box.inputValue()).toContain('name: tea')
  await box.fill(file('description: Makes tea\nkettle: true'))
  await page.getByText(t.line(3)).waitFor()
  await page.getByText('kettle', { exact: true }).waitFor()
  // It only looks as if it could not be pressed: who presses it is told why.
  await button(page, t.save).click({ force: true })
  await page.getByText(t.saveFaults).first().waitFor()
  expect((await used.host.client.listProfiles()).profiles.map(({ name }) => name)).not.toContain('tea')

  await box.fill(file('description: Makes tea\nmodel: claude-haiku-4-5'))
  await page.getByText(t.fine).waitFor()
  expect(await axeFaults(page, 'profiles')).toEqual([])
  await button(page, t.save).click()
  await page.getByText(t.saved).waitFor()
  await page.waitForURL(/\/profiles\/tea\?origin=owner/)

  await button(page, t.tryIt).click()
  await page.getByRole('button', { name: 'Profile: tea' }).waitFor()
  await page.getByRole('textbox').first().fill(used.prompts.on('tea, please', 'Here is tea.'))
  await button(page, fresh.start).click()
  await page.getByText('Here is tea.').first().waitFor()
  const [session] = (await used.host.client.listSessions()).sessions
  expect(session).toMatchObject({ profile: { name: 'tea', origin: 'owner' }, model: 'claude-haiku-4-5' })

  // What a profile says is shown as chosen.
  await page.goto(`${used.host.server.url}/new?profile=test-fixer`)
  await page
    .getByRole('button', { name: `${text.composer.mode}: ${text.composer.modeNames.acceptEdits}` })
    .waitFor()

  await page.goto(`${used.host.server.url}/profiles/tea?origin=owner`)
  await button(page, t.delete).click()
  await button(page.getByRole('dialog'), t.delete).click()
  await page.getByText(t.deleted).waitFor()
  await expect(used.host.client.getProfile({ params: { name: 'tea' } })).rejects.toMatchObject({
    status: 404,
  })
})

it('of a workspace shows that it isn’t trusted; agents of others are imported', async () => {
  const own = join(used.host.cwd, '.dorkos', 'agents')
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'guide.md'), file('description: Guides'))
  const others = join(used.host.root, '.claude', 'agents')
  await mkdir(others, { recursive: true })
  await writeFile(join(others, 'old-hand.md'), file('name: old-hand\ndescription: Knows it all'))
  const { page } = await used.open('/profiles')
  const row = page.getByRole('listitem').filter({ hasText: 'guide' })
  await row.getByText(t.untrusted).waitFor()
  await button(page, t.import).click()
  const dialog = page.getByRole('dialog')
  await button(dialog, t.imports.action('old-hand')).click()
  await page.getByText(t.imports.done('old-hand')).waitFor()
  await dialog.getByTitle(t.imports.exists).first().waitFor()
  const { profile } = await used.host.client.getProfile({ params: { name: 'old-hand' } })
  expect(profile?.description).toBe('Knows it all')
})
