/** The tab “Changes”: what the agent did to files is seen, put back in part and as a whole, and committed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button, polling } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
let directory: string
let session: Conversation

const git = (...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: used.host.root }
  return execFileSync('git', args, { cwd: directory, env, stdio: 'pipe' }).toString().trim()
}
const write = (path: string, content: string) => writeFileSync(join(directory, path), content)
const read = (path: string) => readFileSync(join(directory, path), 'utf8')
const lines = (...all: (string | number)[]) => all.map((line) => `${line}\n`).join('')

/** One session with changes of a file tool and of a command, for all cases. */
beforeAll(async () => {
  directory = mkdtempSync(join(used.host.root, 'changes-'))
  mkdirSync(join(directory, 'src'))
  write('src/numbers.txt', lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Otter')
  git('config', 'user.email', 'otter@example.org')
  git('add', '.')
  git('commit', '-q', '-m', 'begin')
  const { id } = await used.host.client.createWorkspace({ body: { path: directory } })
  const file_path = join(directory, 'src/numbers.txt')
  session = await used.start(
    [
      toolUse('Read', { file_path }),
      toolUse('Edit', { file_path, old_string: '2\n3', new_string: 'two\n3' }),
      toolUse('Edit', { file_path, old_string: '11\n12', new_string: 'eleven\n12' }),
      toolUse('Write', { file_path: join(directory, 'notes.md'), content: '# Notes\n' }),
      toolUse('Bash', { command: 'echo log > build.log', description: 'a test' }),
      'All done.',
    ],
    { workspace_id: id, permission_mode: 'bypassPermissions' },
  )
  await session.endOf(1)
  await session.watch.next('changes_updated')
})

const openTab = async (options?: typeof phone) => {
  const { page } = await used.open(`/sessions/${session.id}?panel=changes`, options)
  const panel = options
    ? page.getByRole('dialog', { name: text.panel.title })
    : page.getByRole('region', { name: text.panel.title })
  await panel.getByText(text.changes.changed(3)).waitFor()
  const row = (name: string | RegExp) => panel.getByRole('button', { name })
  return { page, panel, row }
}

it('shows each file with what changed in it and who did, and takes lines back', async () => {
  const { page, panel, row } = await openTab()
  await expect.poll(() => row(/build\.log/).innerText(), polling).toContain(text.changes.by.command_or_person)
  await row(/numbers\.txt/).click()
  await panel.getByText(text.changes.lines(2, 2)).waitFor()
  await panel.getByText(text.changes.lines(11, 11)).waitFor()
  expect(await axeFaults(page, 'changes', true)).toEqual([])
  await button(panel, text.changes.revertLines).first().click()
  await expect
    .poll(() => read('src/numbers.txt'), polling)
    .toBe(lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'eleven', 12))
  await panel.getByText(text.changes.lines(2, 2)).waitFor({ state: 'detached' })
  // By turn: the turn, and what was put back just now.
  await panel.getByText(text.changes.byTurn).click()
  await panel.getByRole('heading', { name: text.changes.spans.reverted }).waitFor()
  await panel.getByRole('heading', { name: text.changes.spans.turn }).waitFor()
})

it('stages the files that are chosen and takes them out again; what a person staged goes only when they say so', async () => {
  const { page, panel } = await openTab()
  await button(panel, text.changes.commit).click()
  const file = (name: string) => panel.getByRole('checkbox', { name: new RegExp(name) })
  await file('build.log').uncheck()
  await button(panel, text.changes.stageCount(2)).click()
  await page.getByText(text.changes.isStaged(2), { exact: true }).waitFor()
  await expect
    .poll(() => panel.getByText(text.changes.stagedAs.same, { exact: true }).count(), polling)
    .toBe(2)
  expect(git('diff', '--cached', '--name-only').split('\n')).toEqual(['notes.md', 'src/numbers.txt'])
  // All of them are: what is offered is the way out.
  await button(panel, text.changes.stageCount(2)).waitFor({ state: 'detached' })
  await file('notes').uncheck()
  await button(panel, text.changes.unstageCount(1)).click()
  await expect.poll(() => git('diff', '--cached', '--name-only'), polling).toBe('notes.md')

  write('src/numbers.txt', lines('mine'))
  git('add', 'src/numbers.txt')
  write('src/numbers.txt', lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'eleven', 12))
  await page.reload()
  await button(panel, text.changes.commit).click()
  await panel.getByText(text.changes.stagedAs.other).waitFor()
  for (const name of ['build.log', 'notes']) await file(name).uncheck()
  await button(panel, text.changes.stageCount(1)).click()
  const dialog = page.getByRole('dialog', { name: text.changes.stageOthersTitle })
  await dialog.getByText(text.changes.stageOthers('src/numbers.txt')).waitFor()
  expect(await axeFaults(page, 'staging', true)).toEqual([])
  await button(dialog, text.ui.cancel).click()
  expect(git('show', ':src/numbers.txt')).toBe('mine')
  await button(panel, text.changes.unstageCount(1)).click()
  await button(dialog, text.changes.stageOthersAction).click()
  await dialog.waitFor({ state: 'detached' })
  await file('notes').check()
  await button(panel, text.changes.unstageCount(1)).click()
  await expect.poll(() => git('diff', '--cached', '--name-only'), polling).toBe('')
})

it('asks before it undoes what a person may have done', async () => {
  const { page, panel, row } = await openTab()
  write('notes.md', '# Notes\n\nBy a person.\n')
  await page.reload()
  await panel.getByText(text.changes.changedSince).waitFor()
  await row(/notes\.md/).click()
  await button(panel, text.changes.revertFile).click()
  const dialog = page.getByRole('dialog', { name: text.changes.confirmTitle })
  await dialog.getByText(text.changes.confirm.changed_since).waitFor()
  await button(dialog, text.ui.cancel).click()
  expect(read('notes.md')).toContain('By a person.')
  await button(panel, text.changes.revertFile).click()
  await button(dialog, text.changes.confirmAction).click()
  await expect.poll(() => existsSync(join(directory, 'notes.md')), polling).toBe(false)
  await panel.getByText(text.changes.changed(2)).waitFor()
})

it('commits the files that are chosen, with the message that the agent proposes, on a phone too', async () => {
  const { page } = await used.open(`/sessions/${session.id}?panel=changes`, phone)
  const panel = page.getByRole('dialog', { name: text.panel.title })
  await button(panel, text.changes.commit).click()
  const message = panel.getByRole('textbox', { name: text.changes.message })
  await message.waitFor()
  await panel.getByText(text.changes.commitNoMessage).waitFor()
  used.prompts.on(
    text.changes.askPrompt,
    toolUse('mcp__dorkos__propose_commit_message', { message: 'feat: eleven' }),
    'Proposed.',
  )
  await button(panel, text.changes.ask).click()
  await expect.poll(() => message.inputValue(), polling).toBe('feat: eleven')
  await panel.getByRole('checkbox', { name: /build\.log/ }).uncheck()
  expect(await axeFaults(page, 'commit', true)).toEqual([])
  await button(panel, text.changes.commitCount(1)).click()
  await expect.poll(() => git('log', '-1', '--format=%s'), polling).toBe('feat: eleven')
  await expect.poll(() => git('status', '--porcelain'), polling).toBe('?? build.log')
  expect(git('show', '--name-only', '--format=', 'HEAD')).toBe('src/numbers.txt')
})
