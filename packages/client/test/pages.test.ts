/** The pages about the server show what its API says, and change what they say they change. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply, text as says } from '@dorkos/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../server/test/support/conversation.ts'
import { text } from '../src/text/page-text.ts'
import { formatUsd } from '../src/ui/format.ts'
import { button, goTo, polling } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()

/** The figure under a name in a list of them. */
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
const configFile = () => readFileSync(join(used.host.home, 'config.jsonc'), 'utf8')

describe('after a turn', () => {
  const usage = { input_tokens: 120_000, output_tokens: 3000 }
  let session: Conversation
  beforeAll(async () => {
    session = await used.start([reply([says('That was a lot.')], { usage })])
    await session.endOf(1)
  })

  it('costs are those of the ledger, on the page and in the session', async () => {
    const { page } = await used.open('/costs')
    const { total } = await used.host.client.getCosts({ query: {} })
    expect(total.usd).toBeGreaterThan(0)
    await expect.poll(() => figure(page, text.costs.cost).textContent(), polling).toBe(formatUsd(total.usd))
    expect(await figure(page, text.costs.turns).textContent()).toBe('1')
    // The page follows.
    await session.say(used.prompts.on('more', reply([says('And more.')], { usage })))
    const later = (await used.host.client.getCosts({ query: {} })).total
    expect(later.usd).toBeGreaterThan(total.usd)
    await expect.poll(() => figure(page, text.costs.cost).textContent(), polling).toBe(formatUsd(later.usd))
    await goTo(page, `/sessions/${session.id}`)
    await page.getByRole('button', { name: text.conversation.costOf(formatUsd(later.usd)) }).waitFor()
  })

  it('the audit log has it, line by line, and its chain is whole', async () => {
    const { page } = await used.open(`/audit?session=${session.id}`)
    await button(page, new RegExp(text.audit.actions.session_created)).waitFor()
    const [response] = await Promise.all([
      page.waitForResponse('**/api/audit/verify'),
      button(page, text.audit.check).click(),
    ])
    const { entries, intact } = await response.json()
    expect([intact, entries > 3]).toEqual([true, true])
    await page.getByText(text.audit.intact(entries.toLocaleString('en'))).waitFor()
  })

  it('the system page shows what the server works with', async () => {
    const { page } = await used.open('/system')
    const status = await used.host.client.getStatus()
    await page.getByText(status.version, { exact: true }).first().waitFor()
    await page.getByText(`${status.host}:${status.port}`, { exact: true }).waitFor()
    await page.getByText(text.system.sources.api_key).waitFor()
    await page.getByText(text.system.gatewayOn).waitFor()
    await page.getByText(text.system.connections.open, { exact: true }).waitFor()
  })
})

it('a setting is in the configuration file once it is saved, and one that the file gets is on the page', async () => {
  const { page } = await used.open('/settings')
  const name = text.settings.names['approvals.deadlineMinutes']
  const field = page.getByRole('textbox', { name, exact: true })
  await field.fill('-5')
  await button(page, text.settings.saveLabel(name)).click()
  await page.getByText(text.form.faults.min('1')).waitFor()
  await field.fill('77')
  await button(page, text.settings.saveLabel(name)).click()
  await page.getByText(text.settings.saved(name)).first().waitFor()
  expect(configFile()).toMatch(/"approvals": \{\s*"deadlineMinutes": 77\b/)
  await used.host.client.changeConfig({ body: { set: { 'approvals.deadlineMinutes': 88 } } })
  await expect.poll(() => field.inputValue(), polling).toBe('88')
})

it('a device is revoked on the page, and is out at once', async () => {
  const first = await used.open('/devices')
  const { page } = first
  await button(page, text.devices.tokenMake).click()
  await page.getByRole('dialog').getByRole('textbox', { name: text.devices.tokenName }).fill('Nightly job')
  await button(page.getByRole('dialog'), text.devices.make).click()
  const secret = await page.getByRole('dialog').getByRole('code').textContent()
  await button(page.getByRole('dialog'), text.devices.done).click()
  const asks = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await fetch(`${used.host.server.url}/api/sessions`, { headers })).status
  }
  expect(await asks()).toBe(200)
  await button(page, text.devices.revokeLabel('Nightly job')).click()
  await button(page.getByRole('dialog'), text.devices.revoke).click()
  await button(page, text.devices.revokeLabel('Nightly job')).waitFor({ state: 'detached' })
  expect(await asks()).toBe(401)
})
