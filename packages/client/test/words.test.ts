/** No word of the page lies outside of its text objects: shown in a language in which each of them is marked. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { server } from '../../server/test/support/mcp-servers.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { text as plain } from '../src/text/page-text.ts'
import { mark } from './support/mark.ts'
import { buildMarkedPage } from './support/marked-words.ts'
import { goTo, makeTall, polling, screens } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'
import { type Data, unmarkedWords } from './support/unmarked-words.ts'

const built = await buildMarkedPage()
afterAll(() => built.remove())
const used = usePage({ pageFolder: built.folder })
const text = mark(plain)

/** The only data, besides what stands as code: of the test, of the machine, of tools for the model. */
const given = 'Qwerty'
let data: Data = { selectors: [], texts: [] }

let session: Conversation
beforeAll(async () => {
  const { client } = used.host
  session = await used.start([`${given}.`], { title: given })
  await session.endOf(1)
  await client.addMcpServers({ body: { name: given, entry: server({ tools: ['read'] }) } })
  await client.testMcpServer({ params: { name: given }, body: {} })
  const { tools } = await client.listTools()
  const named = [given, 'workspace', ...tools.flatMap(({ name, description }) => [name, description])]
  const quoted = named.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  data = {
    // Code, keys and times; and `bdi`, which is around names of people, files and programs and nothing else.
    selectors: ['code', 'pre', 'kbd', 'time', 'textarea', 'bdi'],
    texts: [
      new RegExp(`^(${quoted})( too)?[.:]?$`),
      // Of Claude Code and of MCP servers: tools, hooks, models; and what they say.
      /^(Bash|Write|AskUserQuestion|ExitPlanMode|PreToolUse|:? ?Opus|does read|API Error: .*)$/,
      // What was said to the agent.
      /^(run \d+|to (approve|ask|plan|fail))$/,
      // Paths and addresses, with a line; the names of keys; what Intl makes of times.
      /^(\/[\w.@/-]+(:\d+)?|https?:\/\/\S+)$/,
      /^\(?(Ctrl|Alt|Esc|Enter)( \w)?\)?$/,
      /^\d+:\d+ [AP]M$/,
      // What stands for the servers in the value of a key.
      /^"see \/api\/mcp\/servers"$/,
    ],
  }
})

/** Of a page that has come to rest. */
async function look(page: Page, where: string): Promise<string[]> {
  await expect.poll(() => page.getByText(plain.ui.loading).count(), polling).toBe(0)
  return (await unmarkedWords(page, data)).map((one) => `${where}: ${one}`)
}

it('on any screen', async () => {
  const { page } = await used.open('/')
  await page.getByRole('main').waitFor()
  const { workspaces } = await used.host.client.listWorkspaces()
  const found: string[] = []
  for (const path of [...screens, `/mcp/${given}`, '/not/there', `/workspaces/${workspaces[0]?.id}`]) {
    await goTo(page, path)
    await page.getByRole('main').waitFor()
    found.push(...(await look(page, path)))
  }
  const stranger = await used.stranger('/')
  await stranger.page.getByRole('heading').first().waitFor()
  found.push(...(await look(stranger.page, 'sign-in')))
  expect(found).toEqual([])
})

/** Not exact: words that one text object has from another are marked twice. */
const button = (page: Page, name: string) => page.getByRole('button', { name }).first()
const card = (page: Page, name: string) => page.getByRole('article', { name })

