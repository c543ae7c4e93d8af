import { afterEach, beforeEach, expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { type GatewayFixture, openGateway } from '../../../test/support/gateway-fixture.ts'
import { ownerPrincipal } from '../actor.ts'

let fixture: GatewayFixture
beforeEach(async () => {
  fixture = await openGateway()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
})

const phone = owner('phone', ['read', 'chat', 'approve'])
const everywhere = { kind: 'everywhere' } as const

it.each(['deny', 'ask'] as const)(
  'a rule that says %s is revoked by an administrator only',
  async (effect) => {
    const rule = await fixture.rules.create(owner(), { effect, tool: 'Bash', scope: everywhere })
    await expect(fixture.rules.revoke(phone, rule.id)).rejects.toMatchObject({
      code: 'forbidden',
      details: { needs: 'admin' },
    })
    expect(await fixture.rules.active(ownerPrincipal)).toEqual([rule])
    await fixture.rules.revoke(owner(), rule.id)
    expect(await fixture.rules.active(ownerPrincipal)).toEqual([])
  },
)

it('a rule that allows is revoked by whoever may approve', async () => {
  const rule = await fixture.rules.create(owner(), {
    effect: 'allow',
    tool: 'Bash',
    match: 'ls',
    scope: everywhere,
  })
  await fixture.rules.revoke(phone, rule.id)
  expect(await fixture.rules.active(ownerPrincipal)).toEqual([])
})

it('a rule holds for who made it, and is nobody else’s to see, change or revoke', async () => {
  const { rules } = fixture
  const rule = await rules.create(owner(), { effect: 'deny', tool: 'Bash', scope: everywhere })
  const guests = await rules.create(guest, { effect: 'allow', tool: 'Bash', scope: everywhere })
  expect(await rules.active(guest.principal)).toEqual([guests])
  expect(await rules.list(guest, true)).toEqual([guests])
  await expect(rules.change(guest, rule.id, { effect: 'allow' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(rules.revoke(guest, rule.id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await rules.active(ownerPrincipal)).toEqual([rule])
})
