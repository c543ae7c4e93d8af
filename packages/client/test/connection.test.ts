/** The edges of the network: nothing that an agent says is lost, doubled or out of order, and nothing that a person says is either. */
import { hang, reply, text as says } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { Gate } from '../../server/test/support/gate.ts'
import { spawnHost } from '../../server/test/support/spawn-host.ts'
import { text } from '../src/text/page-text.ts'
import { button, composer, conversation, polling, said, send } from './support/on-page.ts'
import { useCutPage } from './support/use-cut-page.ts'

const { proxy, used } = await useCutPage()

/** Words that show every gap, repetition and change of order. */
const counted = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `word${from + n}`).join(' ')
const slowly = (words: string, deltaDelayMs = 20) => reply([says(words)], { deltaDelayMs, deltaSize: 9 })

const reconnecting = (page: Page) => page.getByText(text.shell.reconnecting).last()
const wholeText = (page: Page) => conversation(page).locator('article p').last().textContent()
const asked = (prompt: string) =>
  used.host.model.requests.filter(({ kind, lastUserText }) => kind === 'main' && lastUserText === prompt)

/** Loads the page so that its timers can be stopped, as in a tab that the browser has put to sleep. */
async function withStoppableTimers(page: Page): Promise<{ stop(): Promise<unknown> }> {
  await page.addInitScript(() => {
    const start = window.setTimeout
    const stoppable = (work: () => void, ms = 0) =>
      start(() => {
        if (ms < 300 || !('timersStand' in window)) work()
      }, ms)
    window.setTimeout = stoppable as typeof start
  })
  await page.reload()
  return { stop: () => page.evaluate(() => Object.assign(window, { timersStand: true }) && undefined) }
}

describe('a connection that is cut', () => {
  let session: Conversation
  beforeAll(async () => {
    session = await used.start(['First.'])
    await session.endOf(1)
  })

  it('again and again while the agent speaks: the text is what the model said', async () => {
    const whole = counted(1, 120)
    const gate = new Gate()
    const speaks = async () => {
      await gate.opened
      return slowly(whole, 30)
    }
    await session.send(used.prompts.on('speak', speaks))
    const { page } = await used.open(`/sessions/${session.id}`)
    await button(page, text.composer.stop).waitFor()
    gate.open()
    for (const word of ['word15', 'word30', 'word45', 'word60']) {
      await said(page, new RegExp(`${word} `)).waitFor()
      proxy.cut()
    }
    await said(page, /word75\b/).waitFor()
    proxy.mode = 'away'
    await reconnecting(page).waitFor()
    proxy.mode = 'open'
    await said(page, /word120$/).waitFor()
    expect(await wholeText(page)).toBe(whole)
    await reconnecting(page).waitFor({ state: 'detached' })
    await page.reload()
    await said(page, /word120$/).waitFor()
    expect(await wholeText(page)).toBe(whole)
  })

  it('keeps what is typed meanwhile, and brings it once, even where only the answer was lost', async () => {
    const { page } = await used.open(`/sessions/${session.id}`)
    await composer(page).waitFor()
    const before = session.watch.of('turn_end').length
    proxy.mode = 'away'
    await send(page, used.prompts.on('typed while away', 'Second.'))
    const outbox = page.getByRole('region', { name: text.composer.outbox.title })
    await outbox.getByText('typed while away').waitFor()
    await outbox.getByText(text.composer.outbox.waiting).waitFor()
    expect(asked('typed while away')).toHaveLength(0)
    proxy.mode = 'deaf'
    // It arrives, and nobody notifies the page.
    await session.endOf(before + 1)
    expect(proxy.lostAnswers).toBeGreaterThan(0)
    proxy.mode = 'open'
    await said(page, 'Second.').waitFor()
    await outbox.waitFor({ state: 'detached' })
    await send(page, used.prompts.on('and now', 'Third.'))
    await said(page, 'Third.').waitFor()
    expect(asked('typed while away')).toHaveLength(1)
    expect(await conversation(page).getByText('typed while away').count()).toBe(1)
    const { turns } = await used.host.client.listTurns({ params: session.params })
    expect(turns).toHaveLength(before + 2)
  })

  it('when another screen is gone to: it is shown when the line is back, also where its file was lost on the way', async () => {
    await session.say(used.prompts.on('where', 'Here.'))
    const { page } = await used.open(`/sessions/${session.id}`, { serviceWorkers: 'block' })
    await said(page, 'Here.').waitFor()
    await composer(page).fill('a draft')
    const go = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
    const title = (name: string) => page.getByRole('heading', { name, level: 1 })
    proxy.mode = 'away'
    await reconnecting(page).waitFor()
    await go(text.shell.pages.costs)
    await page.waitForURL(/\/costs/)
    proxy.mode = 'open'
    await title(text.costs.title).waitFor()
    await page.evaluate(() => Object.assign(window, { first: true }) && undefined)
    let lost = 0
    await page.route(/workspaces-page/, (route) =>
      lost++ === 0 ? route.abort('connectionreset') : route.continue(),
    )
    await go(text.shell.pages.workspaces)
    await title(text.workspaces.title).waitFor()
    // Browsers remember what they could not fetch: it took a new page, from the same address.
    expect(await page.evaluate(() => 'first' in window)).toBe(false)
    await page.goto(`${proxy.origin}/sessions/${session.id}`)
    await said(page, 'Here.').waitFor()
    expect(await composer(page).inputValue()).toBe('a draft')
  })

  it('is tried at once when the network is back, whatever was planned', async () => {
    await session.say(used.prompts.on('and before', 'Before.'))
    const { page, context } = await used.open(`/sessions/${session.id}`, {})
    const timers = await withStoppableTimers(page)
    await said(page, 'Before.').waitFor()
    await context.setOffline(true)
    proxy.mode = 'away'
    await page.getByText(text.shell.offline).last().waitFor()
    await session.say(used.prompts.on('meanwhile', 'What was missed.'))
    await timers.stop()
    proxy.mode = 'open'
    await context.setOffline(false)
    await said(page, 'What was missed.').waitFor()
    await page.getByText(text.shell.offline).waitFor({ state: 'detached' })
  })
})

