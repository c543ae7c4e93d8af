/** The list of devices: distinguishing and naming them. */
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { button, polling } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage()
const t = text.devices
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

it('a device shows where it was used, gets another name, and acts under it', async () => {
  const { client } = used.host
  const { page: phone } = await used.open('/', { userAgent: iPhone })
  await phone.getByRole('link', { name: text.shell.pages.newSession }).first().waitFor()
  const name = text.auth.browserOn('Safari', 'iPhone')
  const { page } = await used.open('/devices')
  const row = (of: string) => page.getByRole('listitem').filter({ hasText: of })
  await expect.poll(() => row(name).getByText(t.thisMachine, { exact: true }).count(), polling).toBe(1)
  await row(name).locator('dd').getByText(name, { exact: true }).waitFor()

  await button(page, t.renameLabel(name)).click()
  const dialog = page.getByRole('dialog', { name: t.renameTitle(name) })
  const field = dialog.getByRole('textbox', { name: t.tokenName })
  await field.fill('  ')
  await button(dialog, text.ui.save).click()
  await dialog.getByText(t.tokenNameFault).waitFor()
  await field.fill('phone in the kitchen')
  await field.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await row('phone in the kitchen').locator('dd').getByText(name, { exact: true }).waitFor()
  const { tokens } = await client.listTokens()
  expect(tokens.find((token) => token.name === 'phone in the kitchen')).toMatchObject({
    kind: 'browser',
    last_used_from: '127.0.0.1',
    last_used_agent: iPhone,
  })

  // What is to be ended is shown before it is ended.
  await button(page, t.revokeLabel('phone in the kitchen')).click()
  const confirm = page.getByRole('dialog', { name: t.revokeTitle('phone in the kitchen') })
  await confirm.getByText(`(${name}, ${t.thisMachine})`).waitFor()
  await button(confirm, text.ui.cancel).click()

  // What the phone does now, it does under its new name, without signing in anew.
  await phone.goto(`${used.host.server.url}/devices`)
  await phone.getByText('phone in the kitchen', { exact: true }).waitFor()
  await button(phone, t.add).click()
  await button(phone, t.makeCode).click()
  await phone.getByText(t.codeTyped).waitFor()
  const { entries } = await client.listAudit({ query: { action: 'code_created' } })
  expect(entries[0]?.decided_by?.token_name).toBe('phone in the kitchen')

  // One that names itself anew says so everywhere at once.
  await phone.goto(`${used.host.server.url}/devices`)
  await button(phone, t.renameLabel('phone in the kitchen')).click()
  const own = phone.getByRole('dialog', { name: t.renameTitle('phone in the kitchen') })
  await own.getByRole('textbox', { name: t.tokenName }).fill('phone upstairs')
  await button(own, text.ui.save).click()
  await phone
    .getByRole('button', { name: text.shell.userMenu })
    .getByText('phone upstairs', { exact: true })
    .waitFor()
})
