/** What models, tools and servers say is hostile: it is shown, it runs nothing, asks nothing of the network, and does not stop the page. */
import { join } from 'node:path'
import { reply, text as say, toolUse } from '@dorkos/testkit'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { put, server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { conversation, goTo, polling, said } from './support/on-page.ts'
import { type TestPage, usePage } from './support/open-page.ts'

const used = usePage()

/** For what a model says: each test has turns of its own in it. Without a budget, which a megabyte would use up. */
let session: Conversation
beforeAll(async () => {
  session = await used.start(['Here they come.'], { budget_usd: 0 })
  await session.endOf(1)
})

/** Would be seen in whichever window it ran. */
const attack = 'window.hacked = 1; alert(1)'
const away = 'https://attacker.invalid'

/** All that left the page, or came up in it, and was not its own. */
function watch({ page, context }: TestPage): string[] {
  const strange: string[] = []
  const isOwn = (url: string) => /^(data|blob):/.test(url) || url.startsWith(`${used.host.server.url}/`)
  const isFrame = (url: string) => url === 'about:blank' || url.startsWith(`${used.host.server.url}/diagram/`)
  context.on('request', (request) => isOwn(request.url()) || strange.push(`request ${request.url()}`))
  context.on('page', (other) => strange.push(`window ${other.url()}`))
  page.on('dialog', (dialog) => {
    strange.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('framenavigated', (frame) => {
    if (frame.parentFrame() && !isFrame(frame.url())) strange.push(`frame ${frame.url()}`)
  })
  return strange
}

/** Nothing ran, in whichever frame, and the page still obeys. */
async function isUnharmed(page: Page, strange: string[]): Promise<void> {
  const menu = page.getByRole('button', { name: text.conversation.actions, exact: true })
  await menu.click()
  await page.getByRole('menuitem', { name: text.sessions.copyLink }).waitFor()
  await page.keyboard.press('Escape')
  for (const frame of page.frames()) expect(await isHacked(frame)).toBe(false)
  expect(strange).toEqual([])
}

async function isHacked(frame: Frame): Promise<boolean> {
  try {
    return await frame.evaluate(() => 'hacked' in window)
  } catch (error) {
    // A diagram's frame goes with its row when that leaves the view, also while it is being asked.
    if (frame.isDetached()) return false
    throw error
  }
}

const markup = `Before <script>${attack}</script> and <img src=x onerror="${attack}"> within.

<iframe srcdoc="<script>parent.${attack}</script>"></iframe>

<svg onload="${attack}"><script>${attack}</script><use href="${away}/x.svg#a"/></svg>

<style>@import url(${away}/style.css); body { display: none }</style><link rel=stylesheet href=${away}/a.css>

<base href="${away}/"><meta http-equiv=refresh content="0;url=${away}/"><form action="${away}/"><button>Send me</button></form>

[click me](javascript:${encodeURIComponent(attack)}) [or me](data:text/html,<script>${attack}</script>) [or](<java\tscript:alert(1)>) [ref]

[ref]: vbscript:msgbox(1)

[an honest link](${away}/page "and its title")

![tracker](${away}/pixel.png) ![svg](data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"/>`)})

$\\href{javascript:${attack}}{x}$ and $\\includegraphics{${away}/m.png}$ and $\\htmlStyle{position:fixed}{y}$

| <img src=x onerror=alert(1)> | b |
| --- | --- |
| <b onmouseover=alert(1)>c</b> | \`<script>${attack}</script>\` |

The last words.`

it('markup in a reply is text: no element, no link and no request comes of it', async () => {
  await session.send(used.prompts.on('mark up', reply([say(markup)], { deltaSize: 50 })))
  const opened = await used.open(`/sessions/${session.id}`, {})
  const { page } = opened
  const strange = watch(opened)
  await said(page, 'The last words.').waitFor()
  const shown = conversation(page).getByRole('article').filter({ hasText: 'The last words.' })
  await shown.getByText(`<script>${attack}</script>`).first().waitFor()
  expect(await shown.locator('script, iframe, style, link, base, meta, form, object, embed').count()).toBe(0)
  const addresses = await shown
    .locator('a')
    .evaluateAll((all) =>
      all.map((a) => [a.getAttribute('href'), a.getAttribute('rel'), a.getAttribute('target')]),
    )
  expect(addresses).toEqual(
    // The picture that would have to be fetched is a link to it.
    [`${away}/page`, `${away}/pixel.png`].map((href) => [href, expect.stringMatching(/noopener/), '_blank']),
  )
  expect(await shown.locator('img[src^="http"], img[src*="svg"]').count()).toBe(0)
  expect(
    await shown
      .locator('*')
      .evaluateAll((all) =>
        all.flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')),
      ),
  ).toEqual([])
  await isUnharmed(page, strange)
})

