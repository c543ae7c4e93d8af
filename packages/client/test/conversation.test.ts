/** Talking with an agent: what comes in while it comes in, how it is drawn, and how turns end. */
import { apiError, hang, reply, text as say, thinking, toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { Gate } from '../../server/test/support/gate.ts'
import { text } from '../src/text/page-text.ts'
import { composer, conversation, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const t = text.conversation

/** Every text of the last message that the page showed, one after the other. */
async function watchText(page: Page): Promise<() => Promise<string[]>> {
  await conversation(page).evaluate((region) => {
    const seen: string[] = []
    const check = () => {
      const now = [...region.querySelectorAll('article')].at(-1)?.querySelector('p')?.textContent ?? ''
      if (now !== seen.at(-1)) seen.push(now)
    }
    new MutationObserver(check).observe(region, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { seenTexts: seen })
  })
  return () => page.evaluate(() => Object.getOwnPropertyDescriptor(window, 'seenTexts')?.value)
}

/** Whether a message was ever taken for one that waits, or was in the conversation and then was not. */
async function watchSent(page: Page, message: string): Promise<() => Promise<string[]>> {
  await page.evaluate(
    ([words, name]) => {
      const faults: string[] = []
      let wasThere = false
      const check = () => {
        if (document.querySelector('[id^="queue-"]')) faults.push('waits')
        const region = document.querySelector(`section[aria-label="${name}"]`)
        const isThere = region?.textContent.includes(words) ?? false
        if (wasThere && !isThere) faults.push('vanished')
        wasThere ||= isThere
      }
      new MutationObserver(check).observe(document.body, { subtree: true, childList: true })
      Object.assign(window, { sentFaults: faults })
    },
    [message, t.list] as const,
  )
  return () => page.evaluate(() => Object.getOwnPropertyDescriptor(window, 'sentFaults')?.value)
}

it('a first message stands in the conversation and has its link at once, and its answer streams', async () => {
  const { page } = await used.open('/new')
  const held = new Gate()
  const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')
  used.prompts.on('hello there', () =>
    held.opened.then(() => reply([say(words)], { deltaSize: 8, deltaDelayMs: 50 })),
  )
  const faults = await watchSent(page, 'hello there')
  await composer(page).fill('hello there')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/[0-9a-f-]{36}$/)
  const link = page.url()
  await said(page, 'hello there').waitFor()
  const seen = await watchText(page)
  held.open()
  await said(page, words).waitFor()
  const texts = (await seen()).filter((one) => one !== 'hello there')
  expect(await faults()).toEqual([])
  expect(texts.length).toBeGreaterThan(3)
  for (const one of texts) expect(words.startsWith(one.trimEnd())).toBe(true)
  expect(page.url()).toBe(link)
  const { sessions } = await used.host.client.listSessions()
  expect(sessions.map(({ id }) => `${used.host.server.url}/sessions/${id}`)).toContain(link)
  await page.goto(link)
  await said(page, words).waitFor()
})

const markdown = `# A heading

| Fruit | Count |
| --- | ---: |
| Pear | 12 |

\`\`\`ts
const answer: number = 42
\`\`\`

Inline $a^2 + b^2 = c^2$ here.

\`\`\`mermaid
graph TD
  Begin --> Finish
\`\`\`
`

it('markdown, formulas and diagrams are drawn; thinking is folded; a turn shows what it took', async () => {
  const session = await used.start([reply([thinking('Hm, let me think.'), say(markdown)])])
  const permissions = ['clipboard-read', 'clipboard-write']
  const viewport = { width: 1280, height: 1400 }
  const { page } = await used.open(`/sessions/${session.id}`, { permissions, viewport })
  const shown = conversation(page)
  await shown.getByRole('heading', { name: 'A heading' }).waitFor()
  expect(await shown.getByRole('table').getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Fruit\s+Count$/),
    expect.stringMatching(/^Pear\s+12$/),
  ])
  const code = shown.getByRole('figure').filter({ hasText: 'const answer' })
  await expect
    .poll(
      () =>
        code
          .locator('code span')
          .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size),
      polling,
    )
    .toBeGreaterThan(2)
  await code.getByRole('button', { name: text.ui.copy }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), polling)
    .toBe('const answer: number = 42')
  await shown.getByRole('math').first().waitFor()

  const frame = shown.getByTitle(text.render.diagram)
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  await frame.contentFrame().locator('svg').getByText('Finish').first().waitFor()

  expect(await shown.getByText('Hm, let me think.').count()).toBe(0)
  await shown.getByRole('button', { name: new RegExp(`^${t.thought}`) }).click()
  await shown.getByText('Hm, let me think.').waitFor()

  await session.endOf(1)
  const { turns } = await used.host.client.listTurns({ params: session.params })
  expect(turns[0]?.outcome).toBe('completed')
  const footer = shown.getByText(/ in, .* out$/)
  await footer.waitFor()
  expect(await footer.locator('xpath=../..').innerText()).toMatch(
    /\d:\d\d[\s\S]* s[\s\S]* in, .* out[\s\S]*\$\d/,
  )
})

describe('a turn that did not simply end', () => {
  let session: Conversation
  beforeAll(async () => {
    session = await used.start(['Ready.'])
    await session.endOf(1)
  })

  it('says that it was stopped, also after a reload, and the next one goes on', async () => {
    const talks = hang({ afterDeltas: 3, blocks: [say('I talk and talk and talk and talk')] })
    await session.send(used.prompts.on('talk', talks))
    const { page } = await used.open(`/sessions/${session.id}`)
    await conversation(page)
      .getByText(/^I talk/)
      .waitFor()
    await composer(page).press('Escape')
    await said(page, t.outcomes.interrupted).waitFor()
    const before = await conversation(page).innerText()
    await page.reload()
    await expect.poll(() => conversation(page).innerText(), polling).toBe(before)
    await composer(page).fill(used.prompts.on('go on', 'I go on.'))
    await page.keyboard.press('Enter')
    await said(page, 'I go on.').waitFor()
  })

  it('says that the model was asked again, and that all tries failed', async () => {
    await session.send(used.prompts.on('try', apiError(529), 'The second try worked.'))
    const { page } = await used.open(`/sessions/${session.id}`)
    await said(page, 'The second try worked.').waitFor()
    await conversation(page)
      .getByText(/try 1 of \d+/)
      .waitFor()
    const forbidden = Array.from({ length: 4 }, () => apiError(403, 'You may not.', { sticky: true }))
    await session.send(used.prompts.on('fail', ...forbidden))
    await said(page, t.outcomes.failed).waitFor()
    await conversation(page)
      .getByText(/You may not/)
      .first()
      .waitFor()
    const before = await conversation(page).innerText()
    await page.reload()
    await expect.poll(() => conversation(page).innerText(), polling).toBe(before)
  })

  it('says that the steps are used up, also after a reload', async () => {
    const ping = () => toolUse('mcp__dorkos__ping')
    const steps = await used.start([ping(), ping(), ping(), 'never'], {
      permission_mode: 'bypassPermissions',
      max_turns: 2,
    })
    const { page } = await used.open(`/sessions/${steps.id}`)
    await said(page, t.outcomes.max_turns).waitFor()
    await page.reload()
    await said(page, t.outcomes.max_turns).waitFor()
  })
})
