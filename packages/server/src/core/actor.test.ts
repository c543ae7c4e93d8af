import { approvalSchema } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { owner } from '../../test/support/actors.ts'
import { type Actor, actorName, deciderOf, serverActor, tokenOf } from './actor.ts'

const through = (via: Actor['via']): Actor => ({ ...owner(), via })
const sessionId = '11111111-1111-4111-8111-111111111111'

it.each<[Actor, object, string]>([
  [
    owner('phone'),
    { kind: 'person', token_id: 'tok_phone', token_name: 'phone', from: '127.0.0.1' },
    'tok_phone',
  ],
  [serverActor('owner', ['read']), { kind: 'server' }, 'server for owner'],
  [through({ kind: 'agent', sessionId }), { kind: 'agent', session_id: sessionId }, `agent of ${sessionId}`],
  [
    through({ kind: 'schedule', id: 'sched_1' }),
    { kind: 'schedule', schedule_id: 'sched_1' },
    'schedule sched_1',
  ],
])('is named for people and for logs: $via.kind', (actor, decider, name) => {
  expect(deciderOf(actor)).toEqual({ ...decider, principal: 'owner' })
  expect(approvalSchema.shape.decided_by.parse(deciderOf(actor))).toEqual(deciderOf(actor))
  expect(actorName(actor)).toBe(name)
})

it('has a token only where it came with one', () => {
  expect(tokenOf(owner('phone'))).toMatchObject({ id: 'tok_phone' })
  expect(() => tokenOf(serverActor('owner', ['read']))).toThrow('signed in with a token')
})
