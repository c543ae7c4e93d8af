/** Every screen by the rules of axe, in both themes, with what opens over them; and what keys and screen readers get. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { toolUse } from '@dorkos/testkit'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { composer, conversation, polling, said, screens } from './support/on-page.ts'
import { type TestPage, usePage } from './support/open-page.ts'

const used = usePage()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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

/** What a scan finds, in a few words. Run by the debugger, the scanner needs nothing of the page's policy. */
async function violations(page: Page, isCovered = false): Promise<string[]> {
  // What lies over the page is in no landmark, and need not be.
  const options = { resultTypes: ['violations'], rules: { region: { enabled: !isCovered } } }
  await page.evaluate(`${axe}; undefined`)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      (node) =>
        `${id} (${impact}): ${node.target.join(' ')} | ${node.html.slice(0, 160)} | ${node.failureSummary}`,
    ),
  )
}

/** A page that has come to rest: nothing of it is still loading. */
async function rested(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await expect.poll(() => page.getByText(text.ui.loading).count(), polling).toBe(0)
}

const everyScreen = [...screens, '/mcp/files', '/not/there']

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  beforeAll(async () => {
    const { servers } = await used.host.client.listMcpServers()
    if (servers.some(({ name }) => name === 'files')) return
    await used.host.client.addMcpServers({
      body: { name: 'files', entry: server({ tools: ['read', 'write'] }) },
    })
    await used.host.client.testMcpServer({ params: { name: 'files' }, body: {} })
  })

  it('every screen has nothing to complain of', async () => {
    const stranger = await used.stranger('/', { colorScheme })
    await stranger.page.getByRole('heading').first().waitFor()
    expect(await violations(stranger.page)).toEqual([])
    const { page } = await used.open('/', { colorScheme })
    const { workspaces } = await used.host.client.listWorkspaces()
    const found: string[] = []
    for (const path of [...everyScreen, `/workspaces/${workspaces[0]?.id}`]) {
      await page.goto(used.host.server.url + path)
      await rested(page)
      found.push(...(await violations(page)).map((one) => `${path}: ${one}`))
    }
    expect(found).toEqual([])
  })

  it('a session, its approval, menus and dialogs have neither', async () => {
    const command = 'echo a > a'
    const session = await used.start([rich, 'never'], {})
    await session.endOf(1)
    await session.send(used.prompts.on('ask', toolUse('Bash', { command, description: 'a test' }), 'Asked.'))
    const opened = await used.open(`/sessions/${session.id}`, { colorScheme })
    const { page } = opened
    await page.getByRole('article', { name: text.approvals.card.asks }).waitFor()
    const found: string[] = []
    const scan = async (name: string, isCovered = false) =>
      found.push(...(await violations(page, isCovered)).map((one) => `${name}: ${one}`))
    await scan('approval')
    for (const { name, open } of overlays(opened)) {
      await open()
      await scan(name, true)
      await page.keyboard.press('Escape')
    }
    await session.answer({ decision: 'deny' })
    await said(page, 'Asked.').waitFor()
    await scan('conversation')
    expect(found).toEqual([])
  })
})

function overlays({ page }: TestPage): { name: string; open: () => Promise<void> }[] {
  const press = async (name: string, role: 'menu' | 'dialog') => {
    await page.getByRole('button', { name, exact: true }).first().click()
    await page.getByRole(role).first().waitFor()
  }
  return [
    { name: 'session menu', open: () => press(text.conversation.actions, 'menu') },
    { name: 'device menu', open: () => page.getByRole('button', { name: text.shell.userMenu }).click() },
    { name: 'palette', open: () => press(text.shell.openPalette, 'dialog') },
    {
      name: 'shortcuts',
      async open() {
        await page
          .getByRole('banner')
          .first()
          .click()
          .catch(() => undefined)
        await conversation(page).focus()
        await page.keyboard.press('?')
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'details', open: () => page.getByTitle(text.conversation.details).click() },
  ]
}

describe('without eyes or without a mouse', () => {
  it('the first key leads past the sidebar; focus is always to be seen', async () => {
    const { page } = await used.open('/costs')
    await rested(page)
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: text.shell.skip })
    await expect.poll(() => skip.evaluate((link) => link === document.activeElement), polling).toBe(true)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    for (let n = 0; n < 15; n++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return true
        const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element)
        return (
          (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || borderColor !== ''
        )
      })
      expect(seen).toBe(true)
    }
  })

  it('what the agent says, needs and ends is told; focus returns to what opened a dialog', async () => {
    const session = await used.start(['Ready.'])
    await session.endOf(1)
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
