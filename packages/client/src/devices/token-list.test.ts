import type { Token } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import {
  endsWith,
  scopesToOffer,
  sortTokens,
  toggleScope,
  tokenFromCode,
  tokenState,
  usualScopes,
} from './token-list.ts'

const now = Date.parse('2026-11-15T12:00:00.000Z')

function token(id: string, more: Partial<Token> = {}): Token {
  return {
    id,
    name: id,
    scopes: ['read'],
    principal: 'owner',
    kind: 'browser',
    created_at: '2026-11-01T00:00:00.000Z',
    ...more,
  }
}

describe('tokens', () => {
  it('distinguishes those that work from those that ended', () => {
    expect(tokenState(token('a'), now)).toBe('active')
    expect(tokenState(token('a', { expires_at: '2026-11-15T12:00:00.000Z' }), now)).toBe('expired')
    expect(tokenState(token('a', { revoked_at: '2026-11-02T00:00:00.000Z' }), now)).toBe('revoked')
  })

  it('puts the one in use first, then the last used', () => {
    const { active, ended } = sortTokens(
      [
        token('old', { last_used_at: '2026-11-02T00:00:00.000Z' }),
        token('new', { last_used_at: '2026-11-14T00:00:00.000Z' }),
        token('mine', { current: true }),
        token('gone', { revoked_at: '2026-11-03T00:00:00.000Z' }),
      ],
      now,
    )
    expect(active.map(({ id }) => id)).toEqual(['mine', 'new', 'old'])
    expect(ended.map(({ id }) => id)).toEqual(['gone'])
  })

  it('finds all that end with one, over generations', () => {
    const tokens = [
      token('grandchild', { made_by: 'child' }),
      token('child', { made_by: 'root' }),
      token('dead', { made_by: 'root', revoked_at: '2026-11-02T00:00:00.000Z' }),
      token('heir', { made_by: 'dead' }),
      token('root'),
      token('other'),
      token('loop', { made_by: 'loop' }),
    ]
    expect(endsWith('root', tokens, now).map(({ id }) => id)).toEqual(['grandchild', 'child', 'heir'])
    expect(endsWith('loop', tokens, now)).toEqual([])
  })

  it('offers no more than one has, and not everything unasked', () => {
    expect(usualScopes(['read', 'chat', 'approve', 'admin'])).toEqual(['read', 'chat', 'approve'])
    expect(usualScopes(['read', 'approve'])).toEqual(['read', 'approve'])
  })

  it('offers what asks from the server’s own machine no answers, which an agent there could give itself', () => {
    expect(scopesToOffer(['read', 'chat', 'approve', 'admin'], '127.0.0.1')).toEqual(['read', 'chat'])
    expect(scopesToOffer(['read', 'approve'], '::1')).toEqual(['read'])
    expect(scopesToOffer(['read', 'chat', 'approve', 'admin'], '192.168.1.7')).toEqual([
      'read',
      'chat',
      'approve',
    ])
  })

  it('always lets a device look', () => {
    expect(toggleScope(['read'], 'admin', true)).toEqual(['read', 'admin'])
    expect(toggleScope(['read', 'chat'], 'chat', false)).toEqual(['read'])
    expect(toggleScope(['read', 'chat'], 'read', false)).toEqual(['read', 'chat'])
  })

  it('notices the device that used a code', () => {
    const tokens = [
      token('before', { made_by: 'me' }),
      token('after', { made_by: 'me' }),
      token('x', { made_by: 'you' }),
    ]
    expect(tokenFromCode(tokens, 'me', new Set(['before', 'me']))?.id).toBe('after')
    expect(tokenFromCode(tokens, 'me', new Set(['before', 'after']))).toBeUndefined()
  })
})
