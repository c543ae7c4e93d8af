/** Budgets and meters: what is shown of them, what survives a reload, and how a session goes on that one has stopped. */
import { reply, text as say, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { formatCount, formatUsd } from '../src/ui/format.ts'
import { button, conversation, polling, said, send } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const t = text.costs
const mode = { permission_mode: 'bypassPermissions' } as const

/** Every answer costs the same, by the CLI's prices. */
const usage = { input_tokens: 100_000, output_tokens: 1000 }
const dear = (words: string) => reply([say(words)], { usage })
const step = () => reply([toolUse('mcp__dorkos__ping')], { usage })

/** A conversation without a budget, and what its first answer cost. */
let free: Conversation
let usd = 0
beforeAll(async () => {
  free = await used.start([dear('One.')])
  usd = (await free.endOf(1)).usd ?? 0
  expect(usd).toBeGreaterThan(0)
})

const meter = (page: Page) => page.getByRole('button', { name: /^This session has cost/ })
const details = (page: Page) => page.getByRole('dialog', { name: text.conversation.cost })
const dialog = (page: Page) => page.getByRole('dialog', { name: t.sessionBudget })

const colourOf = (page: Page) => meter(page).evaluate((element) => getComputedStyle(element).color)
/** A colour of the style sheet, as the browser has it. */
const colour = (page: Page, name: 'soft' | 'warn' | 'danger') =>
  page.evaluate((token) => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.color = `var(--${token})`
    const found = getComputedStyle(probe).color
    probe.remove()
    return found
  }, name)

async function setBudget(page: Page, typed: string): Promise<void> {
  await dialog(page).getByLabel(t.sessionLimit).fill(typed)
  await button(dialog(page), text.ui.save).click()
  await dialog(page).waitFor({ state: 'hidden' })
}

it('a session that its budget has stopped says so once, and goes on when it is raised', async () => {
  const session = await used.start([step(), step(), 'never'], { ...mode, budget_usd: 1.5 * usd })
  const { page } = await used.open(`/sessions/${session.id}`)
  const reason = conversation(page).getByText(/This session’s budget is used up/)
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await said(page, text.conversation.outcomes.budget).waitFor()
    await reason.waitFor()
    await button(conversation(page), t.changeSessionBudget).waitFor()
    expect(await reason.count()).toBe(1)
    expect(await conversation(page).innerText()).not.toMatch(/API Error|402/)
  }
  expect(await colourOf(page)).toBe(await colour(page, 'danger'))
  const [, spent, limit] = /used up: (\S+) of (\S+)\. /.exec(await reason.innerText()) ?? []
  expect([spent, limit].map((sum) => Number(sum?.slice(1)))).toEqual([
    expect.closeTo(2 * usd, 2),
    expect.closeTo(1.5 * usd, 2),
  ])

  // It is still over: the next message is stopped at once.
  await send(page, used.prompts.on('once more', 'Not yet.'))
  await expect.poll(() => reason.count(), polling).toBe(2)
  await button(conversation(page), t.changeSessionBudget).last().click()
  await dialog(page)
    .getByText(t.usedSoFar(formatUsd(2 * usd)))
    .waitFor()
  await dialog(page).getByLabel(t.sessionLimit).fill('much')
  await button(dialog(page), text.ui.save).click()
  await dialog(page).getByText(t.dayLimitFault).waitFor()
  await setBudget(page, String(10 * usd))
  await send(page, used.prompts.on('and now', 'It goes on.'))
  await said(page, 'It goes on.').waitFor()
})

