/** What a person does themselves comes into sight, and so does what it leads to. */
import { join } from 'node:path'
import { reply, text as say, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, composer, conversation, polling, said, send } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const long = (name: string) =>
  Array.from({ length: 60 }, (_, n) => `${name} paragraph ${n}. ${'It has some words. '.repeat(8)}`).join(
    '\n\n',
  )
const card = (page: Page) => page.locator('[data-approval][data-open]')
const allow = text.approvals.actions.allowOnce
const left = (page: Page) =>
  conversation(page).evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop))

async function readsAbove(page: Page): Promise<void> {
  await conversation(page).hover()
  await page.mouse.wheel(0, -2500)
  await button(page, text.conversation.newMessages(0)).waitFor()
}

it('one’s own message is shown and followed, and so is what comes after an answer', async () => {
  const session = await used.start([reply([say(long('first'))], { deltaSize: 2000 })])
  await session.endOf(1)
  const { page } = await used.open(`/sessions/${session.id}`)
  await conversation(page).getByText('first paragraph 59.').waitFor()
  await expect.poll(() => left(page), polling).toBeLessThanOrEqual(1)
  await readsAbove(page)
  const call = toolUse('Bash', { command: 'echo follow > follow', description: 'Writes' })
  await send(page, used.prompts.on('go', reply([call]), long('second')))
  await expect.poll(() => card(page).count(), polling).toBe(1)
  await expect.poll(() => left(page), polling).toBeLessThanOrEqual(1)
  await card(page).getByRole('button', { name: allow }).click()
  await conversation(page).getByText('second paragraph 59.').waitFor()
  await expect.poll(() => left(page), polling).toBeLessThanOrEqual(1)
})

it('a card that is higher than the screen is shown from its top; answered by keys, one writes on', async () => {
  const content = Array.from({ length: 80 }, (_, n) => `line ${n}`).join('\n')
  const write = toolUse('Write', { file_path: join(used.host.cwd, 'high.txt'), content })
  const session = await used.start([reply([say(long('before')), write]), 'Over.'])
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  await card(page).waitFor()
  const top = () =>
    card(page).evaluate((one) => {
      const box = one.closest('section[tabindex]')
      return Math.round(one.getBoundingClientRect().top - (box?.getBoundingClientRect().top ?? 0))
    })
  await expect.poll(async () => inTopOf(await top()), polling).toBe(true)
  await expect.poll(() => left(page), polling).toBeGreaterThan(100)
  await card(page).focus()
  await card(page).getByRole('button', { name: allow }).and(page.locator(':not([aria-disabled])')).waitFor()
  await card(page).press('a')
  await said(page, 'Over.').waitFor()
  await expect.poll(() => left(page), polling).toBeLessThanOrEqual(1)
  await expect
    .poll(() => composer(page).evaluate((box) => box === document.activeElement), polling)
    .toBe(true)
})

const inTopOf = (top: number) => top >= 0 && top < 60
