/** What an agent does: a line for each call, all of it when opened, and the same after a reload. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply, text as say, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { connect, server } from '../../server/test/support/mcp-servers.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { text } from '../src/text/page-text.ts'
import { conversation, makeTall, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({
  config: { mcpServers: { helper: server({ tools: ['hello', 'env'] }) } },
})
const t = text.conversation

/** One conversation for all, in which each test has a turn of its own. */
let session: Conversation
beforeAll(async () => {
  await connect(used.host, ['helper'])
  session = await used.start(['Ready.'], { permission_mode: 'bypassPermissions' })
  await session.endOf(1)
})
async function ask(prompt: string, ...answers: Answer[]): Promise<Page> {
  await session.send(used.prompts.on(prompt, ...answers))
  const { page } = await used.open(`/sessions/${session.id}`)
  await makeTall(page)
  return page
}

const file = (name: string) => join(used.host.cwd, name)
const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })
const read = (name: string) => toolUse('Read', { file_path: file(name) })
/** The line of a call. */
const line = (page: Page, words: string | RegExp) => conversation(page).getByRole('button', { name: words })

/** Without the time that a call took: the transcript's clock is the CLI's, and the stream's the server's. */
const words = async (page: Page) =>
  (await conversation(page).innerText()).replaceAll(/\n[\d.]+ s(?=\n[^·])/g, '')

/** A reload shows the same, word for word. */
async function saysTheSame(page: Page, last: string): Promise<void> {
  await said(page, last).waitFor()
  const { turns } = await used.host.client.listTurns({ params: session.params })
  const ends = conversation(page).getByText(/ in, .* out$/)
  await expect.poll(() => ends.count(), polling).toBe(turns.length)
  const before = await words(page)
  await page.reload()
  await expect.poll(() => words(page), polling).toBe(before)
}

it('commands: what they print, their exit code, and one that failed looks so', async () => {
  const calls = [bash('echo out; echo err >&2'), bash('echo before; exit 3')]
  const page = await ask('run two', ...calls, 'Two commands.')
  await saysTheSame(page, 'Two commands.')
  const good = line(page, /echo out/)
  expect(await good.innerText()).toContain(t.verbs.run.done)
  await good.getByText(t.toolStates.done, { exact: true }).waitFor()
  await good.click()
  const printed = conversation(page).getByRole('figure').filter({ hasText: 'echo out' })
  await printed.getByText(/out\nerr/).waitFor()
  await printed.getByText(text.render.exitCode(0)).waitFor()
  await good.click()
  await printed.waitFor({ state: 'detached' })

  const bad = line(page, /exit 3/)
  await bad.getByText(t.exitCode(3)).waitFor()
  expect(await bad.getByText(t.toolStates.done, { exact: true }).count()).toBe(0)
  await bad.click()
  await conversation(page).getByRole('figure').getByText(text.render.exitCode(3), { exact: true }).waitFor()
})

it('files: several looks are one line, an edit is a diff in one or two columns, a picture is shown', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.ts'])
    writeFileSync(file(name), `const ${name[0]} = 1\nlast line\n`)
  // One red dot.
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
  writeFileSync(file('dot.png'), Buffer.from(png, 'base64'))
  const edit = toolUse('Edit', {
    file_path: file('c.ts'),
    old_string: 'const c = 1',
    new_string: 'const changed = 2',
  })
  const calls = [reply([read('a.txt'), read('b.txt')]), read('c.ts'), edit, read('dot.png')]
  const page = await ask('look at files', ...calls, 'Seen and changed.')
  await saysTheSame(page, 'Seen and changed.')
  const group = line(page, 'Read 3 files')
  expect(await group.getAttribute('aria-expanded')).toBe('false')
  expect(await line(page, /a\.txt/).count()).toBe(0)
  await group.click()
  await line(page, /a\.txt/).waitFor()

  await line(page, new RegExp(`${t.verbs.edit.done}.*c\\.ts`)).click()
  const diff = conversation(page).getByRole('figure').filter({ hasText: 'const changed' })
  await diff.getByText('+1', { exact: true }).waitFor()
  const rows = diff.getByRole('row')
  const unified = await rows.count()
  await diff.getByRole('button', { name: text.render.diffSplit }).click()
  await diff.getByRole('button', { name: text.render.diffUnified }).waitFor()
  expect(await rows.count()).toBe(unified - 1)
  await diff.getByRole('row').filter({ hasText: 'const c' }).filter({ hasText: 'const changed' }).waitFor()

  await line(page, /dot\.png/).click()
  const picture = conversation(page).getByRole('img', { name: text.render.image })
  await expect
    .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth), polling)
    .toBe(1)
})

it('the to-do list stays in sight while it is worked off', async () => {
  const calls = [
    toolUse('TaskCreate', { subject: 'Look around', description: 'all of it', activeForm: 'Looking around' }),
    toolUse('TaskCreate', { subject: 'Go home', description: 'at last' }),
    toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' }),
  ]
  const page = await ask('plan it', ...calls, 'I have begun.')
  await said(page, 'I have begun.').waitFor()
  const panel = page.getByRole('region', { name: t.todos, exact: true })
  await panel.getByText('Looking around').waitFor()
  await panel.getByText(t.todosShort(0, 2)).waitFor()
  await page.reload()
  await panel.getByRole('button').click()
  await panel.getByText('Go home').waitFor()
  await session.say(
    used.prompts.on('next', toolUse('TaskUpdate', { taskId: '1', status: 'completed' }), 'One less.'),
  )
  await panel.getByText(t.todosShort(1, 2)).waitFor()
})

it('a subagent has its own calls inside its card', async () => {
  used.prompts.on('count the stars', reply([say('I look up.'), bash('echo starlight')]), 'There are 7 stars.')
  const task = {
    description: 'star count',
    prompt: 'count the stars',
    subagent_type: 'general-purpose',
    run_in_background: false,
  }
  const page = await ask('count them', toolUse('Task', task), 'Seven, it says.')
  await said(page, 'Seven, it says.').waitFor()
  for (const when of ['now', 'reloaded']) {
    if (when === 'reloaded') await page.reload()
    const card = line(page, /star count/)
    await card.waitFor()
    await said(page, 'Seven, it says.').waitFor()
    if ((await card.getAttribute('aria-expanded')) === 'false') {
      expect(await line(page, /echo starlight/).count()).toBe(0)
      await card.click()
    }
    await said(page, 'I look up.').waitFor()
    await said(page, 'There are 7 stars.').waitFor()
    await line(page, /echo starlight/).click()
    await conversation(page).getByRole('figure').getByText('starlight', { exact: true }).waitFor()
  }
})

it('tools of servers name their server, with input and output', async () => {
  const calls = [toolUse('mcp__helper__env', { name: 'NOBODY' }), toolUse('mcp__dorkos__ping')]
  const page = await ask('use both', ...calls, 'Both answered.')
  await saysTheSame(page, 'Both answered.')
  const external = line(page, /env/)
  await external.getByText('helper', { exact: true }).waitFor()
  await external.click()
  await conversation(page).getByText('"NOBODY"').waitFor()
  await expect.poll(() => conversation(page).innerText(), polling).toMatch(/value:?"?\s*null/)
  const injected = line(page, /ping/)
  await injected.getByText('dorkos', { exact: true }).waitFor()
  await injected.click()
  await conversation(page).getByText(/pong/).waitFor()
})