it('a warning survives a reload, and ends when the budget is raised or taken away', async () => {
  const session = await used.start([dear('One.')], { ...mode, budget_usd: 1.2 * usd })
  const { page } = await used.open(`/sessions/${session.id}`)
  const name = (part?: number) => text.conversation.costOf(formatUsd(usd), part)
  const warning = page.getByRole('button', { name: name(1 / 1.2), exact: true })
  await warning.waitFor()
  expect(await colourOf(page)).toBe(await colour(page, 'warn'))
  await page.reload()
  await warning.waitFor()
  expect(await colourOf(page)).toBe(await colour(page, 'warn'))
  await meter(page).click()
  await details(page)
    .getByText(t.meterBudget('session', 83, formatUsd(1.2 * usd)))
    .waitFor()
  await button(details(page), t.changeSessionBudget).click()
  await setBudget(page, String(5 * usd))
  await page.getByRole('button', { name: name(), exact: true }).waitFor()
  await expect.poll(() => colourOf(page), polling).toBe(await colour(page, 'soft'))

  // Without a process the session itself reports nothing.
  await used.host.client.changeSession({ params: session.params, body: { budget_usd: 1.1 * usd } })
  await page.getByRole('button', { name: name(1 / 1.1), exact: true }).waitFor()
  await used.host.client.stopSession({ params: session.params, body: {} })
  await page.reload()
  await page.getByRole('button', { name: name(1 / 1.1), exact: true }).waitFor()
  await meter(page).click()
  await button(details(page), t.changeSessionBudget).click()
  await button(dialog(page), t.noLimit).click()
  await page.getByRole('button', { name: name(), exact: true }).waitFor()
  expect((await session.session()).budget_usd).toBe(0)
})

it('on the page of costs a session’s budget can be changed, and a stop of the day leads to its form', async () => {
  const { client } = used.host
  const { total } = await client.getCosts()
  await client.changeConfig({ body: { set: { 'budgets.dayUsd': total.usd + 0.5 * usd } } })
  const session = await used.start([step(), 'never'], { ...mode, budget_usd: 10 * usd })
  const { page } = await used.open(`/sessions/${session.id}`)
  await conversation(page)
    .getByText(/^Today’s budget is used up/)
    .waitFor()
  expect(await conversation(page).innerText()).not.toContain('dayUsd')
  await conversation(page).getByRole('link', { name: t.toDayBudget }).click()
  const form = page.getByLabel(t.dayLimit)
  await expect.poll(() => form.evaluate((input) => input === document.activeElement), polling).toBe(true)
  await form.fill('1000')
  await button(page, text.ui.save).click()
  await page.getByText(/ of \$1,000/).waitFor()

  // What is far from its end is folded.
  await page.getByRole('button', { name: /more below half/ }).click()
  const row = page
    .getByText(t.usedOf(formatUsd(usd), formatUsd(10 * usd)), { exact: true })
    .locator('xpath=..')
  await button(row, t.changeSessionBudget).click()
  await setBudget(page, '33')
  await page.getByText(t.usedOf(formatUsd(usd), formatUsd(33)), { exact: true }).waitFor()
  await page.goBack()
  await send(page, used.prompts.on('go on', 'It goes on.'))
  await said(page, 'It goes on.').waitFor()
})

it('the context meter says what fills the context', async () => {
  // The CLI takes what the messages fill from what the model says it was sent.
  const filled = (tokens: number) =>
    reply([say('Hello.')], { usage: { input_tokens: tokens, output_tokens: 9 } })
  await free.say(used.prompts.on('fill it', filled(60_000)))
  const { page } = await used.open(`/sessions/${free.id}`)
  const share = () => page.getByRole('button', { name: /% of the context used$/ })
  await share().click()
  const shown = page.getByRole('dialog', { name: text.conversation.contextTitle })
  /** What the CLI says now, and the page of it. */
  const expected = async () => {
    const { categories } = await used.host.client.getContextUsage({ params: free.params })
    const parts = categories as { name: string; tokens: number; kind?: string }[]
    return parts.flatMap(({ name, tokens, kind }) =>
      tokens > 0 && kind !== 'free' && kind !== 'buffer' ? [`${name}: ${formatCount(tokens)}`] : [],
    )
  }
  const drawn = async () => {
    const names = await shown.getByRole('term').allInnerTexts()
    const figures = await shown.getByRole('definition').allInnerTexts()
    return names.map((name, index) => `${name}: ${figures[index]}`)
  }
  await expect.poll(drawn, polling).toEqual(await expected())
  const before = await drawn()
  expect(before.length).toBeGreaterThan(2)
  expect(before.at(-1)).toMatch(/^Messages: [1-9]/)
  // It is open, and follows.
  await free.say(used.prompts.on('more', filled(400_000)))
  const after = await expected()
  expect(after).not.toEqual(before)
  await expect.poll(drawn, polling).toEqual(after)
  await shown.getByText(text.conversation.contextUsed('400K', '1M'), { exact: true }).waitFor()
})
