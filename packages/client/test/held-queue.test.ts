/** A stop while messages wait: none of them runs until a person says so. */
import { hang, text as says } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, composer, conversation, hasFocus, polling, said, send } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const words = text.composer
const { queue } = text

const requestsOf = (id: string) =>
  used.host.model.requests.filter(({ kind, sessionId }) => kind === 'main' && sessionId === id)
const queued = (page: Page, message: string) => page.getByRole('listitem').filter({ hasText: message })
const order = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('paragraph') })
    .allInnerTexts()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

it('Esc holds what waits; it is moved, run or cleared, and another tab sees the same', async () => {
  const talks = () => hang({ blocks: [says('Talking and so on')], afterDeltas: 2 })
  const session = await used.start([talks()])
  const one = await used.open(`/sessions/${session.id}`)
  const { page } = one
  const other = (await used.tab(one, `/sessions/${session.id}`)).page
  await page.bringToFront()
  await said(page, /Talking/).waitFor()
  for (const message of ['first', 'second', 'third'])
    await send(page, used.prompts.on(message, `Did the ${message}.`))
  await heading(page, queue.title(3)).waitFor()
  await composer(page).press('Escape')
  await conversation(page).getByText(text.conversation.outcomes.interrupted, { exact: true }).waitFor()
  for (const tab of [page, other]) await heading(tab, queue.held(3)).waitFor()
  expect(await session.session()).toMatchObject({ state: 'interrupted', queue_held: true })

  // By keys: the focus goes with the message.
  await button(queued(page, 'third'), queue.up).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => order(other), polling).toEqual(['first', 'third', 'second'])
  await expect.poll(() => order(page), polling).toEqual(['first', 'third', 'second'])
  await page.keyboard.press('Enter')
  for (const tab of [page, other])
    await expect.poll(() => order(tab), polling).toEqual(['third', 'first', 'second'])
  expect(requestsOf(session.id)).toHaveLength(1)
  await page.reload()
  await button(page, queue.run(3)).click()
  await said(page, 'Did the second.').waitFor()
  const ran = requestsOf(session.id).slice(1)
  expect(ran.map(({ lastUserText }) => lastUserText.split('\n').at(-1))).toEqual(['third', 'first', 'second'])

  await send(page, used.prompts.on('again', talks()))
  await said(page, 'again').waitFor()
  await button(page, words.stop).waitFor()
  for (const message of ['not this', 'nor this']) await send(page, message)
  await composer(page).fill('put in and not read')
  await composer(page).press('Control+Enter')
  const onItsWay = page.getByRole('region', { name: words.outbox.title })
  await onItsWay.getByText('put in and not read').waitFor()
  await button(page, words.stop).click()
  // What the agent had not read is in the queue again, and nowhere else.
  await heading(page, queue.held(3)).waitFor()
  await onItsWay.waitFor({ state: 'detached' })
  expect(await order(page)).toEqual(['put in and not read', 'not this', 'nor this'])
  // Who leaves something by keys is never nowhere.
  await button(queued(page, 'nor this'), queue.edit).click()
  const edited = page.getByRole('textbox', { name: queue.editLabel })
  await hasFocus(edited)
  await edited.press('Escape')
  await hasFocus(button(queued(page, 'nor this'), queue.edit))
  await button(page, queue.clear).click()
  await button(page.getByRole('dialog', { name: queue.clearTitle }), queue.clear).click()
  for (const tab of [page, other]) await heading(tab, queue.held(3)).waitFor({ state: 'detached' })
  await hasFocus(composer(page))
  expect(await session.session()).toMatchObject({ queued_messages: 0, state: 'interrupted' })
  await send(page, used.prompts.on('go on', 'Going on.'))
  await said(page, 'Going on.').waitFor()
  expect(
    requestsOf(session.id)
      .map(({ newText }) => newText)
      .join(),
  ).not.toMatch(/n?o[rt] this|not read/)
})
