/** What an agent wants to do, and how people answer it on the page. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply, toolUse } from '@dorkos/testkit'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { Gate } from '../../server/test/support/gate.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { createShiftingClock } from '../../server/test/support/shifting-clock.ts'
import { text } from '../src/text/page-text.ts'
import { composer, conversation, hasFocus, makeTall, polling, said } from './support/on-page.ts'
import { type TestPage, usePage } from './support/open-page.ts'

const clock = createShiftingClock()
const used = usePage({ clock })
const t = text.approvals

const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })
const write = (name: string, words = name) => bash(`echo ${words} > ${name}`)
const file = (name: string) => join(used.host.cwd, name)
const content = (name: string) => readFileSync(file(name), 'utf8').trim()

const card = (page: Page, what = '') =>
  page.getByRole('article', { name: t.card.asks }).filter({ hasText: what })
const press = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true }).click()
/** The sign on a call that says who allowed it. */
const allowed = (page: Page, who = byThisBrowser) =>
  conversation(page).getByRole('img', { name: new RegExp(`^${t.decision.allowed} ${who}`) })
/** The line of an open call that says who decided, and when. */
const line = (page: Page, verb: string) =>
  conversation(page)
    .getByRole('paragraph')
    .filter({ hasText: new RegExp(`^${verb}`) })
const call = (page: Page, command: string) => conversation(page).getByRole('button', { name: command }).last()
const byThisBrowser = t.decision.by(text.auth.browserOn('Chrome', 'Linux'))

/** Until it is answered: a card takes no answer that allows in its first moments, nor after it has moved. */
const answerBy = (page: Page, key: string, one: Locator) =>
  expect
    .poll(async () => {
      // In one look, which does not wait: the card may go between two.
      const [isFocused] = await one.evaluateAll((cards) =>
        cards.map((card) => card.contains(document.activeElement)),
      )
      if (isFocused) await page.keyboard.press(key)
      return isFocused === undefined ? 'answered' : 'open'
    }, polling)
    .toBe('answered')

/** One conversation for all: each test says something of its own in it. */
let session: Conversation
beforeAll(async () => {
  session = await used.start(['Ready.'])
  await session.endOf(1)
})
async function openSession(): Promise<TestPage> {
  const one = await used.open(`/sessions/${session.id}`)
  await makeTall(one.page)
  return one
}
async function ask(prompt: string, ...answers: Answer[]): Promise<TestPage> {
  await session.send(used.prompts.on(prompt, ...answers))
  return openSession()
}

/** What the model got for its last call. */
const modelGot = () =>
  used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)?.toolResults

