/**
 * The ten main tasks without a pointer and without eyes, in one go: each step goes by what the browser tells a screen reader of what has
 * the focus, the focus is never lost, and what happens out of sight is said. `npm run bench -- tasks` counts what they take.
 */
import { apiError, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button, composer, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'
import { ScreenReader } from './support/screen-reader.ts'

const used = usePage()
const { home } = text.shell

/** The one session that most tasks are about: it waits, runs and fails in turn. */
let session: Conversation
beforeAll(async () => {
  const file_path = `${used.host.cwd}/changed.txt`
  session = await used.start([toolUse('Write', { file_path, content: 'new\n' }), 'Changed it.'], {
    title: 'Needle',
  })
  await session.answer()
  await session.endOf(1)
  for (let n = 1; n <= 3; n++) await used.host.client.createSession({ body: { title: `Hay ${n}` } })
})

async function open(path: string): Promise<{ page: Page; reader: ScreenReader }> {
  const { page } = await used.open(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[data-row]').first().waitFor()
  const reader = await ScreenReader.of(page)
  await reader.listen()
  return { page, reader }
}

describe('by keys and ears alone', () => {
  it('a session is started, and its answer is heard', async () => {
    const { page, reader } = await open('/')
    await reader.tabTo('textbox', text.composer.label)
    await reader.type(used.prompts.on('hello by ear', 'Hello to you.'))
    await reader.keys('Enter')
    await page.waitForURL(/\/sessions\//)
    await reader.heard(text.conversation.saysAgent('Hello to you.'))
    await reader.isAt('textbox', text.composer.label)
    const { sessions } = await used.host.client.listSessions({ query: { limit: 1 } })
    await used.host.client.stopSession({ params: { id: sessions[0]?.id ?? '' }, body: {} })
  })

  it('a question is answered at home, where what runs is stopped; both are said, and the focus is kept', async () => {
    const asked = toolUse('Bash', { command: 'touch a', description: 'x' })
    const turn = await session.send(
      used.prompts.on('ask, then work', asked, () => new Promise<never>(() => {})),
    )
    await session.watch.next('approval_required')
    const { page, reader } = await open('/')
    const question = page.getByRole('list', { name: home.needsYou }).getByRole('article')
    await question.waitFor()
    expect(await axeFaults(page, 'home with a question')).toEqual([])
    await reader.tabTo('button', text.approvals.actions.deny)
    await reader.tabTo('button', text.approvals.actions.allowOnce)
    await expect
      .poll(() => button(question, text.approvals.actions.allowOnce).getAttribute('aria-disabled'))
      .toBe(null)
    await reader.keys('Enter')
    await reader.heard(text.approvals.inbox.states.allowed)
    await question.waitFor({ state: 'detached' })
    await reader.isAt('textbox', text.composer.label)
    await button(page, home.stopNamed('Needle')).waitFor()
    expect(await axeFaults(page, 'home with a session that runs')).toEqual([])
    await reader.tabTo('button', home.stopNamed('Needle'))
    await reader.keys('Enter')
    await reader.heard(home.stopping('Needle'))
    await reader.isAt('textbox', text.composer.label)
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
  })

  it('a session is found, what changed in it is looked at, and its last message is tried again', async () => {
    await session.say(used.prompts.on('will it work?', apiError(400, 'It does not.')))
    used.prompts.on('will it work?', 'It works.')
    const { page, reader } = await open('/costs')
    await reader.keys('/')
    await reader.isAt('searchbox', text.sessions.search)
    await reader.type('needle')
    await reader.heard(text.sessions.searchCount(1))
    await reader.keys('ArrowDown')
    await reader.isAt('link', /Needle/)
    await reader.keys('Enter')
    await said(page, 'will it work?').waitFor()
    await reader.isAt('textbox', text.composer.label)

    await reader.keys('Control+k')
    await reader.isAt('combobox', text.shell.palette.title)
    await reader.type(text.changes.show)
    await page.getByRole('option', { name: text.changes.show }).waitFor()
    await reader.keys('Enter')
    await reader.isAt('tab', text.changes.tab)
    await page.getByRole('tabpanel').getByText('changed.txt').waitFor()
    expect(await axeFaults(page, 'what changed')).toEqual([])
    await reader.tabTo('button', /changed\.txt/)
    await reader.keys('Enter')
    await page.getByRole('tabpanel').getByText(text.changes.diff).first().waitFor()
    await reader.keys('Escape')
    await reader.isAt('button', text.conversation.openPanel)

    await reader.tabTo('button', text.conversation.retry)
    await reader.keys('Enter')
    await reader.heard(text.conversation.saysAgent('It works.'))
    await said(page, 'It works.').waitFor()
  })

  it('a turn is stopped by Escape, which is said', async () => {
    const turn = await session.send(used.prompts.on('for ever', () => new Promise<never>(() => {})))
    const { page, reader } = await open(`/sessions/${session.id}`)
    await button(page, text.composer.stop).waitFor()
    await reader.isAt('textbox', text.composer.label)
    await reader.keys('Escape')
    await reader.heard(text.composer.stopping)
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
  })

  it('a server is added, and what became of it is read with the button that goes on', async () => {
    const { page, reader } = await open('/')
    await reader.keys('g', 'm')
    await page.waitForURL(/\/mcp$/)
    await reader.isAt('heading', text.mcp.title)
    await reader.tabTo('button', text.mcp.add.open)
    await reader.keys('Enter')
    await reader.isAt('textbox', text.mcp.entry.name)
    await reader.type('notes')
    await reader.tabTo('combobox', text.mcp.entry.type)
    await reader.tabTo('textbox', text.mcp.entry.command)
    expect(await axeFaults(page, 'add a server', true)).toEqual([])
    await reader.type('true')
    await reader.keys('Enter')
    await reader.isAt('button', text.mcp.add.done)
    const done = button(page, text.mcp.add.done)
    const described = await done.evaluate(
      (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
    )
    expect(described).toContain(text.mcp.add.added('notes'))
    await reader.keys('Enter')
    await reader.isAt('button', text.mcp.add.open)
    await page.getByRole('main').getByRole('link', { name: /notes/ }).first().waitFor()
  })

  it('a workspace is trusted from home, and today’s cost is read there', async () => {
    const { page, reader } = await open('/')
    await page.getByRole('main').locator('a[href="/costs"]').waitFor()
    await reader.tabTo('link', /\$/)
    await reader.tabTo('link', text.composer.fresh.reviewTrust)
    await reader.keys('Enter')
    await page.waitForURL(/\/workspaces\//)
    const give = page.getByRole('button', {
      name: new RegExp(`^(${text.workspaces.actions.trust}|${text.workspaces.actions.trustNothing})$`),
    })
    await give.waitFor()
    const name = (await give.textContent()) ?? ''
    await reader.tabTo('button', name)
    await reader.keys('Enter')
    await give.waitFor({ state: 'detached' })
    const { workspaces } = await used.host.client.listWorkspaces()
    await reader.heard(text.workspaces.actions.trusted(workspaces[0]?.name ?? ''))
    await reader.isAt('group', text.workspaces.actions.group)
    await reader.tabTo('button', text.workspaces.actions.withdraw)
  })

  it('a phone is signed in: the code is read out, and is the first thing that the phone asks for', async () => {
    const { page, reader } = await open('/')
    await reader.tabTo('button', new RegExp(text.shell.userMenu))
    await reader.keys('Enter')
    await page.getByRole('menu').waitFor()
    await reader.arrowTo('menuitem', text.shell.addDevice)
    await reader.keys('Enter')
    await page.getByRole('dialog', { name: text.devices.add }).waitFor()
    await reader.tabTo('button', text.devices.makeCode)
    await reader.keys('Enter')
    await reader.isAt('group', text.devices.codeTyped)
    const code = (await page.locator('code').first().textContent()) ?? ''
    await reader.heard(text.devices.codeReady(code))
    expect(await axeFaults(page, 'add a device', true)).toEqual([])
    const { page: small } = await used.stranger('/', phone)
    const there = await ScreenReader.of(small)
    await there.isAt('textbox', text.auth.codeLabel)
    await there.type(code)
    await there.keys('Enter')
    await small.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
    await composer(small).waitFor()
  })
})