it('in a session, on its cards, in menus and dialogs', async () => {
  const { page } = await used.open(`/sessions/${session.id}`)
  await makeTall(page)
  await page.getByText(`${given}.`, { exact: true }).first().waitFor()
  const found = await look(page, 'session')

  const bash = toolUse('Bash', { command: 'echo a > a', description: given })
  await session.send(used.prompts.on('to approve', bash, `${given}.`))
  await card(page, text.approvals.card.asks).waitFor()
  found.push(...(await look(page, 'approval')))
  for (const [name, role, open] of overlays(page)) {
    await open()
    await page.getByRole(role).first().waitFor()
    found.push(...(await look(page, name)))
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  await deny()
  await card(page, text.approvals.card.asks).waitFor({ state: 'detached' })
  found.push(...(await look(page, 'denied')))

  const options = [given, `${given} too`].map((label) => ({ label, description: given }))
  const question = { question: given, header: given, multiSelect: false, options }
  const ask = toolUse('AskUserQuestion', { questions: [question] })
  await session.send(used.prompts.on('to ask', ask, `${given}.`))
  await card(page, text.approvals.card.asksQuestion).waitFor()
  found.push(...(await look(page, 'question')))
  await deny()

  const { params } = session
  await used.host.client.changeSession({ params, body: { permission_mode: 'plan' } })
  await session.send(used.prompts.on('to plan', writePlan, toolUse('ExitPlanMode', {}), `${given}.`))
  await card(page, text.approvals.card.asksPlan).waitFor()
  found.push(...(await look(page, 'plan')))
  await deny()
  await card(page, text.approvals.card.asksPlan).waitFor({ state: 'detached' })
  // A prompt that the model has no answer to: the turn fails, in words of the CLI.
  await session.send('to fail')
  await page.getByText(text.conversation.outcomes.failed, { exact: true }).last().waitFor()
  found.push(...(await look(page, 'failed')))
  expect(found).toEqual([])
})

/** Whatever it is that waits. */
async function deny(): Promise<void> {
  const { client } = used.host
  for (const { id } of (await client.listApprovals({ query: { state: 'pending' } })).approvals)
    await client.answerApproval({ params: { id }, body: { decision: 'deny' } })
}

/** The CLI names the file in which it wants the plan. */
const writePlan: Answer = (request) => {
  const file = /[^\s"\\]*\/plans\/[^\s"\\]*\.md/.exec(JSON.stringify(request.body))?.[0]
  return toolUse('Write', { file_path: file, content: `# ${given}` })
}

it('in dialogs of other screens, and in what the server says is wrong', async () => {
  const { page } = await used.open('/workspaces')
  const found: string[] = []
  const dialog = page.getByRole('dialog')
  await button(page, text.workspaces.add.open).click()
  await dialog.getByLabel(text.workspaces.add.path).fill('/not/there')
  await button(page, text.workspaces.add.submit).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('alert').innerText()).toContain('⟦')
  found.push(...(await look(page, 'a refused workspace')))
  await button(page, text.ui.cancel).click()
  await dialog.waitFor({ state: 'detached' })
  await goTo(page, '/mcp')
  await page.getByRole('heading', { name: given }).waitFor()
  await button(page, text.mcp.add.open).click()
  await dialog.waitFor()
  found.push(...(await look(page, 'a new MCP server')))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await goTo(page, '/sessions/11111111-1111-4111-8111-111111111111')
  await page.getByText(text.conversation.gone).waitFor()
  found.push(...(await look(page, 'no session')))
  // As a newer server would: the page has no words for it, and shows the server's.
  const message = 'Zxcv is wrong.'
  await page.route('**/api/audit*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message, reason: 'never_heard' } } }),
  )
  await goTo(page, '/audit')
  await page.getByText(message).waitFor()
  expect(await look(page, 'newer')).toEqual([expect.stringContaining(message)])
  expect(found).toEqual([])
})

function overlays(page: Page): [name: string, role: 'menu' | 'dialog', open: () => Promise<void>][] {
  return [
    ['session menu', 'menu', () => button(page, text.conversation.actions).click()],
    ['device menu', 'menu', () => page.getByRole('button', { name: text.shell.userMenu }).click()],
    ['palette', 'dialog', () => button(page, text.shell.openPalette).click()],
    ['details', 'dialog', () => page.getByTitle(text.conversation.details).click()],
  ]
}