describe('a call that needs a person', () => {
  it('is allowed once; who allowed it stays, also after a reload; the next one is asked again', async () => {
    const { page } = await ask('write twice', write('one'), write('one', 'two'), 'All is done.')
    await card(page, 'echo one > one').getByText(t.risk.execute.word).waitFor()
    expect(existsSync(file('one'))).toBe(false)
    const before = await allowed(page).count()
    await press(page, t.actions.allowOnce)
    await card(page, 'echo two > one').waitFor()
    expect(content('one')).toBe('one')
    await press(page, t.actions.allowOnce)
    await said(page, 'All is done.').waitFor()
    expect(content('one')).toBe('two')
    for (const when of ['now', 'reloaded']) {
      if (when === 'reloaded') await page.reload()
      await said(page, 'All is done.').waitFor()
      await expect.poll(() => allowed(page).count(), polling).toBe(before + 2)
      await call(page, 'echo two > one').click()
      expect(await line(page, t.decision.allowed).last().innerText()).toContain(byThisBrowser)
      expect(await line(page, t.decision.allowed).last().getByRole('time').innerText()).toMatch(/^at .*\d/)
      expect(await card(page).count()).toBe(0)
    }
  })

  it('is denied with a message, which the model reads', async () => {
    const { page } = await ask('be denied', write('denied'), 'I see.')
    await press(page, t.actions.denyMore)
    await page.getByRole('menuitem', { name: t.actions.denyWithMessage }).click()
    await card(page).getByRole('textbox', { name: t.deny.label }).fill('Use a “branch” instead.')
    await press(page, t.deny.send)
    await said(page, 'I see.').waitFor()
    expect(modelGot()).toMatchObject([{ text: 'Use a “branch” instead.', isError: true }])
    expect(existsSync(file('denied'))).toBe(false)
    for (const when of ['now', 'reloaded']) {
      if (when === 'reloaded') await page.reload()
      await conversation(page).getByText('Use a “branch” instead.').last().waitFor()
      await call(page, 'echo denied').filter({ hasText: text.conversation.toolStates.denied }).click()
      const denied = line(page, t.decision.denied).filter({ hasText: 'Use a “branch” instead.' })
      expect(await denied.innerText()).toContain(byThisBrowser)
    }
  })

  it('runs with an edited input', async () => {
    const { page } = await ask('be edited', write('asked'), 'Done so.')
    await press(page, t.actions.edit)
    const field = card(page).getByRole('textbox', { name: 'command', exact: true })
    expect(await field.inputValue()).toBe('echo asked > asked')
    expect(await card(page).getByRole('button', { name: t.edit.allow }).isDisabled()).toBe(true)
    await field.fill('echo "other\nlines" > edited')
    await press(page, t.edit.allow)
    await said(page, 'Done so.').waitFor()
    expect(existsSync(file('asked'))).toBe(false)
    expect(content('edited')).toBe('other\nlines')
    await conversation(page).getByRole('img', { name: t.decision.edited }).last().waitFor()
  })

  it('is allowed for the session, then always: the rule is on its page, and revoked it asks again', async () => {
    const before = session.watch.of('approval_required').length
    const one = await ask('write by rules', write('s'), write('s'), write('r'), 'First.')
    const { page } = one
    await card(page, 'echo s > s').waitFor()
    await press(page, t.actions.allowSession)
    await card(page, 'echo r > r').waitFor()
    await press(page, t.actions.always)
    await card(page).getByRole('region', { name: t.always.title }).getByText('echo r > r').waitFor()
    await press(page, t.always.confirm)
    await said(page, 'First.').waitFor()
    expect(session.watch.of('approval_required')).toHaveLength(before + 2)
    await session.say(used.prompts.on('again', write('r'), 'Second.'))
    await said(page, 'Second.').waitFor()
    expect(session.watch.of('approval_required')).toHaveLength(before + 2)

    const { page: rules } = await used.tab(one, '/rules')
    const rule = rules.getByRole('listitem').filter({ hasText: 'echo r > r' })
    await rule.getByRole('button', { name: text.rules.actions('Bash') }).click()
    await rules.getByRole('menuitem', { name: text.rules.revoke }).click()
    await rules.getByRole('dialog').getByRole('button', { name: text.rules.revoke }).click()
    await rule.waitFor({ state: 'detached' })
    await session.send(used.prompts.on('once more', write('r'), 'Third.'))
    await card(page, 'echo r > r').waitFor()
    await press(page, t.actions.deny)
    await said(page, 'Third.').waitFor()
  })

  it('comes with others: all are allowed at once', async () => {
    const calls = [toolUse('mcp__dorkos__ping'), toolUse('mcp__dorkos__get_server_info')]
    const { page } = await ask('ask for both', reply(calls), 'Both came.')
    await page.getByRole('button', { name: t.batch.allowAll(2) }).click()
    await page.getByRole('button', { name: t.batch.confirmAllow(2) }).click()
    await said(page, 'Both came.').waitFor()
    expect(modelGot()?.map(({ isError }) => isError)).toEqual([false, false])
    await page.getByText(t.batch.done(2, 0, 0)).waitFor()
  })
})

