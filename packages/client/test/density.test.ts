/** Room for what people came for, measured: sessions in the sidebar, the conversation on a phone, and a list's first row. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { Gate } from '../../server/test/support/gate.ts'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { text as panelText } from '../src/text/panel-text.ts'
import { button, conversation, goTo, isInSight, polling, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()
const { shell } = text

/** One that asks for trust: it has a server. */
let untrusted = ''
beforeAll(async () => {
  const { client, root } = used.host
  const main = (await client.listWorkspaces()).workspaces.find((one) => one.main)
  const ids = [main?.id ?? '']
  for (const name of ['shop', 'notes']) {
    const path = join(root, name)
    mkdirSync(path)
    writeFileSync(join(path, '.mcp.json'), JSON.stringify({ mcpServers: { wiki: { command: 'uvx' } } }))
    untrusted = (await client.createWorkspace({ body: { path, name } })).id
    ids.push(untrusted)
  }
  for (let n = 1; n <= 24; n++) {
    const workspace_id = ids[n % 3] ?? ''
    await client.createSession({ body: { title: `Session ${n}`, workspace_id } })
  }
})

const sessionRows = (page: Page) =>
  page
    .getByRole('list', { name: text.sessions.heading })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })

it('at 1280 × 820 at least fourteen sessions of three workspaces are in sight, whole, each as high as a line', async () => {
  const { page } = await used.open('/inbox')
  const rows = sessionRows(page)
  await rows.first().waitFor()
  const heights = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  await expect.poll(async () => new Set(await heights()), polling).toEqual(new Set([32]))
  const inSight = async () => (await Promise.all((await rows.all()).map(isInSight))).filter(Boolean).length
  await expect.poll(inSight, polling).toBeGreaterThanOrEqual(14)
  // Even with all of their heads in sight.
  const heads = page
    .getByRole('list', { name: text.sessions.heading })
    .getByRole('button', { expanded: true })
  expect(await heads.count()).toBe(3)
})

/** As root there is a warning, which people can hide. */
async function hideBanners(page: Page): Promise<void> {
  const { banners } = await used.host.client.getStatus()
  for (const _ of banners) await button(page, shell.bannerDismiss).first().tap()
}

/** Where what it lists begins, as a part of the height. */
const beginsAt = async (row: Locator): Promise<number> => {
  await row.first().waitFor()
  return row.first().evaluate((element) => element.getBoundingClientRect().top / innerHeight)
}

it('on a phone no list begins below a quarter of the height', async () => {
  const { client, home } = used.host
  const paid = await used.start(['Done.'])
  await paid.endOf(1)
  const asks = (command: string) => toolUse('Bash', { command, description: 'x' })
  const session = await used.start([asks('touch a'), asks('touch b'), 'Done.'])
  await session.answer({ decision: 'deny' })
  await session.watch.next('approval_required', ({ approval }) => approval.input.command === 'touch b')
  await client.createRule({ body: { effect: 'ask', tool: 'WebFetch', scope: { kind: 'everywhere' } } })
  // So many tools that there is a search.
  const tools = Array.from({ length: 8 }, (_, n) => `read_${n}`)
  await client.addMcpServers({ body: { name: 'files', entry: server({ tools }) } })
  await client.testMcpServer({ params: { name: 'files' }, body: {} })
  const { page } = await used.open('/inbox', phone)
  await hideBanners(page)
  const main = page.getByRole('main')
  const item = main.getByRole('listitem')
  const decided = page.getByRole('tab', { name: text.approvals.inbox.decided })
  const lists: readonly [string, Locator][] = [
    ['/audit', item],
    ['/rules', item],
    ['/devices', item],
    ['/workspaces', item],
    [`/workspaces/${untrusted}`, item],
    ['/mcp', item],
    ['/mcp/files', main.getByRole('listitem').filter({ hasText: 'read_0' })],
    ['/tools', main.getByRole('listitem').filter({ hasText: 'get_server_info' }).locator('..')],
    // A report: its figures come first, then the plot, and the table last.
    ['/costs', main.getByText(text.costs.turns, { exact: true })],
    ['/', page.getByRole('list', { name: shell.home.needsYou }).getByRole('article')],
  ]
  const found: [string, number][] = [['/inbox', await beginsAt(main.getByRole('article'))]]
  await decided.tap()
  found.push(['/inbox, decided', await beginsAt(item)])
  for (const [path, row] of lists) {
    await goTo(page, path)
    found.push([path, await beginsAt(row)])
  }
  await button(page, shell.openMenu).tap()
  found.push(['the sessions in the drawer', await beginsAt(sessionRows(page))])

  // With tools of the owner's own, they come first.
  mkdirSync(join(home, 'tools'), { recursive: true })
  const module = Array.from({ length: 8 }, (_, n) => toolModule(`greet_${n}`)).join('\n')
  writeFileSync(join(home, 'tools', 'greet.mjs'), imports + module)
  await goTo(page, '/tools')
  found.push(['/tools, own', await beginsAt(item.filter({ hasText: 'greet_0' }))])
  expect(found.filter(([, share]) => !(share > 0 && share <= 0.25))).toEqual([])
  await session.answer({ decision: 'deny' })
  await session.endOf(1)
})

