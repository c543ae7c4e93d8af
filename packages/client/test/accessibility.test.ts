/** Every screen by the rules of axe, in both themes, with what opens over them; and what keys and screen readers get. */
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { unseenFocus } from './support/look-of-focus.ts'
import { button, composer, conversation, goTo, polling, said, screens } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'
import { reflowOf } from './support/reflow.ts'

const used = usePage()

const rich = `# A heading

| a | b |
| - | - |
| 1 | 2 |

- [x] done
- [ ] open

\`\`\`ts
const answer = 42 // a comment
\`\`\`

A [link](https://example.com) and $x^2$.`

/** A conversation in which much is drawn. */
let session: Conversation
beforeAll(async () => {
  session = await used.start([rich])
  await session.endOf(1)
})

/** A page that has come to rest: nothing of it is still loading. */
async function rested(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
}

const everyScreen = [...screens, '/mcp/files', '/not/there']

describe('in both themes', () => {
  it('no screen has anything to complain of, and focus is always to be seen', async () => {
    await used.host.client.addMcpServers({
      body: { name: 'files', entry: server({ tools: ['read', 'write'] }) },
    })
    await used.host.client.testMcpServer({ params: { name: 'files' }, body: {} })
    const stranger = await used.stranger('/')
    await stranger.page.getByRole('heading').first().waitFor()
    expect(await axeFaults(stranger.page, 'sign-in')).toEqual([])
    expect((await unseenFocus(stranger.page, 'body')).unseen).toEqual([])
    const { page } = await used.open('/')
    const { workspaces } = await used.host.client.listWorkspaces()
    const found: string[] = []
    let reach = 0
    for (const path of [...everyScreen, `/workspaces/${workspaces[0]?.id}`]) {
      await goTo(page, path)
      await rested(page)
      found.push(...(await axeFaults(page, path)))
      // What stands around a screen is the same on each.
      const { reached, unseen } = await unseenFocus(page, path === '/' ? 'body' : 'main')
      reach += reached
      found.push(...unseen.map((one) => `${path}: focus is not to be seen on ${one}`))
    }
    expect(found).toEqual([])
    expect(reach).toBeGreaterThan(100)
  })

  it('a session, its approval, menus and dialogs have neither', async () => {
    const command = 'echo a > a'
    await session.send(used.prompts.on('ask', toolUse('Bash', { command, description: 'a test' }), 'Asked.'))
    const { page } = await used.open(`/sessions/${session.id}`)
    await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
    const found = await axeFaults(page, 'approval')
    found.push(...(await unseenFocus(page, 'main')).unseen)
    for (const { name, role, open } of overlays(page)) {
      await open()
      const opened = page.getByRole(role)
      await opened.waitFor()
      found.push(...(await axeFaults(page, name, true)))
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'detached' })
    }
    await session.answer({ decision: 'deny' })
    await said(page, 'Asked.').waitFor()
    found.push(...(await axeFaults(page, 'conversation')))
    found.push(...(await unseenFocus(page, 'main')).unseen)
    expect(found).toEqual([])
  })
})

interface Overlay {
  name: string
  role: 'menu' | 'dialog'
  open(): Promise<void>
}

function overlays(page: Page): Overlay[] {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  return [
    { name: 'session menu', role: 'menu', open: () => press(text.conversation.actions) },
    {
      name: 'device menu',
      role: 'menu',
      open: () => page.getByRole('button', { name: text.shell.userMenu }).click(),
    },
    { name: 'palette', role: 'dialog', open: () => press(text.shell.openPalette) },
    {
      name: 'shortcuts',
      role: 'dialog',
      async open() {
        await conversation(page).focus()
        await page.keyboard.press('?')
      },
    },
    {
      name: 'details',
      role: 'dialog',
      open: () => page.getByTitle(text.conversation.details).click(),
    },
  ]
}

describe('without eyes or without a mouse', () => {
  it('the first key leads past the sidebar', async () => {
    const { page } = await used.open('/costs')
    await rested(page)
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: text.shell.skip })
    await expect.poll(() => skip.evaluate((link) => link === document.activeElement), polling).toBe(true)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null), polling)
      .toBe(true)
  })

  it('what the agent says, needs and ends is announced; focus returns to what opened a dialog', async () => {
    await session.say(used.prompts.on('are you ready', 'Ready.'))
    const { page } = await used.open(`/sessions/${session.id}`)
    await said(page, 'Ready.').waitFor()
    const live = page.locator('[aria-live=polite]').filter({ hasText: /\S/ })
    await composer(page).fill(
      used.prompts.on('speak', toolUse('Bash', { command: 'echo b > b', description: 'x' }), 'Spoken words.'),
    )
    await page.keyboard.press('Enter')
    await live.getByText(/^The agent needs you/).waitFor({ state: 'attached' })
    await session.answer({ decision: 'deny' })
    await live.getByText(text.conversation.saysAgent('Spoken words.')).waitFor({ state: 'attached' })
    const opener = page.getByRole('button', { name: text.shell.openPalette })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement), polling)
      .toBe(true)
  })
})

/** What slides or grows to another size is where it goes. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await Promise.allSettled(document.getAnimations().map((one) => one.finished))
  })

/** 1280 × 820 at 200 %, and the width of 1280 at 400 %. */
const narrow = [
  { width: 640, height: 410 },
  { width: 320, height: 640 },
]

describe('at 200 % and on 320 px', () => {
  it('no screen, panel or window grows sideways, cuts words off or covers a control', async () => {
    const { page } = await used.open('/')
    const lost: string[] = []
    let looked = 0
    const look = async (name: string) => {
      for (const size of narrow) {
        await page.setViewportSize(size)
        await rested(page)
        await settled(page)
        const found = await reflowOf(page)
        looked += found.controls
        lost.push(...found.lost.map((one) => `${name}, ${size.width} px: ${one}`))
      }
    }
    const { workspaces } = await used.host.client.listWorkspaces()
    const here = `/sessions/${session.id}`
    const panels = ['changes', 'files', 'commands'].map((tab) => `${here}?panel=${tab}`)
    for (const path of [
      ...everyScreen,
      `/workspaces/${workspaces[0]?.id}`,
      here,
      ...panels,
      '/devices#add',
    ]) {
      await goTo(page, path)
      await look(path)
    }
    await page.keyboard.press('Escape')
    await goTo(page, '/mcp')
    await button(page, text.mcp.add.open).click()
    await page.getByRole('dialog').waitFor()
    await look('add a server')
    await page.keyboard.press('Escape')
    await button(page, text.shell.openMenu).click()
    await page.getByRole('complementary').getByRole('link', { name: text.shell.pages.newSession }).waitFor()
    await look('the menu')
    const stranger = await used.stranger('/')
    await stranger.page.setViewportSize({ width: 320, height: 640 })
    await stranger.page.getByRole('heading').first().waitFor()
    lost.push(...(await reflowOf(stranger.page)).lost)
    expect(lost).toEqual([])
    expect(looked).toBeGreaterThan(300)
  })
})
