/** Saying something while the agent works, stopping it, and how messages are written. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hang, text as says, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { Gate } from '../../server/test/support/gate.ts'
import type { Answer } from '../../server/test/support/prompts.ts'
import { text } from '../src/text/page-text.ts'
import { button, composer, conversation, makeTall, polling, said, send } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const words = text.composer
const { queue } = text

/** One conversation for all, in which each test has turns of its own. */
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

/** The first of the answers comes when the gate is opened. */
const held = (
  gate: Gate,
  first: Exclude<Answer, (...args: never[]) => unknown>,
  ...others: Answer[]
): Answer[] => [
  async () => {
    await gate.opened
    return first
  },
  ...others,
]
const requestsOf = (id: string) =>
  used.host.model.requests.filter(({ kind, sessionId }) => kind === 'main' && sessionId === id)
const queued = (page: Page, message: string) => page.getByRole('listitem').filter({ hasText: message })
const outcome = (page: Page, name: keyof typeof text.conversation.outcomes) =>
  conversation(page).getByText(text.conversation.outcomes[name], { exact: true })

describe('while the agent works', () => {
  it('messages wait in a list: they are edited, deleted, put into the turn, or run in their order', async () => {
    const gate = new Gate()
    const ping = toolUse('mcp__dorkos__ping')
    await session.send(used.prompts.on('work', ...held(gate, ping, ping, 'Done with it.')))
    const page = await openSession()
    await button(page, words.stop).waitFor()
    for (const message of ['steer this', 'delete this', 'edit this']) await send(page, message)
    await page.getByRole('heading', { name: queue.title(3) }).waitFor()
    await button(queued(page, 'delete this'), queue.delete).click()
    await queued(page, 'delete this').waitFor({ state: 'detached' })
    await button(queued(page, 'edit this'), queue.edit).click()
    await page
      .getByRole('textbox', { name: queue.editLabel })
      .fill(used.prompts.on('as edited', 'Edited it is.'))
    await button(page, text.ui.save).click()
    await queued(page, 'as edited').waitFor()
    await button(queued(page, 'steer this'), queue.steer).click()
    // Out of the queue, and in sight until the agent has read it.
    const onItsWay = page.getByRole('region', { name: words.outbox.title })
    await onItsWay.getByText('steer this').waitFor()
    await onItsWay.getByText(words.outbox.steered).waitFor()
    await queued(page, 'steer this').waitFor({ state: 'detached' })
    await composer(page).fill('and at once')
    await composer(page).press('Control+Enter')
    await onItsWay.getByText('and at once').waitFor()
    gate.open()
    await said(page, 'Done with it.').waitFor()
    await onItsWay.waitFor({ state: 'detached' })
    await said(page, 'Edited it is.').waitFor()
    await page.getByRole('heading', { name: queue.title(1) }).waitFor({ state: 'detached' })
    const heard = requestsOf(session.id).map(({ newText }) => newText)
    const joined = heard.findIndex((news) => news.includes('steer this'))
    expect(heard[joined]).toContain('and at once')
    // It came with the result of a tool: in the turn, not after it.
    expect(requestsOf(session.id)[joined]?.toolResults).toHaveLength(1)
    expect(heard.join()).not.toMatch(/delete this|edit this/)
    expect(heard.at(-1)).toContain('as edited')
  })

  it('Esc stops it, and so does the button; a stop that is not answered says so', async () => {
    const talks = (start: string) => hang({ blocks: [says(`${start} and so on`)], afterDeltas: 2 })
    await session.send(used.prompts.on('talk', talks('One')))
    const page = await openSession()
    await said(page, /One/).waitFor()
    const before = await outcome(page, 'interrupted').count()
    await composer(page).press('Escape')
    await expect.poll(() => outcome(page, 'interrupted').count(), polling).toBe(before + 1)
    await expect.poll(async () => (await session.session()).state, polling).toBe('interrupted')

    await send(page, used.prompts.on('again', talks('Two')))
    await said(page, /Two/).waitFor()
    await page.route('**/interrupt', (route) => route.abort())
    await button(page, words.stop).click()
    await page.getByText(words.stopFailed(text.ui.networkError)).waitFor()
    await page.unroute('**/interrupt')
    await button(page, words.stopAgain).click()
    await expect.poll(() => outcome(page, 'interrupted').count(), polling).toBe(before + 2)
    await button(page, words.stop).waitFor({ state: 'detached' })

    await send(page, used.prompts.on('and then', 'Still here.'))
    await said(page, 'Still here.').waitFor()
  })
})

