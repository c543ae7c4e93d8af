/** What reaches a person who looks elsewhere, and what reaches the agent in other ways than by typing. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hang, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { button, composer, conversation, polling, said } from './support/on-page.ts'
import { phone, usePage } from './support/open-page.ts'

const used = usePage()
const t = text.approvals
const icon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href')

/** As if another tab were in front. Headless browsers show every page. */
async function lookAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.hasFocus = () => false
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('blur'))
  })
}

/** A conversation for tests that need one, whichever. */
let session: Conversation
beforeAll(async () => {
  session = await used.start(['Short.'], { title: 'Errand' })
  await session.endOf(1)
})

it('an agent that needs somebody shows in the title, on the icon and as a notification, until it is answered', async () => {
  const { page, context } = await used.open('/', {})
  // Headless browsers show none: whether the page or its worker would, both are noted here.
  await context.addInitScript(() => {
    const shown: string[] = []
    const note = (title: string) => void shown.push(title)
    class NotedNotification {
      static permission = 'default'
      static requestPermission = async () => {
        NotedNotification.permission = 'granted'
        return 'granted'
      }
      constructor(title: string) {
        note(title)
      }
      close() {}
    }
    Object.assign(globalThis, { shown, Notification: NotedNotification })
    ServiceWorkerRegistration.prototype.showNotification = async (title) => note(title)
  })
  await page.goto(`${used.host.server.url}/settings`)
  await button(page, t.alerts.enable).click()
  await button(page, t.alerts.test).waitFor()
  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
  const plain = await icon(page)
  await lookAway(page)
  await session.send(used.prompts.on('do it', toolUse('Bash', { command: 'touch asked' }), 'Well.'))
  await expect.poll(() => page.title(), polling).toMatch(/^\(1\) /)
  await expect.poll(() => icon(page), polling).toMatch(/^data:image\/png/)
  await expect.poll(shown, polling).toEqual([t.alerts.needsYou('Errand')])

  const { approvals } = await used.host.client.listApprovals({ query: { session_id: session.id } })
  const answer = { params: { id: approvals[0]?.id ?? '' }, body: { decision: 'deny' } as const }
  await used.host.client.answerApproval(answer)
  await expect.poll(() => page.title(), polling).not.toMatch(/^\(/)
  await expect.poll(shown, polling).toEqual([t.alerts.needsYou('Errand'), t.alerts.finished('Errand')])
  // The dot stays for what has finished, and goes when somebody has looked.
  expect(await icon(page)).toMatch(/^data:image\/png/)
  await page.goto(`${used.host.server.url}/sessions/${session.id}`)
  await said(page, 'Well.').waitFor()
  await expect.poll(() => icon(page), polling).toBe(plain)
})

it('the composer stays above a keyboard that lies over the page', async () => {
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  await said(page, 'Short.').waitFor()
  const bottom = async () => {
    const box = await composer(page).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  expect(await bottom()).toBeGreaterThan(500)
  const keyboard = (height: number) =>
    page.evaluate((seen) => {
      Object.defineProperty(window.visualViewport, 'height', { configurable: true, get: () => seen })
      window.visualViewport?.dispatchEvent(new Event('resize'))
    }, height)
  await keyboard(420)
  await expect.poll(bottom, polling).toBeLessThan(420)
  await keyboard(844)
  await expect.poll(bottom, polling).toBeGreaterThan(500)
})

it('nothing that can be pressed lies under a notch or over the bar at the lower edge', async () => {
  const [notch, bar, height] = [47, 34, 844]
  const { page, context } = await used.open(`/sessions/${session.id}`, { ...phone })
  await said(page, 'Short.').waitFor()
  const covered = () =>
    page.evaluate(
      ([top, bottom]) =>
        [...document.querySelectorAll('button, a[href], input, textarea, [role="switch"]')].flatMap(
          (element) => {
            const { y, height, width } = element.getBoundingClientRect()
            // What lies behind an open menu is as large as the page.
            const isSeen = element.checkVisibility() && width > 1 && height > 1 && height < 400
            const isCovered = y < top || (y + height > bottom && y < bottom + 34)
            return isSeen && isCovered ? [element.getAttribute('aria-label') ?? element.textContent] : []
          },
        ),
      [notch, height - bar] as const,
    )
  expect(await covered()).not.toEqual([])
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: notch, bottom: bar } })
  await expect.poll(covered, polling).toEqual([])
  await button(page, text.shell.openMenu).click()
  await page.getByRole('navigation').first().waitFor()
  await expect.poll(covered, polling).toEqual([])
})

