import { expect, it } from 'vitest'
import { isVisible, visibilityOf } from './visibility.ts'

const session = { workspaceId: 'ws_1', folderConfirmed: true, principal: 'owner' }
const box = { id: 'ws_1', mode: 'container' } as const
const sessions = [
  { id: 'own', workspace_id: 'ws_1' },
  { id: 'beside', workspace_id: 'ws_1' },
  { id: 'other', workspace_id: 'ws_2' },
  { id: 'outside' },
]
const seen = (...args: Parameters<typeof visibilityOf>) =>
  sessions.filter((session) => isVisible(visibilityOf(...args), session)).map(({ id }) => id)

it('is all for a session of the owner’s place', () => {
  const all = sessions.map(({ id }) => id)
  expect(seen('own', session, { id: 'ws_1', mode: 'host' })).toEqual(all)
  expect(
    seen('outside', { workspaceId: undefined, folderConfirmed: true, principal: 'owner' }, undefined),
  ).toEqual(all)
})

it('is asked for as the agent, for whoever the session belongs to; for nobody where that is not known', () => {
  const via = { kind: 'agent', sessionId: 'own' }
  expect(visibilityOf('own', { ...session, principal: 'guest' }, box).actor).toEqual({
    principal: 'guest',
    scopes: ['read'],
    via,
  })
  expect(visibilityOf('own', undefined, undefined).actor).toEqual({ principal: '', scopes: ['read'], via })
})

it('is its own workspace for one in a container', () => {
  expect(seen('own', session, box)).toEqual(['own', 'beside'])
})

it('is itself for one in a folder that nobody confirmed, of a workspace that is gone, or that nobody knows', () => {
  expect(
    seen('outside', { workspaceId: undefined, folderConfirmed: false, principal: 'owner' }, undefined),
  ).toEqual(['outside'])
  expect(seen('own', session, undefined)).toEqual(['own'])
  expect(seen('own', undefined, undefined)).toEqual(['own'])
})
