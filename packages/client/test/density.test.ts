/** Room for what people came for, measured: sessions in the sidebar, the conversation on a phone, and a list's first row. */
import { toolUse } from '@dorkos/testkit'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { Gate } from '../../server/test/support/gate.ts'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { button, conversation, goTo, isInSight, polling, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()

beforeAll(async () => {
  const { client } = used.host
  for (let n = 1; n <= 20; n++) await client.createSession({ body: { title: `Session ${n}` } })
})

it('at 1280 × 820 at least fourteen sessions are in sight, whole', async () => {
  const { page } = await used.open('/inbox')
  const rows = page
    .getByRole('list', { name: text.sessions.heading })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
  await rows.first().waitFor()
  const inSight = async () => (await Promise.all((await rows.all()).map(isInSight))).filter(Boolean).length
  await expect.poll(inSight, polling).toBeGreaterThanOrEqual(14)
})

/** As root there is a warning, which people can hide. */
async function hideBanners(page: Page): Promise<void> {
  const { banners } = await used.host.client.getStatus()
  for (const _ of banners) await button(page, text.shell.bannerDismiss).first().tap()
}

/** Where what it lists begins, as a part of the height. */
const beginsAt = async (row: Locator): Promise<number> => {
  await row.first().waitFor()
  return row.first().evaluate((element) => element.getBoundingClientRect().top / innerHeight)
}

it('on a phone no list begins below a quarter of the height', async () => {
  const { client } = used.host
  const asks = (command: string) => toolUse('Bash', { command, description: 'x' })
  const session = await used.start([asks('touch a'), asks('touch b'), 'Done.'])
  await session.answer({ decision: 'deny' })
  await session.watch.next('approval_required', ({ approval }) => approval.input.command === 'touch b')
  await client.createRule({ body: { effect: 'ask', tool: 'WebFetch', scope: { kind: 'everywhere' } } })
  await client.addMcpServers({ body: { name: 'files', entry: server({ tools: ['read'] }) } })
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
    ['/mcp', item],
    ['/tools', main.getByText(text.tools.folderNone).locator('..')],
    ['/costs', main.getByText(text.costs.turns, { exact: true })],
  ]
  const found: [string, number][] = [['/inbox', await beginsAt(main.getByRole('article'))]]
  await decided.tap()
  found.push(['/inbox, decided', await beginsAt(item)])
  await session.answer({ decision: 'deny' })
  await session.endOf(1)
  for (const [path, row] of lists) {
    await goTo(page, path)
    found.push([path, await beginsAt(row)])
  }
  expect(found.filter(([, share]) => share > 0.25)).toEqual([])
})

it('on a phone a conversation has three quarters of the height, with to-dos and a queue too', async () => {
  const gate = new Gate()
  const session = await used.start([
    toolUse('TaskCreate', { subject: 'Look around', description: 'all of it', activeForm: 'Looking around' }),
    toolUse('TaskCreate', { subject: 'Go home', description: 'at last' }),
    () => gate.opened.then(() => 'Finished.'),
  ])
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  await hideBanners(page)
  const share = () =>
    conversation(page).evaluate((element) => element.getBoundingClientRect().height / innerHeight)
  const { todos, todosProgress } = text.conversation
  await button(page, `${todos}: ${todosProgress(0, 2)}`).waitFor()
  for (const words of ['then this', 'and that', 'and more']) await session.send(words)
  await button(page, text.queue.title(3)).waitFor()
  await expect.poll(share, polling).toBeGreaterThanOrEqual(0.75)
  gate.open()
  await said(page, 'Finished.').waitFor()
})