const imports = `import { tool } from 'claude-code-agent'\nimport { z } from 'zod'\n`
const toolModule = (name: string) =>
  `export const ${name} = tool('${name}', 'Greets', { who: z.string() }, async () => ({ content: [] }))`

const share = (page: Page) =>
  conversation(page).evaluate((element) => element.getBoundingClientRect().height / innerHeight)

it('on a phone a conversation has three quarters of the height, with to-dos and a queue too', async () => {
  const gate = new Gate()
  const session = await used.start([
    toolUse('TaskCreate', { subject: 'Look around', description: 'all of it', activeForm: 'Looking around' }),
    toolUse('TaskCreate', { subject: 'Go home', description: 'at last' }),
    () => gate.opened.then(() => 'Finished.'),
  ])
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  await hideBanners(page)
  const { todos, todosProgress } = text.conversation
  await button(page, `${todos}: ${todosProgress(0, 2)}`).waitFor()
  for (const words of ['then this', 'and that', 'and more']) await session.send(words)
  await button(page, text.queue.title(3)).waitFor()
  await expect.poll(() => share(page), polling).toBeGreaterThanOrEqual(0.75)
  gate.open()
  await said(page, 'Finished.').waitFor()
})

it('so it does while a command runs in the background, where nothing is asked, and both', async () => {
  const command = 'while [ -d "$PWD" ]; do sleep 0.2; done'
  const call = toolUse('Bash', { command, description: 'Serve', run_in_background: true })
  const body = { permission_mode: 'bypassPermissions', unattended: true } as const
  const session = await used.start([call, 'Serving.'], body)
  await session.endOf(1)
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  await hideBanners(page)
  const background = button(page, panelText.commands.inBackground(1))
  const bypass = page.getByTitle(text.composer.bypassWord)
  await background.waitFor()
  expect(await bypass.innerText()).toBe(text.composer.modeNames.bypassPermissions)
  await expect.poll(() => share(page), polling).toBeGreaterThanOrEqual(0.75)
  // What the notice led to on a desktop.
  await background.tap()
  await button(page, panelText.commands.stopNamed('Serve')).tap()
  await page.goBack()
  await background.waitFor({ state: 'detached' })
  await expect.poll(() => share(page), polling).toBeGreaterThanOrEqual(0.75)
  await used.host.client.changeSession({ params: session.params, body: { permission_mode: 'default' } })
  await bypass.waitFor({ state: 'detached' })
  await expect.poll(() => share(page), polling).toBeGreaterThanOrEqual(0.75)
})