it('a server that is stopped and started in the middle of a turn: interrupted, and a new message works', async () => {
  const session = await used.start([hang({ blocks: [says('I begin and')], afterDeltas: 3 })])
  const { page } = await used.open(`/sessions/${session.id}`)
  await said(page, /I begin/).waitFor()
  proxy.mode = 'away'
  await used.host.restart()
  await reconnecting(page).waitFor()
  proxy.target = Number(new URL(used.host.server.url).port)
  proxy.mode = 'open'
  await page.getByText(text.conversation.interruptedByRestart).waitFor()
  await conversation(page).getByText(text.conversation.outcomes.interrupted, { exact: true }).waitFor()
  await send(page, used.prompts.on('go on', 'I go on.'))
  await said(page, 'I go on.').waitFor()
  await page.getByText(text.conversation.interruptedByRestart).waitFor({ state: 'detached' })
  expect(asked('go on')).toHaveLength(1)
})

it('messages that a server may not have passed on when it died are sent again or dropped, as a person says', async () => {
  const fragile = await spawnHost(() => says('I heard.'), {
    crashAt: 'send',
    config: { publicOrigins: [proxy.origin] },
  })
  try {
    const { id } = (await fragile.client.createSession({ body: {} })).session
    for (const content of ['the first', 'the second']) {
      await fragile.client.sendMessage({ params: { id }, body: { content } }).catch(() => undefined)
      await fragile.died()
      await fragile.start(content === 'the first' ? { crashAt: 'send' } : {})
    }
    proxy.target = Number(new URL(fragile.url).port)
    const { page } = await used.stranger('/')
    await page.evaluate((token) => localStorage.setItem('dorkos.token', token), fragile.token)
    await page.goto(`${proxy.origin}/sessions/${id}`)
    const again = button(conversation(page), text.conversation.unconfirmedRun)
    await expect.poll(() => again.count(), polling).toBe(2)
    expect(fragile.model.requests.filter(({ kind }) => kind === 'main')).toEqual([])
    await button(conversation(page), text.conversation.unconfirmedDrop).last().click()
    await expect.poll(() => again.count(), polling).toBe(1)
    await again.click()
    await said(page, 'I heard.').waitFor()
    await expect.poll(() => again.count(), polling).toBe(0)
    expect(await said(page, 'the second').count()).toBe(0)
    await page.reload()
    await said(page, 'I heard.').waitFor()
    expect([await said(page, 'the first').count(), await said(page, 'the second').count()]).toEqual([1, 0])
    const { turns } = await fragile.client.listTurns({ params: { id } })
    expect(turns.map(({ outcome }) => outcome).toSorted()).toEqual(['completed', 'withdrawn'])
  } finally {
    await fragile.close()
  }
})

describe('several tabs', () => {
  let session: Conversation
  beforeAll(async () => {
    session = await used.start(['Start.'])
    await session.endOf(1)
  })

  it('one that was hidden for long lets its stream go, and has everything when it is looked at again', async () => {
    const first = await used.open(`/sessions/${session.id}`, {})
    await said(first.page, 'Start.').waitFor()
    const { page } = await used.tab(first, '/new')
    await page.clock.install()
    await page.goto(`${proxy.origin}/sessions/${session.id}`)
    await said(page, 'Start.').waitFor()
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((shown) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => shown })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/events'))
    await page.clock.fastForward(61_000)
    await ended
    await session.say(used.prompts.on('while hidden', counted(1, 50)))
    // The first tab holds the lock for notifications, and is looked at.
    await said(first.page, /word50$/).waitFor()
    expect(await said(page, /word50$/).count()).toBe(0)
    await show('visible')
    await said(page, /word50$/).waitFor()
    expect(await wholeText(page)).toBe(counted(1, 50))
  })

  it('eight of one browser all show the same stream, and each can send', async () => {
    await session.say(used.prompts.on('are you ready', 'Ready.'))
    const first = await used.open(`/sessions/${session.id}`)
    const others = Array.from({ length: 7 }, () => used.tab(first, `/sessions/${session.id}`))
    const tabs = [first, ...(await Promise.all(others))]
    for (const { page } of tabs) await said(page, 'Ready.').waitFor()
    const whole = counted(1, 40)
    const last = tabs.at(-1)?.page ?? first.page
    await send(last, used.prompts.on('to all', slowly(whole)))
    for (const { page } of tabs) {
      await said(page, /word40$/).waitFor()
      expect(await wholeText(page)).toBe(whole)
    }
    expect(asked('to all')).toHaveLength(1)
  })
})