it('can be installed where the browser offers it, and asks once', async () => {
  const { page } = await used.open('/')
  const menu = page.getByRole('button', { name: text.shell.userMenu }).first()
  await menu.click()
  const entry = page.getByRole('menuitem', { name: text.shell.install })
  await page.getByRole('menu').waitFor()
  expect(await entry.count()).toBe(0)
  await page.keyboard.press('Escape')
  // No headless browser offers it: the event is the browser's part.
  const kept = await page.evaluate(() => {
    const asked: string[] = []
    const event = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(window, { asked })
    window.dispatchEvent(Object.assign(event, { prompt: async () => asked.push('asked') }))
    return event.defaultPrevented
  })
  expect(kept).toBe(true)
  await menu.click()
  await entry.click()
  expect(await page.evaluate(() => Reflect.get(window, 'asked'))).toEqual(['asked'])
  await menu.click()
  await page.getByRole('menu').waitFor()
  expect(await entry.count()).toBe(0)
})

it('a file that is dropped anywhere is attached, and sent', async () => {
  const { page } = await used.open(`/sessions/${session.id}`)
  await said(page, 'Short.').waitFor()
  const drag = (kind: 'dragover' | 'drop') =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['the dropped words'], 'dropped.txt', { type: 'text/plain' }))
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, kind)
  await drag('dragover')
  await page.getByText(text.composer.dropHere).waitFor()
  await drag('drop')
  await page.getByText('dropped.txt').waitFor()
  await composer(page).fill(used.prompts.on('read it', 'Read.'))
  await composer(page).press('Enter')
  await said(page, 'Read.').waitFor()
  const asked = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
  expect(JSON.stringify(asked?.messages)).toContain('the dropped words')
})

it('files go back to before a message, after a look at what would change', async () => {
  const file = join(used.host.cwd, 'rewound.txt')
  writeFileSync(file, 'as it was\n')
  const session = await used.start(
    [
      toolUse('Read', { file_path: file }),
      toolUse('Edit', { file_path: file, old_string: 'as it was', new_string: 'changed' }),
      'Changed.',
    ],
    { permission_mode: 'acceptEdits' },
  )
  const { page } = await used.open(`/sessions/${session.id}`)
  await said(page, 'Changed.').waitFor()
  expect(readFileSync(file, 'utf8')).toBe('changed\n')
  await button(conversation(page), text.conversation.messageMenu).first().click()
  await page.getByRole('menuitem', { name: text.conversation.rewind }).click()
  const dialog = page.getByRole('dialog', { name: text.conversation.rewindTitle })
  await dialog.getByText('rewound.txt').waitFor()
  await button(dialog, text.conversation.rewindAction).click()
  await page.getByText(text.conversation.rewindDone).waitFor()
  expect(readFileSync(file, 'utf8')).toBe('as it was\n')
})

it('a message that the model never answered can be stopped from the phone as well', async () => {
  const turn = await session.send(used.prompts.on('say nothing', hang({ afterDeltas: 1 })))
  const { page } = await used.open(`/sessions/${session.id}`, phone)
  // Before that, a stop holds the message: there is no turn that could be interrupted.
  await session.watch.next('turn_start', ({ turn_id }) => turn_id === turn.id)
  await button(page, text.composer.stop).tap()
  await said(page, text.conversation.outcomes.interrupted).waitFor()
})

it('a stop that is tapped while the first turn of a session starts is not lost', async () => {
  const begun = used.follow((await used.host.client.createSession({ body: {} })).session.id)
  const { page } = await used.open(`/sessions/${begun.id}`, phone)
  await composer(page).fill(used.prompts.on('begin at once', hang({ afterDeltas: 1 })))
  await button(page, text.composer.send).tap()
  await button(page, text.composer.stop).tap()
  const interrupted = said(page, text.conversation.outcomes.interrupted)
  const held = page.getByRole('heading', { name: text.queue.held(1), exact: true })
  await interrupted.or(held).first().waitFor()
  const { turns } = await used.host.client.listTurns({ params: begun.params })
  expect(turns.filter(({ state, outcome }) => state === 'queued' || outcome === 'interrupted')).toHaveLength(
    1,
  )
})

it('a paused session holds what is said to it; a call is denied and its turn stopped in one go', async () => {
  await session.say(used.prompts.on('are you there', 'Here.'))
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await used.open(`/sessions/${session.id}`, { permissions })
  await said(page, 'Here.').waitFor()
  const stops = said(page, text.conversation.outcomes.interrupted)
  const before = await stops.count()
  const choose = async (name: string | RegExp) => {
    await button(page, text.conversation.actions).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose(new RegExp(`^${text.conversation.copyResume}`))
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), polling)
    .toMatch(/^cd '.*' && claude --resume [\w-]+$/)
  await choose(new RegExp(`^${text.conversation.pause}`))
  await page.getByText(text.conversation.paused).waitFor()
  await composer(page).fill(
    used.prompts.on('after the pause', toolUse('Bash', { command: 'touch never' }), 'Never said.'),
  )
  await composer(page).press('Enter')
  await page.getByRole('heading', { name: text.queue.title(1) }).waitFor()
  await button(page, text.conversation.resume).first().click()
  await button(page, t.actions.denyMore).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${t.actions.denyAndStop}`) }).click()
  await expect.poll(() => stops.count(), polling).toBe(before + 1)
  expect(existsSync(join(used.host.cwd, 'never'))).toBe(false)
  expect(await said(page, 'Never said.').count()).toBe(0)
})