const diagrams = `\`\`\`mermaid
%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "@import url(${away}/d.css); * { background: url(${away}/d.png) }"}}%%
graph TD
  Bait["<img src=x onerror='${attack}'>"] --> Second["<a href='javascript:alert(1)'>b</a>"]
  click Bait "javascript:alert(1)"
  click Second call alert()
\`\`\`

\`\`\`mermaid
graph TD
  ${'A-->B;'.repeat(8_000)}
\`\`\`

The diagrams are over.`

it('a diagram cannot leave its frame, nor load anything into it', async () => {
  await session.send(used.prompts.on('draw', reply([say(diagrams)], { deltaSize: 20_000 })))
  const opened = await used.open(`/sessions/${session.id}`, { viewport: { width: 1280, height: 2000 } })
  const { page } = opened
  const strange = watch(opened)
  await said(page, 'The diagrams are over.').waitFor()
  await conversation(page).getByText(text.render.diagramFailed).waitFor()
  const frame = conversation(page).getByTitle(text.render.diagram)
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  const drawn = frame.contentFrame().locator('svg')
  await drawn.waitFor()
  expect(await drawn.locator('script, foreignObject, image, a[*|href^="javascript"]').count()).toBe(0)
  await drawn.locator('.node').first().click({ force: true })
  await isUnharmed(page, strange)
})

const huge = {
  code: `\`\`\`ts\n${'const a = "<script>alert(1)</script>"\n'.repeat(27_000)}\`\`\``,
  line: 'word<b> '.repeat(25_000),
  depth: `${'>'.repeat(10_000)} quotes\n\n${'- '.repeat(10_000)}lists\n\n${'['.repeat(10_000)}\n\n${'*a _b '.repeat(5_000)}`,
  formulas: `$$\\def\\a{\\a\\a}\\a$$\n\n$$${'\\frac{1}{'.repeat(2_000)}1${'}'.repeat(2_000)}$$\n\n$$${'{'.repeat(20_000)}$$\n\n${'$x$ '.repeat(3_000)}`,
}

/** Long texts are cut at first. */
async function showsAll(page: Page, name: string): Promise<void> {
  const message = conversation(page)
    .getByRole('article')
    .filter({ hasText: `Begin of ${name}.` })
  const end = message.getByText(`End of ${name}.`, { exact: true })
  const more = message.getByRole('button', { name: text.render.showAll })
  await end.or(more.last()).first().waitFor({ timeout: 60_000 })
  if (!(await end.isVisible())) await more.last().click()
  await end.waitFor({ timeout: 60_000 })
}

/** Of the document: neither grows with what a model says. */
const sizeOf = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('*')]
    const depthOf = (element: Element | null): number => {
      let depth = 0
      for (let at = element; at; at = at.parentElement) depth++
      return depth
    }
    return { nodes: all.length, depth: Math.max(...all.map(depthOf)) }
  })

it('a megabyte of code, a line without end, deep nesting and formulas without end do not hold up the page', async () => {
  const opened = await used.open(`/sessions/${session.id}`, {})
  const { page } = opened
  const strange = watch(opened)
  for (const [name, words] of Object.entries(huge)) {
    const whole = `Begin of ${name}.\n\n${words}\n\nEnd of ${name}.`
    await session.say(used.prompts.on(name, reply([say(whole)], { deltaSize: 10_000 })))
    await showsAll(page, name)
    const { nodes, depth } = await sizeOf(page)
    expect([name, nodes < 3000, depth < 60]).toEqual([name, true, true])
    await isUnharmed(page, strange)
  }
  await page.reload()
  await showsAll(page, 'formulas')
  await isUnharmed(page, strange)
})

