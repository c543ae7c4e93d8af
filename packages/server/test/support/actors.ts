/** Who acts in tests. */
import { scopes as allScopes, type Scope } from '@dorkos/shared'
import { type Actor, ownerPrincipal } from '../../src/core/actor.ts'

/** The owner, with a token of this name. */
export function owner(name = 'laptop', scopes: readonly Scope[] = allScopes): Actor {
  return {
    principal: ownerPrincipal,
    scopes,
    via: { kind: 'token', id: `tok_${name}`, name, from: '127.0.0.1' },
  }
}

/** Somebody else, who may do as much with what is theirs. */
export const guest: Actor = { ...owner('tablet'), principal: 'guest' }
