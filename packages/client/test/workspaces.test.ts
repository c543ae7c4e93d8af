/** Trust in what lies in a workspace, given on the page to what the page shows. */
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lastOffer, offering, put } from '../../server/test/support/mcp-servers.ts'
import { trustWorkspace } from '../../server/test/support/trust-workspace.ts'
import { text } from '../src/text/page-text.ts'
import { button, composer, goTo, hasFocus, isInSight, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const words = text.workspaces

const hooks = (command: string) => ({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] },
})
const brewSkill =
  '---\ndescription: Brews what you ask for\nargument-hint: "[kind]"\n---\nbrew $ARGUMENTS now'
const trustBadge = (page: Page, trust: keyof typeof words.trust) =>
  page.getByText(`${words.trust[trust]}. ${words.trustHints[trust]}`)
const trustOf = async (id: string) => (await used.host.client.getWorkspace({ params: { id } })).trust

async function add(page: Page, path: string): Promise<string> {
  await button(page, words.add.open).click()
  await page.getByRole('textbox', { name: words.add.path }).fill(path)
  await button(page.getByRole('dialog'), words.add.submit).click()
  await page.waitForURL(/\/workspaces\/[^/]+$/)
  return page.url().split('/').at(-1) ?? ''
}

describe('a workspace', () => {
  it('is added untrusted, shows what it would run, is trusted as shown, and asks again when a file changes', async () => {
    const path = join(used.host.root, 'project')
    const marks = join(used.host.root, 'marks')
    mkdirSync(marks)
    put(join(path, '.mcp.json'), { mcpServers: { its: offering('hello') } })
    put(join(path, '.claude', 'settings.json'), hooks(`touch ${marks}/first`))
    const { page } = await used.open('/workspaces')
    const id = await add(page, path)
    await trustBadge(page, 'untrusted').waitFor()
    await page
      .getByText(/touch .*\/first/)
      .first()
      .waitFor()
    await page
      .getByText(/scripted-mcp-server/)
      .first()
      .waitFor()
    const before = await used.start(['done'], { workspace_id: id })
    await before.endOf(1)
    expect(existsSync(join(marks, 'first'))).toBe(false)
    expect(lastOffer(used.host, before)).toEqual([])

    await button(page, words.actions.trust).click()
    await trustBadge(page, 'trusted').waitFor()
    expect(await trustOf(id)).toBe('trusted')
    await before.say(used.prompts.on('once more', 'done'))
    const after = await used.start(['done'], { workspace_id: id })
    await after.endOf(1)
    await expect.poll(() => existsSync(join(marks, 'first')), polling).toBe(true)

    put(join(path, '.claude', 'settings.json'), hooks(`touch ${marks}/second`))
    await trustBadge(page, 'changed').waitFor()
    await page.getByRole('heading', { name: words.changes.title }).waitFor()
    await page
      .getByText(/touch .*\/first/)
      .first()
      .waitFor()
    await page
      .getByText(/touch .*\/second/)
      .first()
      .waitFor()
    await after.say(used.prompts.on('now', 'done'))
    expect(existsSync(join(marks, 'second'))).toBe(false)
    // It changed while somebody looked: trust waits for a second look.
    await page.getByText(words.actions.changedMeanwhile).waitFor()
    expect(await button(page, words.actions.trust).isDisabled()).toBe(true)
    await button(page, words.actions.reviewed).click()
    await button(page, words.actions.trust).click()
    await trustBadge(page, 'trusted').waitFor()
    await page.getByRole('heading', { name: words.changes.title }).waitFor({ state: 'detached' })

    await button(page, words.actions.withdraw).click()
    await button(page.getByRole('dialog'), words.actions.withdraw).click()
    await trustBadge(page, 'untrusted').waitFor()
    expect(await trustOf(id)).toBe('untrusted')
  })

  it.runIf(process.getuid?.() === 0)(
    'of another user, whom root’s agents cannot be, says what to do',
    async () => {
      const path = join(used.host.root, 'of-another')
      mkdirSync(path)
      chownSync(path, 23_457, 23_457)
      const { id } = await used.host.client.createWorkspace({ body: { path } })
      const { page } = await used.open(`/workspaces/${id}`)
      await page.getByText(`chown -R 0:0 '${path}'`).waitFor()
    },
  )

  it('lists every hook, from where, and whether it counts, and lets it run; the details of a session lead to it', async () => {
    const h = text.workspaceHooks
    const settings = join(used.host.root, '.claude', 'settings.json')
    const given = hooks('true \u202eevil --token abcdefghijklmnop').hooks.UserPromptSubmit
    put(settings, { hooks: { UserPromptSubmit: given.map((one) => ({ matcher: 'only this', ...one })) } })
    const { workspaces } = await used.host.client.listWorkspaces()
    const main = workspaces.find((one) => one.main)
    const { page } = await used.open(`/workspaces/${main?.id}`)
    const heading = page.getByRole('heading', { name: h.title(1), exact: true })
    const row = page.getByRole('listitem').filter({ hasText: settings })
    await heading.waitFor()
    await page.getByText(h.own).waitFor()
    await page.getByRole('heading', { name: 'UserPromptSubmit', exact: true }).waitFor()
    expect(await row.innerText()).toMatch(
      /your settings\s+Command\s+only for only this\s+needs you\s+true \[U\+202E\]evil --token [^a-z]+\n/,
    )
    await button(row, h.allow).click()
    await row.getByText(h.states.runs, { exact: true }).waitFor()
    await button(row, h.revoke).click()
    await row.getByText(h.states.waits, { exact: true }).waitFor()

    const session = await used.start(['done'])
    await session.endOf(1)
    await goTo(page, `/sessions/${session.id}`)
    await page.getByTitle(text.conversation.details).click()
    await page.getByRole('link', { name: h.link }).click()
    await page.waitForURL(/#hooks$/)
    await hasFocus(heading)
    expect(await isInSight(heading)).toBe(true)

    put(settings, { disableAllHooks: true, hooks: hooks('true').hooks })
    await session.close()
    await used.host.client.stopSession({ params: session.params })
    await page.reload()
    await page.getByText(h.off.settings).waitFor()
    await row.getByText(h.states.off, { exact: true }).waitFor()
    put(settings, {})
    await page.reload()
    await page.getByText(h.none).waitFor()
  })

  it('lists its commands for a new session before any process runs, once it is trusted', async () => {
    const path = join(used.host.root, 'kitchen')
    put(join(path, '.claude/skills/brew/SKILL.md'), brewSkill)
    const { id } = await used.host.client.createWorkspace({ body: { path } })
    const { page } = await used.open(`/new?workspace=${id}`)
    const options = page
      .getByRole('listbox', { name: text.composer.suggestions.commands })
      .getByRole('option')
    const brew = options.filter({ hasText: '/brew' })
    await composer(page).pressSequentially('/')
    // The list is there: without a process it may have those of Claude Code itself, or none.
    await options.or(page.getByText(text.composer.suggestions.noneOfWorkspace)).first().waitFor()
    expect(await brew.count()).toBe(0)

    await trustWorkspace(used.host.client, id)
    await brew.getByText('Brews what you ask for').waitFor()
    const sessions = await used.host.client.listSessions({ query: { workspace_id: id } })
    expect(sessions.sessions).toEqual([])
    used.prompts.on('brew green tea now', 'It is brewed.')
    await composer(page).pressSequentially('bre')
    await composer(page).press('Enter')
    await expect.poll(() => composer(page).inputValue(), polling).toBe('/brew ')
    await composer(page).pressSequentially('green tea')
    await button(page, text.composer.fresh.start).click()
    await said(page, 'It is brewed.').waitFor()
  })

  it('is renamed and forgotten; its directory stays', async () => {
    const path = join(used.host.root, 'for-a-while')
    mkdirSync(path)
    const { page } = await used.open('/workspaces')
    const id = await add(page, path)
    await page.getByText(words.covers.nothing).waitFor()
    await button(page, words.menu('for-a-while')).click()
    await page.getByRole('menuitem', { name: words.rename }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: words.name }).fill('Short-lived')
    await button(page.getByRole('dialog'), text.ui.save).click()
    await page.getByRole('heading', { level: 1, name: 'Short-lived' }).waitFor()
    await button(page, words.menu('Short-lived')).click()
    await page.getByRole('menuitem', { name: words.forget }).click()
    await button(page.getByRole('dialog'), words.forget).click()
    await page.waitForURL(/\/workspaces$/)
    await page.getByRole('link', { name: /Short-lived/ }).waitFor({ state: 'detached' })
    const { workspaces } = await used.host.client.listWorkspaces()
    expect(workspaces.some((one) => one.id === id)).toBe(false)
    expect(existsSync(path)).toBe(true)
  })

  it('that is not there is not added, and has no page', async () => {
    const { page } = await used.open('/workspaces')
    await button(page, words.add.open).click()
    await page.getByRole('textbox', { name: words.add.path }).fill(join(used.host.root, 'nowhere'))
    await button(page.getByRole('dialog'), words.add.submit).click()
    await page
      .getByRole('dialog')
      .getByText(/nowhere/)
      .last()
      .waitFor()
    await goTo(page, '/workspaces/00000000-0000-4000-8000-000000000000')
    await page.getByText(words.page.gone).waitFor()
  })
})
