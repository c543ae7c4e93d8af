/** What the page says about money where the demo model answers. */
import { expect, it } from 'vitest'
import { text } from '../src/text/page-text.ts'
import { polling } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ demo: true })
const t = text.costs

it('the page of costs says that the demo model costs nothing, and shows no zeros', async () => {
  await used.host.client.createSession({ body: { content: 'hello' } })
  await expect
    .poll(async () => (await used.host.client.getCosts({ query: { demo: 'true' } })).total.turns, polling)
    .toBe(1)
  const { page } = await used.open('/costs')
  await page.getByText(t.demoNote, { exact: true }).waitFor()
  const table = page.getByRole('table').last()
  await table.getByRole('columnheader', { name: t.turns, exact: true }).waitFor()
  expect(await table.getByRole('columnheader', { name: t.cost, exact: true }).count()).toBe(0)
  // One day with a turn, and the sum: no row for each day on which nothing was.
  expect(await table.getByRole('row').count()).toBe(3)
  expect(await table.getByText(/^\$/).count()).toBe(0)
  expect(await page.getByText(t.perTurn, { exact: true }).count()).toBe(0)
  expect(await page.getByRole('radio', { name: t.metrics.usd, exact: true }).count()).toBe(0)
  // Those of Claude have their columns, and there are none.
  await page.getByText(t.realTurns, { exact: true }).click()
  await page.getByText(t.nothing).waitFor()
  expect(await page.getByText(t.demoNote, { exact: true }).count()).toBe(0)
})
