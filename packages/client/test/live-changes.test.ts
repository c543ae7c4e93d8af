/** Tools that come and go while sessions run, and the pages that show them. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { lastOffer, offering, put, server } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { button, conversation, goTo, polling, said, send } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const words = text.mcp

const moduleText = `
import { tool } from 'claude-code-agent'
import { z } from 'zod'
export const greet = tool('greet', 'Greets somebody', { who: z.string() }, async ({ who }) => ({
  content: [{ type: 'text', text: 'Good day, ' + who }],
}))
`
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const state = (page: Page, name: string, is: keyof typeof words.states) =>
  card(page, name).getByText(words.states[is], { exact: true })

describe('a session that runs', () => {
  let session: Conversation
  let earlier = 0
  /** Of the test that runs. */
  const results = () => session.watch.of('tool_result').slice(earlier)
  beforeAll(async () => {
    session = await used.start(['Nothing yet.'], { permission_mode: 'bypassPermissions' })
    await session.endOf(1)
  })
  // Whatever servers come later, nobody uses them.
  afterAll(() => session.close())
  beforeEach(() => {
    earlier = session.watch.of('tool_result').length
  })

  it('has a tool that its owner saves; a module that does not load is shown with file and line', async () => {
    const folder = join(used.host.home, 'tools')
    const first = await used.open(`/sessions/${session.id}`)
    await said(first.page, 'Nothing yet.').waitFor()
    expect(lastOffer(used.host, session)).toEqual([])
    const { page: tools } = await used.tab(first, '/tools')
    await tools.getByRole('heading', { name: text.tools.own }).waitFor()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'greet.mjs'), moduleText)
    await button(tools, /^greet/).waitFor()
    const call = toolUse('mcp__tools__greet', { who: 'Ada' })
    await send(first.page, used.prompts.on('use it', call, 'It greeted.'))
    await said(first.page, 'It greeted.').waitFor()
    expect(results().map(({ content }) => content[0]?.text)).toEqual(['Good day, Ada'])
    await button(conversation(first.page), /greet/).first().waitFor()

    writeFileSync(join(folder, 'broken.mjs'), 'export const fine = 1\n\nexport const broken = ;;(\n')
    await tools.getByText(text.tools.faults(1)).waitFor()
    await tools.getByText(new RegExp(`${join(folder, 'broken.mjs')}:3`)).waitFor()
    await button(tools, /^greet/).waitFor()
    rmSync(folder, { recursive: true })
    await tools.getByText(text.tools.faults(1)).waitFor({ state: 'detached' })
    await button(tools, /^greet/).waitFor({ state: 'detached' })
  })

  it('has the tools of a server that is pasted on the MCP page, and loses them when it is switched off', async () => {
    const first = await used.open(`/sessions/${session.id}`)
    const { page } = await used.tab(first, '/mcp')
    await button(page, words.add.open).click()
    await page.getByRole('tab', { name: words.add.tabs.paste }).click()
    const snippet = page.getByRole('textbox', { name: words.add.snippet })
    await snippet.fill('{ "mcpServers": { "pasted": ')
    await button(page.getByRole('dialog'), words.add.submit).click()
    await page.getByRole('dialog').getByText(/JSON/).first().waitFor()
    await snippet.fill(JSON.stringify({ mcpServers: { pasted: offering('hello') } }))
    await button(page.getByRole('dialog'), words.add.submit).click()
    await page.getByText(words.add.added('pasted')).waitFor()
    await button(page, words.add.done).click()
    expect(readFileSync(join(used.host.home, 'config.jsonc'), 'utf8')).toContain('"pasted"')
    await state(page, 'pasted', 'connected').waitFor()
    await send(first.page, used.prompts.on('say hello', toolUse('mcp__pasted__hello'), 'It was used.'))
    await said(first.page, 'It was used.').waitFor()
    expect(results()).toMatchObject([{ is_error: false }])

    const toggle = page.getByRole('switch', { name: words.switches.server('pasted') })
    await toggle.click()
    await state(page, 'pasted', 'disabled').waitFor()
    await expect.poll(() => toggle.isChecked(), polling).toBe(false)
    await send(first.page, used.prompts.on('and now', 'It is gone.'))
    await said(first.page, 'It is gone.').waitFor()
    expect(lastOffer(used.host, session)).toEqual([])
    await toggle.click()
    await state(page, 'pasted', 'connected').waitFor()
    await send(first.page, used.prompts.on('and again', 'It is back.'))
    await said(first.page, 'It is back.').waitFor()
    expect(lastOffer(used.host, session)).toEqual(['mcp__pasted__hello'])
  })
})

describe('what there is', () => {
  it('the MCP page shows the file and line of each server, why one fails and what it wrote, and reconnects it', async () => {
    const ready = join(used.host.root, 'ready')
    const file = put(join(used.host.root, '.claude.json'), {
      mcpServers: {
        well: offering('fine'),
        ill: server({ exit: 3, stderr: ['the database is away'] }),
        shy: server({ gate: ready }),
      },
    })
    const { page } = await used.open('/mcp')
    await card(page, 'well')
      .getByRole('button', { name: new RegExp(`${file}:\\d+$`) })
      .click()
    await page
      .getByRole('dialog', { name: words.source.title('well') })
      .getByText(/scripted-mcp-server/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'well').getByText(words.scopes.user, { exact: true }).waitFor()
    await state(page, 'well', 'not_started').waitFor()
    await button(card(page, 'well'), words.actions.test).click()
    await state(page, 'well', 'connected').waitFor()

    await button(card(page, 'ill'), words.actions.test).click()
    await state(page, 'ill', 'failed').waitFor()
    await button(card(page, 'ill'), words.stderrShow).click()
    await card(page, 'ill').getByText('the database is away').first().waitFor()
    put(file, { mcpServers: { well: offering('fine'), ill: offering('cured') } })
    await card(page, 'shy').waitFor({ state: 'detached' })
    await button(card(page, 'ill'), /^(Reconnect|Test)$/).click()
    await state(page, 'ill', 'connected').waitFor()
  })

  it('a tool can be tried: its result is shown, and the audit log has it', async () => {
    put(join(used.host.home, 'tools', 'greet.mjs'), moduleText)
    const { page } = await used.open('/tools')
    await button(page, /^greet/).click()
    await button(page, words.trying.open).click()
    const form = page.getByRole('form', { name: words.trying.title('greet') })
    await button(form, words.trying.run).click()
    await form.getByText(text.form.faults.required()).waitFor()
    await form.getByRole('textbox', { name: /who/ }).fill('Grace')
    await button(form, words.trying.run).click()
    await form.getByText(/^Answered in/).waitFor()
    await form.getByText('Good day, Grace').waitFor()
    await goTo(page, '/audit?action=mcp_tool_tried')
    await button(page, new RegExp(text.audit.actions.mcp_tool_tried)).first().click()
    await page.getByText(/Grace/).first().waitFor()
    const { entries } = await used.host.client.listAudit({ query: { action: 'mcp_tool_tried' } })
    expect(entries).toMatchObject([{ input: { who: 'Grace' } }])
  })
})