describe('while it waits', () => {
  it('a reload brings the card back with the time that is left; it can be answered; unanswered, it expires', async () => {
    const { page } = await ask('wait', write('kept'), write('late'), 'Too late.')
    await card(page)
      .getByRole('timer')
      .filter({ hasText: t.countdown.left('4 h') })
      .waitFor()
    clock.advance(210 * 60_000)
    await page.reload()
    await card(page)
      .getByRole('timer')
      .filter({ hasText: t.countdown.left('30 min') })
      .waitFor()
    await press(page, t.actions.allowOnce)
    await card(page, 'echo late > late').waitFor()
    expect(content('kept')).toBe('kept')
    clock.advance(240 * 60_000)
    await said(page, 'Too late.').waitFor()
    for (const when of ['now', 'reloaded']) {
      if (when === 'reloaded') await page.reload()
      await conversation(page).getByRole('button', { name: text.conversation.toolStates.expired }).waitFor()
      expect(await card(page).count()).toBe(0)
    }
    expect(existsSync(file('late'))).toBe(false)
  })

  it('an answer in another tab shows here, with by whom; one that comes second is notified', async () => {
    const here = await ask('ask both', write('first'), write('second'), 'Both are decided.')
    const there = await used.open(`/sessions/${session.id}`, { userAgent: 'Mozilla/5.0 (iPhone) Safari/1' })
    await makeTall(there.page)
    await card(here.page, 'echo first').waitFor()
    await press(there.page, t.actions.deny)
    const byPhone = t.decision.by(text.auth.browserOn('Safari', 'iPhone'))
    await call(here.page, 'echo first').click()
    await line(here.page, t.decision.denied).filter({ hasText: byPhone }).waitFor()

    // The other answer gets in between the press and the server.
    await card(here.page, 'echo second').waitFor()
    await here.page.route('**/api/approvals/*/answer', async (route) => {
      await press(there.page, t.actions.allowOnce)
      await said(there.page, 'Both are decided.').waitFor()
      await route.continue()
    })
    const refusal = here.page.waitForResponse((response) => response.url().endsWith('/answer'))
    await press(here.page, t.actions.deny)
    expect((await refusal).status()).toBe(409)
    await allowed(here.page, byPhone).waitFor()
    expect(content('second')).toBe('second')
  })

  it('takes neither focus nor keys from who types, and says so in title and list', async () => {
    const open = new Gate()
    const { page } = await ask('ask while I type', () => open.opened.then(() => write('typed')), 'Well.')
    const field = composer(page)
    await field.click()
    await page.keyboard.type('a dead ')
    open.open()
    await card(page).waitFor()
    await page.keyboard.type('sea')
    expect(await field.inputValue()).toBe('a dead sea')
    await hasFocus(field)
    expect(existsSync(file('typed'))).toBe(false)
    await expect.poll(() => page.title(), polling).toMatch(/^\(1\) /)
    const row = page.getByRole('link', { name: text.sessions.marks['needs-you'] })
    expect(await row.getAttribute('href')).toBe(`/sessions/${session.id}`)
    // The keys work where one goes by oneself.
    await page.keyboard.press('Alt+a')
    await hasFocus(card(page))
    await page.keyboard.press('d')
    await said(page, 'Well.').waitFor()
    await expect.poll(() => page.title(), polling).not.toMatch(/^\(/)
    expect(await field.inputValue()).toBe('a dead sea')
  })

  it('stands in the inbox with those of other sessions, and is answered by keys alone', async () => {
    const first = await session.send(used.prompts.on('ask in', write('in'), 'In.'))
    await session.watch.next('approval_required', ({ approval }) => approval.input.command === 'echo in > in')
    const second = await used.start([write('out'), 'Out.'])
    await second.watch.next('approval_required')
    const { page } = await used.open('/rules')
    await expect.poll(() => page.title(), polling).toMatch(/^\(2\) /)
    await page.keyboard.press('Alt+a')
    await page.waitForURL('**/inbox#*')
    await hasFocus(card(page, 'echo in > in'))
    // Back to the list, with nothing decided, and to the card again.
    await page.keyboard.press('Escape')
    await hasFocus(
      page.getByRole('navigation', { name: t.inbox.list }).getByRole('button', { name: 'echo in > in' }),
    )
    await page.keyboard.press('Enter')
    await hasFocus(card(page, 'echo in > in'))
    await answerBy(page, 'a', card(page, 'echo in > in'))
    await session.end(first)
    expect(content('in')).toBe('in')
    await page.keyboard.press('Alt+a')
    await hasFocus(card(page, 'echo out > out'))
    await answerBy(page, 'd', card(page, 'echo out > out'))
    await second.endOf(1)
    expect(existsSync(file('out'))).toBe(false)
    await page.getByRole('tab', { name: t.inbox.waiting(0) }).waitFor()
  })
})

it('what # notes becomes a request in plain words, and what the agent then does is asked about', async () => {
  const { requests, scopes } = text.composer.remember
  const request = requests.project('Use tabs.')
  const own = await used.start(['Ready.'])
  await own.endOf(1)
  const { page } = await used.open(`/sessions/${own.id}`)
  await said(page, 'Ready.').waitFor()
  used.prompts.on(request, toolUse('Write', { file_path: file('CLAUDE.md'), content: 'Use tabs.' }), 'Noted.')
  await composer(page).click()
  await page.keyboard.type('# Use tabs.')
  const list = page.getByRole('listbox', { name: text.composer.suggestions.notes })
  await list.getByRole('option', { name: scopes.user }).waitFor()
  await page.keyboard.press('Enter')
  expect(await composer(page).inputValue()).toBe(request)
  await page.keyboard.press('Enter')
  const asked = card(page, 'CLAUDE.md')
  await asked.waitFor()
  expect(existsSync(file('CLAUDE.md'))).toBe(false)
  await asked.getByRole('button', { name: t.actions.allowOnce, exact: true }).focus()
  await answerBy(page, 'a', asked)
  await said(page, 'Noted.').waitFor()
  expect(content('CLAUDE.md')).toBe('Use tabs.')
})