describe('a message', () => {
  it('survives a reload as a draft; ↑ brings back what was said', async () => {
    await session.say(used.prompts.on('the first thing', 'First of all.'))
    const page = await openSession()
    await said(page, 'First of all.').waitFor()
    await composer(page).fill('half a thou')
    await page.reload()
    await expect.poll(() => composer(page).inputValue(), polling).toBe('half a thou')
    await send(page, used.prompts.on('the second thing', 'Yes.'))
    await said(page, 'Yes.').waitFor()
    await composer(page).press('ArrowUp')
    await expect.poll(() => composer(page).inputValue(), polling).toBe('the second thing')
    await composer(page).press('ArrowUp')
    await expect.poll(() => composer(page).inputValue(), polling).toBe('the first thing')
    await composer(page).press('ArrowDown')
    await composer(page).press('ArrowDown')
    await expect.poll(() => composer(page).inputValue(), polling).toBe('')
  })

  it('takes commands, files and images', async () => {
    mkdirSync(join(used.host.cwd, 'deep', 'down'), { recursive: true })
    writeFileSync(join(used.host.cwd, 'deep', 'down', 'treasure-map.txt'), 'here')
    const page = await openSession()
    await said(page, 'Hello.').waitFor()
    await composer(page).pressSequentially('/')
    const commands = page.getByRole('listbox', { name: words.suggestions.commands })
    await commands.getByRole('option', { name: /^\/compact/ }).waitFor()
    await composer(page).pressSequentially('compac')
    await composer(page).press('Enter')
    await expect.poll(() => composer(page).inputValue(), polling).toBe('/compact ')
    await composer(page).fill('')

    await composer(page).pressSequentially('look at @treasure')
    const files = page.getByRole('listbox', { name: words.suggestions.files })
    await files.getByRole('option', { name: /treasure-map\.txt/ }).click()
    await expect.poll(() => composer(page).inputValue(), polling).toBe('look at @deep/down/treasure-map.txt ')
    await composer(page).fill('what is this')
    // The CLI adds a line of its own to the prompt: where it has put the image.
    used.host.model.push('A picture.')
    await pasteImage(page)
    await page.getByRole('list', { name: words.attachments }).getByRole('img').waitFor()
    await composer(page).press('Enter')
    await said(page, 'A picture.').waitFor()
    const last = requestsOf(session.id)
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'user')
    const content = JSON.stringify(last)
    expect(content).toMatch(/"type":"image","source":\{"type":"base64","media_type":"image\/png"/)
    expect(content).toContain('what is this')
    await conversation(page).getByRole('img').waitFor()
    await page.reload()
    await conversation(page).getByRole('img').waitFor()
    expect(await said(page, /Image: source/).count()).toBe(0)
  })
})

it('model, effort and mode are changed in the session; bypass asks first, and is loud', async () => {
  const page = await openSession()
  await said(page, 'Hello.').waitFor()
  const pick = async (picker: string, option: string | RegExp) => {
    await button(page, new RegExp(`^${picker}: `)).click()
    await page.getByRole('menuitemradio', { name: option }).click()
  }
  const shows = (change: object) => expect.poll(() => session.session(), polling).toMatchObject(change)
  await pick(words.model, /sonnet/i)
  await shows({ model: expect.stringContaining('sonnet') })
  await pick(words.effort, new RegExp(`^${words.effortNames.low}`))
  await shows({ effort: 'low' })
  await pick(words.mode, new RegExp(`^${words.modeNames.plan}`))
  await shows({ permission_mode: 'plan' })
  await composer(page).press('Shift+Tab')
  await shows({ permission_mode: 'default' })

  const loud = page.getByText(words.bypassWord, { exact: true })
  const dialog = page.getByRole('dialog', { name: words.bypassTitle })
  await pick(words.mode, new RegExp(`^${words.modeNames.bypassPermissions}`))
  await button(dialog, text.ui.cancel).click()
  expect(await session.session()).toMatchObject({ permission_mode: 'default' })
  expect(await loud.count()).toBe(0)
  await pick(words.mode, new RegExp(`^${words.modeNames.bypassPermissions}`))
  await button(dialog, words.bypassAction).click()
  await dialog.waitFor({ state: 'hidden' })
  await loud.waitFor()
  await shows({ permission_mode: 'bypassPermissions' })
  await send(page, used.prompts.on('with all that', 'Fine.'))
  await said(page, 'Fine.').waitFor()
  expect(requestsOf(session.id).at(-1)?.model).toContain('sonnet')
})

/** As from a screenshot: a file on the clipboard and no text. */
async function pasteImage(page: Page): Promise<void> {
  await composer(page).evaluate(async (box) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 })
    canvas.getContext('2d')?.fillRect(0, 0, 4, 4)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    const clipboardData = new DataTransfer()
    if (blob) clipboardData.items.add(new File([blob], 'shot.png', { type: 'image/png' }))
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
}
