/** Sign-ins that were begun and not finished. In memory only, for ten minutes; each is finished once, by who began it. */

import { randomBytes } from 'node:crypto'
import type { OpenSignIn } from '@dorkos/mcp-gateway'
import { say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Clock } from '../ports/clock.ts'

export interface BegunHere {
  principal: string
  /** The server's name, as it was asked for. */
  name: string
  workspaceId: string | undefined
  /** Of the very server: its name and address. */
  key: string
  open: OpenSignIn
}

const lifetimeMs = 10 * 60_000
const most = 20

export class OpenSignIns {
  readonly #clock: Clock
  /** By state, oldest first. */
  readonly #open = new Map<string, BegunHere & { expiresAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  newState(): string {
    return randomBytes(32).toString('base64url')
  }

  /** Answers when it ends. The oldest makes room: whoever begins so many has given it up. */
  add(state: string, begun: BegunHere): number {
    this.#dropExpired()
    for (const oldest of this.#open.keys()) {
      if (this.#open.size < most) break
      this.#open.delete(oldest)
    }
    this.#open.set(state, { ...begun, expiresAt: this.#clock.monotonic() + lifetimeMs })
    return this.#clock.now() + lifetimeMs
  }

  /** It is used up by this. Throws `gone`: to another principal it was never there. */
  take(state: string, principal: string): BegunHere {
    this.#dropExpired()
    const found = this.#open.get(state)
    if (found?.principal !== principal) throw new AppError('gone', say('sign_in_gone'))
    this.#open.delete(state)
    return found
  }

  /** Whether one with this client was begun and not finished: it may be that the authorization server does not know it any more. */
  isStuck(key: string, clientId: string): boolean {
    this.#dropExpired()
    return [...this.#open.values()].some((one) => one.key === key && one.open.client.id === clientId)
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic()
    for (const [state, { expiresAt }] of this.#open) if (expiresAt <= now) this.#open.delete(state)
  }
}
