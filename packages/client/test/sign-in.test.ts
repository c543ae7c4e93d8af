/** The ways in and out, as a person takes them. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const t = text.auth

const newCode = async () => new URL(await used.host.server.signInLink()).hash.slice('#code='.length)
const path = (page: Page) => new URL(page.url()).pathname
const hasToken = (page: Page) => page.evaluate(() => localStorage.getItem('dorkos.token') !== null)
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: t.codeLabel, exact: true }).fill(code)
  await page.getByRole('button', { name: t.codeSubmit, exact: true }).click()
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: text.shell.userMenu }).click()
  await page.getByRole('menuitem', { name: text.shell.signOut }).click()
  await page.getByRole('dialog').getByRole('button', { name: text.shell.signOut }).click()
}

describe('signing in', () => {
  it('by a link: its code leaves the address bar and the history, and works once', async () => {
    const code = await newCode()
    const { page } = await used.stranger(`/rules#code=${code}`)
    await heading(page, text.rules.title).waitFor()
    expect(page.url()).toBe(`${used.host.server.url}/rules`)
    expect(await page.evaluate(() => JSON.stringify([history.state, history.length]))).not.toContain(code)
    await page.goto(`${used.host.server.url}/devices`)
    await page.goBack()
    await heading(page, text.rules.title).waitFor()
    expect(page.url()).toBe(`${used.host.server.url}/rules`)

    const other = await used.stranger(`/#code=${code}`)
    await other.page.getByRole('alert').filter({ hasText: t.codeGone }).waitFor()
    expect(other.page.url()).not.toContain(code)
    expect(await hasToken(other.page)).toBe(false)
  })

  it('by a code that is typed; a wrong one says what to do; one comes out where one wanted to go', async () => {
    const { page } = await used.stranger('/costs')
    await heading(page, t.title).waitFor()
    await page.getByRole('button', { name: t.codeSubmit, exact: true }).click()
    await page.getByText(t.codeMissing).waitFor()
    await typeCode(page, 'AAAAA-AAAAA')
    await page.getByText(t.codeGone).waitFor()
    expect(await hasToken(page)).toBe(false)
    // A whole link does as well as its code.
    await typeCode(page, await used.host.server.signInLink())
    await heading(page, text.costs.title).waitFor()
    expect(path(page)).toBe('/costs')
  })

  it('by a device that is signed in: it sees who asks, and lets it in', async () => {
    const { page: second } = await used.stranger('/inbox')
    await second.getByRole('button', { name: t.pairStart }).click()
    await second.getByText(t.pairHow).waitFor()
    const code = (await second.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).textContent()) ?? ''
    const { page: first } = await used.open('/devices')
    await first.getByRole('button', { name: text.devices.add }).click()
    const field = first.getByRole('textbox', { name: text.devices.codeLabel })
    await field.fill('AAAAA-AAAAA')
    await first.getByRole('button', { name: text.devices.findCode }).click()
    await first.getByText(text.devices.codeGone).waitFor()
    await field.fill(code.toLowerCase())
    await first.getByRole('button', { name: text.devices.findCode }).click()
    await first.getByText(text.devices.whoAsks).waitFor()
    await first.getByText(code, { exact: true }).waitFor()
    // Nobody is let in by a look.
    expect(await hasToken(second)).toBe(false)
    await first.getByRole('button', { name: text.devices.confirm }).click()
    await heading(second, text.approvals.inbox.title).waitFor()
    expect(path(second)).toBe('/inbox')
    expect(await second.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(code)
  })
})

describe('signing out', () => {
  it('in one tab signs out the other; the token is no good any more', async () => {
    const first = await used.open('/rules', {})
    const second = await used.tab(first, '/costs')
    await heading(second.page, text.costs.title).waitFor()
    const secret = await first.page.evaluate(() => localStorage.getItem('dorkos.token'))
    await leave(first.page)
    for (const { page } of [first, second]) {
      await heading(page, t.title).waitFor()
      await page.getByText(t.left).waitFor()
      expect(await hasToken(page)).toBe(false)
    }
    const headers = { authorization: `Bearer ${secret}` }
    const answer = await fetch(`${used.host.server.url}/api/sessions`, { headers })
    expect(answer.status).toBe(401)
    // And in again, in one tab for both, each where it was.
    await typeCode(first.page, await newCode())
    await heading(first.page, text.rules.title).waitFor()
    await heading(second.page, text.costs.title).waitFor()
  })

  it('by somebody who revokes the token elsewhere: the page says so and stays at its address', async () => {
    const { page } = await used.open('/costs', {})
    await heading(page, text.costs.title).waitFor()
    const { tokens } = await used.host.client.listTokens()
    const newest = tokens
      .filter(({ kind, revoked_at }) => kind === 'browser' && revoked_at === undefined)
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
      .at(-1)
    await used.host.client.revokeToken({ params: { id: newest?.id ?? '' } })
    await heading(page, t.title).waitFor()
    await page.getByText(t.refused).waitFor()
    expect(path(page)).toBe('/costs')
    expect(await hasToken(page)).toBe(false)
  })
})

it('waits for a server that does not answer, keeps the token, and goes on when it is back', async () => {
  const { page } = await used.open('/rules')
  await heading(page, text.rules.title).waitFor()
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await heading(page, t.unreachable).waitFor()
  expect(await hasToken(page)).toBe(true)
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: t.tryNow }).click()
  await heading(page, text.rules.title).waitFor()
  expect(path(page)).toBe('/rules')
})
