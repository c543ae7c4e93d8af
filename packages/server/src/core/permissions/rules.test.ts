import { afterEach, beforeEach, expect, it } from 'vitest'
import { caller, type GatewayFixture, openGateway } from '../../../test/support/gateway-fixture.ts'

let fixture: GatewayFixture
beforeEach(async () => {
  fixture = await openGateway()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
})

const phone = caller('phone', ['read', 'chat', 'approve'])
const everywhere = { kind: 'everywhere' } as const

it.each(['deny', 'ask'] as const)(
  'a rule that says %s is revoked by an administrator only',
  async (effect) => {
    const rule = await fixture.rules.create(caller(), { effect, tool: 'Bash', scope: everywhere })
    await expect(fixture.rules.revoke(phone, rule.id)).rejects.toMatchObject({
      code: 'forbidden',
      details: { needs: 'admin' },
    })
    expect(await fixture.rules.active()).toEqual([rule])
    await fixture.rules.revoke(caller(), rule.id)
    expect(await fixture.rules.active()).toEqual([])
  },
)

it('a rule that allows is revoked by whoever may approve', async () => {
  const rule = await fixture.rules.create(caller(), {
    effect: 'allow',
    tool: 'Bash',
    match: 'ls',
    scope: everywhere,
  })
  await fixture.rules.revoke(phone, rule.id)
  expect(await fixture.rules.active()).toEqual([])
})