const hidden = 'echo safe > safe \u202e\u2066 # mr -rf /\u2069 \u200b\u2060\u00ad; true'
const escapes = `printf '\\033[31mred words\\033[0m \\033]0;stolen title\\007 \\033]8;;javascript:alert(1)\\007a link\\033]8;;\\007 \\033[2J\\033[1A<img src=x onerror=alert(1)>'`

it('hidden marks are seen in a command before it is allowed; escapes in output do nothing', async () => {
  const asking = await used.start([
    toolUse('Bash', { command: hidden, description: '<img src=x onerror=alert(1)>\u202egnp.exe' }),
    toolUse('Bash', { command: escapes, description: 'escapes' }),
    'It ran.',
  ])
  const opened = await used.open(`/sessions/${asking.id}`, {})
  const { page } = opened
  const strange = watch(opened)
  const card = page.getByRole('article', { name: text.approvals.card.asks })
  await expect
    .poll(async () => (await card.innerText()).replaceAll(/\s/g, ''), polling)
    .toContain('echosafe>safe[U+202E][U+2066]#mr-rf/[U+2069][U+200B][U+2060][U+00AD];true')
  expect(await card.innerText()).toContain('<img src=x onerror=alert(1)>[U+202E]gnp.exe')
  await card.getByRole('button', { name: text.approvals.actions.deny, exact: true }).click()
  await said(page, 'It ran.').waitFor()
  await conversation(page)
    .getByRole('button', { name: /red words/ })
    .last()
    .click()
  const output = conversation(page).getByText('red words', { exact: true })
  await output.waitFor()
  expect(
    await output.evaluate((one) => getComputedStyle(one).color !== getComputedStyle(document.body).color),
  ).toBe(true)
  // What talks to a terminal is not printed either.
  expect(await output.locator('xpath=..').innerText()).toMatch(/^red words +a link +<img/)
  const shown = await conversation(page).innerText()
  expect(shown).not.toContain('\u001b')
  expect(await conversation(page).getByRole('link').count()).toBe(0)
  expect(await page.title()).not.toContain('stolen title')
  await isUnharmed(page, strange)
})

const trap = `<img src=x onerror="${attack}">\u202egpj`

it('names and titles of sessions, tools, files and servers are text', async () => {
  const tools = {
    [trap]: 'A tool of such a name may not be offered at all.',
    bait: `${trap} <script>${attack}</script> [x](javascript:alert(1))`,
    fine: `${'x'.repeat(20_000)}`,
  }
  const file = put(join(used.host.root, 'tools.json'), { ...tools, '#instructions': trap })
  await used.host.client.addMcpServers({
    body: { name: 'files', entry: server({ toolsFile: file, stderr: [trap] }) },
  })
  await used.host.client.testMcpServer({ params: { name: 'files' }, body: {} })
  const named = await used.start(
    [
      toolUse(trap, { [trap]: trap, ['__proto__']: { x: trap } }),
      toolUse('Write', { file_path: join(used.host.cwd, `${trap.replaceAll('/', '')}.html`), content: trap }),
      'All were used.',
    ],
    { permission_mode: 'acceptEdits' },
  )
  await named.endOf(1)
  await used.host.client.changeSession({
    params: named.params,
    body: { title: `${trap}${'y'.repeat(100)}` },
  })
  const opened = await used.open(`/sessions/${named.id}`, {})
  const { page } = opened
  const strange = watch(opened)
  await said(page, 'All were used.').waitFor()
  const closed = conversation(page).locator('button[aria-expanded=false]:not([aria-haspopup])')
  while ((await closed.count()) > 0) await closed.first().click()
  await expect.poll(() => page.title(), polling).toContain('<img src=x')
  await isUnharmed(page, strange)
  expect(await page.locator('img[onerror], img[src=x]').count()).toBe(0)
  await goTo(page, '/mcp/files')
  const tool = page.getByRole('main').getByRole('button', { name: /^bait/ }).first()
  await tool.click()
  await page
    .getByText(/<script>window/)
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: 'x', exact: true }).count()).toBe(0)
  expect(await page.locator('img[onerror], img[src=x]').count()).toBe(0)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(strange).toEqual([])
})
