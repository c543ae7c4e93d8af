/** What is true stays true when the page is loaded again: the same words, from the stream and from the history. */
import { apiError, reply, text as say, thinking, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { button, conversation, makeTall, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const t = text.conversation

/** A conversation in which tests have turns of their own. */
let session: Conversation
beforeAll(async () => {
  session = await used.start(['Hello.'], { permission_mode: 'bypassPermissions' })
  await session.endOf(1)
})
async function openSession({ id }: Conversation): Promise<Page> {
  const { page } = await used.open(`/sessions/${id}`)
  await makeTall(page)
  return page
}

/** Reloads when all turns have ended, and expects every word to be as it was. */
async function sameAfterReload(page: Page, { params }: Conversation): Promise<string> {
  const { turns } = await used.host.client.listTurns({ params })
  const ends = conversation(page).getByText(/ in, .* out$/)
  await expect.poll(() => ends.count(), polling).toBe(turns.length)
  const before = await conversation(page).innerText()
  await page.reload()
  await expect.poll(() => conversation(page).innerText(), polling).toBe(before)
  return before
}

it('limits of the model, and tries, are shown again; a try that is over counts no more', async () => {
  const page = await openSession(session)
  await said(page, 'Hello.').waitFor()
  await session.say(used.prompts.on('too much', apiError(429), 'Then it was less.'))
  await said(page, 'Then it was less.').waitFor()
  await session.say(used.prompts.on('and again', apiError(529), 'It answers.'))
  await said(page, 'It answers.').waitFor()
  const words = await sameAfterReload(page, session)
  expect(words).toContain(t.rateLimited)
  expect(words.match(/try 1 of \d+/g)).toHaveLength(2)
  expect(words).not.toContain(t.retried)
  expect(words).not.toMatch(/try 1 of \d+ · /)
})

it('how long it thought, and how long tools ran, is shown alike', async () => {
  const slow = { deltaSize: 4, deltaDelayMs: 60 }
  const calls = [
    reply([toolUse('Bash', { command: 'sleep 0.45; echo a rather long command, to be written' })], slow),
    [toolUse('Bash', { command: 'sleep 1.25' }), toolUse('mcp__dorkos__ping')],
  ]
  const page = await openSession(session)
  await session.send(used.prompts.on('run them', ...calls, 'Done.'))
  await said(page, 'Done.').waitFor()
  await session.say(
    used.prompts.on('think', reply([thinking('Hm, let me think about this for a while.'), say('So.')], slow)),
  )
  await said(page, 'So.').waitFor()
  const words = await sameAfterReload(page, session)
  const [thought = '?'] = t.thoughtFor('|').split('|')
  expect(words).toContain(thought)
  expect(words).toMatch(/sleep 1\.25\s+\d[\d.]* s/)
})

it('a call that a rule allowed says so, and leads to the rule', async () => {
  const again = () => toolUse('Bash', { command: 'echo again > out', description: 'a test' })
  const asking = await used.start([again(), again(), 'Both are done.'])
  await asking.answer({ decision: 'allow', scope: 'always' })
  const page = await openSession(asking)
  await said(page, 'Both are done.').waitFor()
  const rule = 'Bash(echo again > out)'
  const card = () =>
    conversation(page)
      .getByRole('button', { name: /echo again/ })
      .nth(1)
  const link = conversation(page).getByRole('link', { name: rule })
  for (const isAgain of [false, true]) {
    if (isAgain) await sameAfterReload(page, asking)
    await card().click()
    await link.waitFor()
    const line = await link.locator('xpath=..').innerText()
    const { allowed, ownRule } = text.approvals.decision
    expect(line.replace(/\s+/g, ' ')).toMatch(new RegExp(`^${allowed} ${ownRule} .* at \\d`))
    await card().click()
    await link.waitFor({ state: 'detached' })
  }
  await card().click()
  await link.click()
  const row = page.locator('li[aria-current]')
  await row.getByText('echo again > out').waitFor()
  // Also when it holds no more.
  const { rules } = await used.host.client.listRules()
  const given = rules.find(({ match }) => match === 'echo again > out')
  await used.host.client.revokeRule({ params: { id: given?.id ?? '' } })
  await page.reload()
  await row.getByText(text.rules.revokedAt).waitFor()
  expect(await button(page, text.rules.add).isVisible()).toBe(true)
})
