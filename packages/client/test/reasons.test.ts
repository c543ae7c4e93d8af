/** Nothing greys without a reason that one can see: on each screen, for who may do everything and for who may only look. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { put, server } from '../../server/test/support/mcp-servers.ts'
import { text as later } from '../src/text/later-text.ts'
import { text } from '../src/text/page-text.ts'
import { button, composer, goTo, polling, screens } from './support/on-page.ts'
import { phone, type TestPage, usePage } from './support/open-page.ts'
import { unexplained } from './support/unexplained.ts'

const used = usePage()

let session: Conversation
let workspace = ''
beforeAll(async () => {
  const { client, cwd, root } = used.host
  put(`${cwd}/.mcp.json`, { mcpServers: { wiki: { command: 'uvx' } } })
  put(`${root}/.cursor/mcp.json`, { mcpServers: { files: { command: 'x' }, other: { command: 'x' } } })
  await client.addMcpServers({ body: { name: 'files', entry: server({ tools: ['read', 'write'] }) } })
  await client.testMcpServer({ params: { name: 'files' }, body: {} })
  workspace = (await client.listWorkspaces()).workspaces[0]?.id ?? ''
  await client.switchMcp({ body: { workspace_id: workspace, server: 'files', tool: 'write', off: true } })
  await client.createRule({ body: { effect: 'ask', tool: 'WebFetch', scope: { kind: 'everywhere' } } })
  session = await used.start(['Done.'])
  await session.endOf(1)
})

class Look {
  readonly page: Page
  readonly found: string[] = []
  count = 0

  constructor({ page }: TestPage) {
    this.page = page
  }

  async at(where: string): Promise<void> {
    await expect.poll(() => this.page.getByText(text.ui.loading).count(), polling).toBe(0)
    const { count, found } = await unexplained(this.page)
    this.count += count
    this.found.push(...found.map((one) => `${where}: ${one}`))
  }
}

const everyScreen = () => [...screens, '/mcp/files', `/workspaces/${workspace}`, `/sessions/${session.id}`]

it.each([
  ['a desktop', undefined],
  ['a phone', phone],
] as const)('on every screen of %s', async (_, size) => {
  const look = new Look(await used.open('/', size))
  for (const path of everyScreen()) {
    await goTo(look.page, path)
    await look.page.getByRole('main').waitFor()
    await look.at(path)
  }
  expect(look.found).toEqual([])
  // Start, Send and the like, with nothing written.
  expect(look.count).toBeGreaterThan(2)
})

it('in cards, menus and dialogs', async () => {
  const look = new Look(await used.open(`/sessions/${session.id}`))
  const { page } = look
  const press = async (name: string | RegExp, role: 'button' | 'menuitem' | 'tab' = 'button') =>
    page.getByRole(role, { name, exact: true }).first().click()
  const close = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').or(page.getByRole('menu')).waitFor({ state: 'detached' })
  }
  const { actions, card, edit, question } = text.approvals
  const asks = toolUse('Bash', { command: 'touch a', description: 'x' })
  const options = ['One', 'Two'].map((label) => ({ label, description: 'x' }))
  const choice = { question: 'Which?', header: 'Which', multiSelect: false, options }
  await session.send(
    used.prompts.on('ask', asks, toolUse('AskUserQuestion', { questions: [choice] }), 'Asked.'),
  )
  await page.getByRole('article', { name: card.asks }).waitFor()
  await look.at('an approval')
  await press(new RegExp(`^${actions.edit}`))
  await button(page, edit.allow).waitFor()
  await look.at('an edit')
  await page.getByRole('textbox', { name: 'command' }).fill('touch b')
  await press(text.ui.cancel)
  await press(actions.denyMore)
  await press(actions.denyWithMessage, 'menuitem')
  await button(page, text.approvals.deny.send).waitFor()
  await look.at('a message that denies')
  await press(text.ui.cancel)
  await deny()
  await page.getByRole('article', { name: card.asksQuestion }).waitFor()
  await look.at('a question')
  await press(question.decline)
  await look.at('a question that is declined')
  await press(question.declineSend)
  await session.endOf(2)

  await press(text.conversation.actions)
  await page.getByRole('menu').waitFor()
  await look.at('the menu of a session')
  await close()
  await press(new RegExp(`^${text.composer.mode}`))
  await page.getByRole('menu').waitFor()
  await look.at('permission modes')
  await close()
  await press(new RegExp(`^${text.sessions.filter}`))
  await press(text.sessions.startSelecting, 'menuitem')
  await page.getByRole('region', { name: later.bulk.region }).waitFor()
  await look.at('many sessions')
  await press(later.bulk.cancel)

  await goTo(page, '/workspaces')
  await press(/^Actions for|^More/)
  await page.getByRole('menu').waitFor()
  await look.at('the menu of a workspace')
  await close()
  await press(text.workspaces.add.open)
  await page.getByRole('dialog').waitFor()
  await look.at('a new workspace')
  await close()
  await goTo(page, '/mcp')
  await press(text.mcp.add.open)
  const { tabs, submit } = text.mcp.add
  await button(page, submit).last().waitFor()
  await look.at('a new server')
  await press(tabs.paste, 'tab')
  await page.getByText(text.mcp.add.needsSnippet).waitFor()
  await look.at('a pasted server')
  await press(tabs.import, 'tab')
  await page.getByText(text.mcp.imports.known).waitFor()
  await look.at('a server of another program')
  await close()
  await goTo(page, '/mcp/files')
  await press(/^write\b/)
  await page.getByText(text.mcp.trying.off).waitFor()
  await look.at('a tool that is off')
  await goTo(page, '/devices')
  await press(text.devices.add)
  await page.getByText(text.devices.scopesTitle).waitFor()
  await look.at('a new device')
  expect(look.found).toEqual([])
  expect(look.count).toBeGreaterThan(12)
})

it('nor for who may only look, who is offered nothing else', async () => {
  const { secret } = await used.host.client.createToken({ body: { name: 'guest', scopes: ['read'] } })
  const stranger = await used.stranger('/')
  const { page } = stranger
  await page.evaluate((token) => localStorage.setItem('dorkos.token', token), secret)
  await page.goto(`${used.host.server.url}/sessions/${session.id}`)
  await page.getByText(text.composer.readOnly).waitFor()
  const look = new Look(stranger)
  const options = ['One', 'Two'].map((label) => ({ label, description: 'x' }))
  const choice = { question: 'Which?', header: 'Which', multiSelect: false, options }
  const asks = toolUse('Bash', { command: 'touch a', description: 'x' })
  await session.send(
    used.prompts.on('ask again', asks, toolUse('AskUserQuestion', { questions: [choice] }), 'Asked.'),
  )
  const { card } = text.approvals
  await page.getByText(card.noScope).waitFor()
  await look.at('an approval')
  expect(await page.getByRole('group', { name: text.approvals.actions.group }).count()).toBe(0)
  expect(await composer(page).count()).toBe(0)
  await deny()
  await page.getByRole('article', { name: card.asksQuestion }).getByText(card.noScope).waitFor()
  await look.at('a question')
  await deny()
  await session.endOf(3)
  for (const path of everyScreen()) {
    await goTo(page, path)
    await page.getByRole('main').waitFor()
    await look.at(path)
  }
  await goTo(page, '/mcp/files')
  await page.getByRole('button', { name: /^read\b/ }).click()
  await page.getByText(text.mcp.trying.notAdmin).waitFor()
  await look.at('a tool')
  expect(await page.getByRole('switch').count()).toBe(0)
  expect(look.found).toEqual([])
})

/** Whatever it is that waits. */
async function deny(): Promise<void> {
  const { client } = used.host
  for (const { id } of (await client.listApprovals({ query: { state: 'pending' } })).approvals)
    await client.answerApproval({ params: { id }, body: { decision: 'deny' } })
}
