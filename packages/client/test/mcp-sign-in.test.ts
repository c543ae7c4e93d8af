/** Signing in to MCP servers that want it: from a server's page and from a conversation, and what becomes of it. */
import { type AuthServer, startAuthServer, toolUse } from '@dorkos/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { connect, lastOffer } from '../../server/test/support/mcp-servers.ts'
import { text } from '../src/text/page-text.ts'
import { axeFaults } from './support/axe-faults.ts'
import { button, composer, hasFocus } from './support/on-page.ts'
import { phone, type TestPage, usePage } from './support/open-page.ts'

const used = usePage()
const words = text.mcp.signIn
const whoami = 'mcp__notes__whoami'
let notes: AuthServer
let byHand: AuthServer
/** Whose page is on another host than who gets what is granted there. */
let mixed: AuthServer
let calls = 0
/** An agent that runs. */
let session: Conversation

beforeAll(async () => {
  const metadata = (own: Record<string, unknown>) => ({
    ...own,
    authorization_endpoint: String(own.authorization_endpoint).replace('127.0.0.1', 'localhost'),
  })
  ;[notes, byHand, mixed] = await Promise.all([
    startAuthServer(),
    startAuthServer({ needsClient: true }),
    startAuthServer({ metadata }),
  ])
  const { client } = used.host
  const add = (name: string, { mcpUrl: url }: AuthServer) =>
    client.addMcpServers({ body: { name, entry: { type: 'http', url } } })
  await add('notes', notes)
  await add('by-hand', byHand)
  await connect(used.host, ['notes', 'by-hand'])
  session = await used.start(['ok'])
  await session.endOf(1)
})
/** A test finds nobody signed in, whatever became of the one before. */
beforeEach(async () => {
  const { client } = used.host
  const { servers } = await client.listMcpServers()
  for (const { name, signed_in } of servers) if (signed_in) await client.endMcpSignIn({ params: { name } })
})
afterAll(() => Promise.all([notes.close(), byHand.close(), mixed.close()]))

const card = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: words.label(name), exact: true })
const hostOf = ({ issuer }: AuthServer) => new URL(issuer).host

/** Follows the card's link to a new tab. What the page complains of there counts too. */
async function follow(
  { page, context, complaints }: TestPage,
  name: string,
  auth: AuthServer,
): Promise<Page> {
  const link = card(page, name).getByRole('link', { name: words.goOn(hostOf(auth)) })
  const opening = context.waitForEvent('page')
  await link.click()
  const tab = await opening
  tab.on('pageerror', (error) => complaints.push(error.message))
  tab.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) complaints.push(message.text())
  })
  await card(page, name)
    .getByText(words.waiting(hostOf(auth)))
    .waitFor()
  return tab
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })
const decide = (tab: Page, answer: 'Approve' | 'Deny') => tab.getByRole('link', { name: answer }).click()

/** What the agent gets when it calls the tool. */
async function call(): Promise<{ ok: boolean; said: string }> {
  const turn = await session.send(used.prompts.on(`call ${++calls}`, toolUse(whoami), 'I see'))
  await session.answer()
  await session.end(turn)
  const { is_error, content } = session.watch.of('tool_result').at(-1) ?? {}
  return { ok: is_error !== true, said: JSON.stringify(content) }
}

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, words.signedIn.end).click()
  await button(page.getByRole('dialog', { name: words.signedIn.endTitle(name) }), words.signedIn.end).click()
  await card(page, name).waitFor()
}

it('signs in on the server’s page; an agent that runs can use it, until one signs out', async () => {
  expect(lastOffer(used.host, session)).toEqual([])
  const one = await used.open('/mcp/notes')
  const { page } = one
  await button(card(page, 'notes'), words.begin).click()
  await card(page, 'notes')
    .getByText(words.opens(hostOf(notes)))
    .waitFor()
  const link = card(page, 'notes').getByRole('link')
  await hasFocus(link)
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await axeFaults(page, 'link')).toEqual([])
  const tab = await follow(one, 'notes', notes)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await decide(tab, 'Approve')
  await heading(tab, words.back.done('notes')).waitFor()
  expect(tab.url()).toBe(`${used.host.server.url}/mcp-sign-in`)
  expect(await tab.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/code/)

  await card(page, 'notes').waitFor({ state: 'detached' })
  await page.getByText(words.signedIn.by('owner', hostOf(notes))).waitFor()
  await page.getByRole('button', { name: /^whoami\b/ }).waitFor()
  expect(await call()).toMatchObject({ ok: true, said: expect.stringContaining('signed in as Ada') })

  // The address has nothing more to give.
  await tab.reload()
  await heading(tab, words.back.nothing).waitFor()
  const all = await tab.evaluate(() => JSON.stringify({ ...localStorage }) + document.body.innerHTML)
  expect(notes.tokens().length).toBeGreaterThan(0)
  for (const secret of notes.tokens()) expect(all + (await page.content())).not.toContain(secret)

  await signOut(page, 'notes')
  expect(notes.revoked().length).toBeGreaterThan(0)
  expect(await call()).toMatchObject({ ok: false })
})

