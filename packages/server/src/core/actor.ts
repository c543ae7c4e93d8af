/** Who acts: the first argument of every service. Known from a token's row, a session or the server itself, never from a request. */
import { type Decider, type Scope, say, type TurnCause } from '@dorkos/shared'
import { AppError } from './app-error.ts'

export interface Actor {
  /** Whose right it is, and whose things these are. */
  principal: string
  scopes: readonly Scope[]
  /** Through what: a token of theirs, the server by itself, an agent of theirs, or a schedule that they made. */
  via:
    | ActorToken
    | { kind: 'server' }
    | { kind: 'agent'; sessionId: string }
    | { kind: 'schedule'; id: string }
}

export interface ActorToken {
  kind: 'token'
  id: string
  name: string
  /** The address that the call came from. */
  from: string
}

/** Who set this server up; what was there before there were accounts is theirs. */
export const ownerPrincipal = 'owner'

/** Of what the server does for nobody in particular. */
export const serverPrincipal = 'server'

/** What the server does for somebody without being asked by a token. */
export function serverActor(principal: string, scopes: readonly Scope[]): Actor {
  return { principal, scopes, via: { kind: 'server' } }
}

/** For what only the holder of a token can do, such as signing out. */
export function tokenOf({ via }: Actor): ActorToken {
  if (via.kind === 'token') return via
  throw new AppError('forbidden', say('token_needed'))
}

/** How the audit log names them. */
export function deciderOf({ principal, via }: Actor): Decider {
  switch (via.kind) {
    case 'token':
      return { kind: 'person', principal, token_id: via.id, token_name: via.name, from: via.from }
    case 'agent':
      return { kind: 'agent', principal, session_id: via.sessionId }
    case 'schedule':
      return { kind: 'schedule', principal, schedule_id: via.id }
    case 'server':
      return { kind: 'server', principal }
  }
}

/** Why a turn begins that they cause: a message, but for what nobody says at that time. */
export function causeOf({ via }: Actor): Extract<TurnCause, 'message' | 'schedule'> {
  return via.kind === 'schedule' ? 'schedule' : 'message'
}

/** A name for logs and for what is held while they act. */
export function actorName({ principal, via }: Actor): string {
  switch (via.kind) {
    case 'token':
      return via.id
    case 'agent':
      return `agent of ${via.sessionId}`
    case 'schedule':
      return `schedule ${via.id}`
    case 'server':
      return `server for ${principal}`
  }
}
