/** Sending a message again: the last one in its place, an earlier one in a fork. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiError, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/resend-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button, composer, conversation, makeTall, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const { resend } = text

let session: Conversation
beforeAll(async () => {
  session = await used.start(['Hello.'], { permission_mode: 'acceptEdits' })
  await session.endOf(1)
})
async function openSession(): Promise<Page> {
  const { page } = await used.open(`/sessions/${session.id}`)
  await makeTall(page)
  return page
}
const message = (page: Page, words: string) =>
  conversation(page).getByRole('article', { name: text.conversation.you }).filter({ hasText: words })
const editor = (page: Page) => page.getByRole('textbox', { name: resend.editLabel })

it('the last message is edited in place, and the answer to it is another', async () => {
  await session.say(used.prompts.on('a tpyo', 'What is a tpyo?'))
  const page = await openSession()
  await said(page, 'What is a tpyo?').waitFor()
  await button(message(page, 'a tpyo'), text.conversation.editMessage).click()
  await expect.poll(() => editor(page).inputValue(), polling).toBe('a tpyo')
  await editor(page).fill(used.prompts.on('a typo', 'A slip of the finger.'))
  await page.keyboard.press('Control+Enter')
  await said(page, 'A slip of the finger.').waitFor()
  expect(await conversation(page).getByText('tpyo').count()).toBe(0)
  await page.reload()
  await said(page, 'A slip of the finger.').waitFor()
  expect(await conversation(page).getByText('tpyo').count()).toBe(0)
})

it('a turn that failed is tried again with one click', async () => {
  await session.say(used.prompts.on('will it work?', apiError(400, 'It does not.')))
  const page = await openSession()
  used.prompts.on('will it work?', 'It works.')
  await button(conversation(page), text.conversation.retry).last().click()
  await said(page, 'It works.').waitFor()
  await conversation(page).getByText('It does not.').waitFor({ state: 'detached' })
  expect(await message(page, 'will it work?').count()).toBe(1)
})

it('an earlier message is sent in a fork; this conversation stays as it is', async () => {
  const page = await openSession()
  await button(message(page, 'a typo'), text.conversation.editMessage).click()
  await page.getByText(resend.forkHint).waitFor()
  await editor(page).fill(used.prompts.on('something else', 'Something else it is.'))
  await button(page, resend.sendInFork).click()
  await page.waitForURL((url) => !url.pathname.endsWith(session.id))
  await said(page, 'Something else it is.').waitFor()
  await composer(page).waitFor()
  expect(await conversation(page).getByText('a typo').count()).toBe(0)
  const { events } = await used.host.client.getHistory({ params: session.params })
  expect(JSON.stringify(events)).toContain('It works.')
})

it('files go back as they were before the message, but for what a person changed; both are said first', async () => {
  const fileOf = (name: string) => join(used.host.cwd, name)
  const write = (name: string) => toolUse('Write', { file_path: fileOf(name), content: 'by the agent\n' })
  await session.say(
    used.prompts.on('write them', write('resend-theirs.txt'), write('resend-mine.txt'), 'Wrote them.'),
  )
  await session.say(used.prompts.on('and on', 'On it goes.'))
  await expect
    .poll(async () => (await used.host.client.listChanges({ params: session.params })).files.length, polling)
    .toBe(2)
  writeFileSync(fileOf('resend-mine.txt'), 'by a person\n')
  const page = await openSession()
  await button(message(page, 'write them'), text.conversation.editMessage).click()
  const choice = page.getByRole('checkbox', { name: resend.restore })
  await choice.waitFor()
  expect(await choice.isChecked()).toBe(false)
  await choice.check()
  const back = page.getByRole('list', { name: resend.restoreFiles(1) })
  await back.getByText('resend-theirs.txt').waitFor()
  const asked = page.getByRole('group', { name: resend.restoreAsking }).getByRole('checkbox')
  expect(await asked.count()).toBe(1)
  expect(await asked.isChecked()).toBe(false)
  await page.getByText(resend.restoreReasons.changed_since).waitFor()
  expect(await axeFaults(page, 'restore')).toEqual([])
  await editor(page).fill(used.prompts.on('write neither', 'Nothing written.'))
  await button(page, resend.sendInFork).click()
  await said(page, 'Nothing written.').waitFor()
  expect(existsSync(fileOf('resend-theirs.txt'))).toBe(false)
  expect(readFileSync(fileOf('resend-mine.txt'), 'utf8')).toBe('by a person\n')
})