it('says that it was denied, in the tab where that was and in the one that waits', async () => {
  const one = await used.open('/mcp')
  const { page } = one
  await button(card(page, 'notes'), words.begin).click()
  const tab = await follow(one, 'notes', notes)
  await decide(tab, 'Deny')
  await heading(tab, words.back.failed).waitFor()
  const said = (await tab.getByRole('alert').textContent()) ?? ''
  expect(said.length).toBeGreaterThan(10)
  await card(page, 'notes').getByRole('alert').getByText(said, { exact: true }).waitFor()
  await button(card(page, 'notes'), words.begin).waitFor()
  await tab.getByRole('link', { name: words.back.again }).click()
  await button(card(tab, 'notes'), words.begin).waitFor()
})

it('shows no way to a page whose grants go elsewhere, before one has agreed to that', async () => {
  const { client } = used.host
  await client.addMcpServers({ body: { name: 'mixed', entry: { type: 'http', url: mixed.mcpUrl } } })
  await connect(used.host, ['mixed'])
  const one = await used.open('/mcp/mixed', phone)
  const { page } = one
  const shown = card(page, 'mixed')
  const { host, port } = new URL(mixed.issuer)
  const there = `localhost:${port}`
  await button(shown, words.begin).click()
  await shown.getByText(words.granted.warning(there, host)).waitFor()
  expect(await shown.getByRole('link').count()).toBe(0)
  expect(await axeFaults(page, 'elsewhere')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const box = shown.getByRole('checkbox', { name: words.granted.agree(host) })
  await hasFocus(box)
  await box.check()
  const opening = one.context.waitForEvent('page')
  await shown.getByRole('link', { name: words.goOn(there) }).click()
  const tab = await opening
  await decide(tab, 'Approve')
  await heading(tab, words.back.done('mixed')).waitFor()
  await client.removeMcpServer({ params: { name: 'mixed' } })
})

it('asks for a program that was registered by hand, on a phone', async () => {
  const one = await used.open('/mcp/by-hand', phone)
  const { page } = one
  const form = card(page, 'by-hand')
  await button(form, words.begin).click()
  await form.getByText(words.client.wanted(hostOf(byHand))).waitFor()
  await form.getByText(`${used.host.server.url}/mcp-sign-in`, { exact: true }).waitFor()
  const id = form.getByLabel(words.client.id, { exact: true })
  await hasFocus(id)
  expect(await axeFaults(page, 'client')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await button(form, words.client.submit).click()
  await form.getByText(words.client.idMissing).waitFor()
  await id.fill(byHand.client.id)
  await form.getByLabel(words.client.secret, { exact: true }).fill(byHand.client.secret)
  await button(form, words.client.submit).click()
  const href = await form.getByRole('link', { name: words.goOn(hostOf(byHand)) }).getAttribute('href')
  expect(href).toContain(byHand.client.id)
  expect(href).not.toContain(byHand.client.secret)
  const tab = await follow(one, 'by-hand', byHand)
  await decide(tab, 'Approve')
  await heading(tab, words.back.done('by-hand')).waitFor()
  await tab.getByRole('link', { name: words.back.show('by-hand') }).click()
  await tab.getByText(words.signedIn.by('owner', hostOf(byHand))).waitFor()
  await signOut(tab, 'by-hand')
})

it('signs in from a conversation, without taking the focus; a card that was hidden stays so', async () => {
  const one = await used.open(`/sessions/${session.id}`)
  const { page } = one
  await card(page, 'notes').waitFor()
  await card(page, 'by-hand').waitFor()
  await hasFocus(composer(page))
  expect(await axeFaults(page, 'conversation')).toEqual([])
  await button(page, words.hide('by-hand')).click()
  await card(page, 'by-hand').waitFor({ state: 'detached' })
  await page.reload()
  await card(page, 'notes').waitFor()
  expect(await card(page, 'by-hand').count()).toBe(0)

  await button(card(page, 'notes'), words.begin).click()
  const tab = await follow(one, 'notes', notes)
  await composer(page).fill('half a sentence')
  await decide(tab, 'Approve')
  await heading(tab, words.back.done('notes')).waitFor()
  await card(page, 'notes').waitFor({ state: 'detached' })
  await hasFocus(composer(page))
  expect(await composer(page).inputValue()).toBe('half a sentence')
  await used.host.client.endMcpSignIn({ params: { name: 'notes' } })
  await card(page, 'notes').waitFor()
})

it('who has yet to sign in to DorkOS loses nothing by it, and the code is nowhere but in the page’s memory', async () => {
  const { client, server } = used.host
  const body = { redirect_uri: `${server.url}/mcp-sign-in` }
  const step = await client.beginMcpSignIn({ params: { name: 'notes' }, body })
  const back = new URL(await notes.approve(step.step === 'open' ? step.url : ''))
  const code = back.searchParams.get('code') ?? ''
  expect(code).not.toBe('')
  const { page } = await used.stranger(back.pathname + back.search)
  const field = page.getByRole('textbox', { name: text.auth.codeLabel, exact: true })
  await field.waitFor()
  expect(page.url()).toBe(body.redirect_uri)
  const kept = () =>
    page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.referrer]),
    )
  expect(await kept()).not.toContain(code)
  await field.fill(new URL(await server.signInLink()).hash.slice('#code='.length))
  await field.press('Enter')
  await heading(page, words.back.done('notes')).waitFor()
  expect(await kept()).not.toContain(code)
})
