/** The demo model costs nothing, and says so. */
import { expect, it } from 'vitest'
import { useHost } from './support/use-host.ts'

const used = useHost({ demo: true, config: { budgets: { dayUsd: 0.01 } } })

it('turns of the demo model are in the ledger, marked, at 0 USD, and use up no budget', async () => {
  const session = await used.start([], { content: 'hello there' })
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed', usd: 0 })
  expect(await session.watch.next('cost_update')).toMatchObject({ demo: true, turn_usd: 0, day_usd: 0 })
  expect(await session.session()).toMatchObject({ demo: true })
  const { entries } = await used.host.client.listLedger()
  expect(entries).toMatchObject([{ session_id: session.id, demo: true, usd: 0 }])
  expect(entries[0]?.tokens.output).toBeGreaterThan(0)
  const { client } = used.host
  expect((await client.getCosts({ query: { demo: 'false' } })).total).toMatchObject({ usd: 0, turns: 0 })
  expect((await client.getCosts({ query: { demo: 'true' } })).total).toMatchObject({ usd: 0, turns: 1 })
})
