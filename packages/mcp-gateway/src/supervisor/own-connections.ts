/**
 * The connections of one server that serve one holder each: opened at the holder's first call, and ended when it leaves, after a while
 * without a call, or to make room for another's. One that fails is not tried again by itself: the holder's next call opens another.
 */
import { McpCallError } from '../errors.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ConnectionLimit, LimitedConnection } from './connection-limit.ts'
import type { ConnectionSlot } from './connection-slot.ts'
import type { OwnEnd, ToolCallOptions } from './supervised-server.ts'
import type { SupervisorClock } from './supervisor-types.ts'

export interface OwnConnectionsOptions {
  clock: SupervisorClock
  limit: ConnectionLimit
  idleMs: number
  /** Of that holder alone; not to be opened before `after`. */
  open(holderId: string, after: Promise<void>): ConnectionSlot
  /** `end` is absent where the holder has left. `gone` resolves when nothing of it runs any more. */
  onEnd(holderId: string, slot: ConnectionSlot, gone: Promise<void>, end: OwnEnd | undefined): void
}

class Own implements LimitedConnection {
  readonly slot: ConnectionSlot
  readonly endForRoom: () => void
  calls = 0
  failed = false
  cancelIdle = () => {}

  constructor(open: (own: Own) => ConnectionSlot, endForRoom: () => void) {
    this.endForRoom = endForRoom
    this.slot = open(this)
  }

  get isBusy(): boolean {
    return this.calls > 0
  }
}

export class OwnConnections {
  readonly #options: OwnConnectionsOptions
  readonly #all = new Map<string, Own>()

  constructor(options: OwnConnectionsOptions) {
    this.#options = options
  }

  get slots(): ConnectionSlot[] {
    return [...this.#all.values()].map(({ slot }) => slot)
  }

  of(holderId: string): ConnectionSlot | undefined {
    return this.#all.get(holderId)?.slot
  }

  async request(
    holderId: string,
    entry: ServerEntry,
    method: string,
    params: Record<string, unknown>,
    options: ToolCallOptions,
  ): Promise<Record<string, unknown>> {
    const own = this.#all.get(holderId) ?? this.#open(holderId)
    own.cancelIdle()
    own.calls += 1
    try {
      return await own.slot.request(holderId, entry, method, params, options)
    } catch (error) {
      throw own.failed ? asOwnFailure(error) : error
    } finally {
      own.calls -= 1
      this.#options.limit.used(own)
      if (own.calls === 0) this.#planIdleEnd(holderId, own)
    }
  }

  /** To be called whenever the state of one of them changed. */
  statusChanged(slot: ConnectionSlot): void {
    const { state, error = '' } = slot.connection
    if (state !== 'failed' && state !== 'needs_auth') return
    const [holderId, own] = [...this.#all].find(([, each]) => each.slot === slot) ?? []
    if (holderId === undefined || !own) return
    own.failed = true
    this.#end(holderId, own, { reason: 'failed', error })
  }

  /** The holder has left. */
  leave(holderId: string): void {
    const own = this.#all.get(holderId)
    if (own) this.#end(holderId, own, undefined)
  }

  leaveAll(): void {
    for (const holderId of [...this.#all.keys()]) this.leave(holderId)
  }

  /** Throws McpCallError where there is no room. */
  #open(holderId: string): Own {
    const { limit, open } = this.#options
    const own: Own = new Own(
      (one) => open(holderId, limit.enter(one)),
      () => this.#end(holderId, own, { reason: 'room' }),
    )
    this.#all.set(holderId, own)
    return own
  }

  #planIdleEnd(holderId: string, own: Own): void {
    if (this.#all.get(holderId) !== own) return
    const { clock, idleMs } = this.#options
    own.cancelIdle = clock.after(idleMs, () => this.#end(holderId, own, { reason: 'idle' }))
  }

  #end(holderId: string, own: Own, end: OwnEnd | undefined): void {
    if (this.#all.get(holderId) !== own) return
    this.#all.delete(holderId)
    own.cancelIdle()
    const gone = own.slot.end()
    this.#options.limit.leave(own, gone)
    this.#options.onEnd(holderId, own.slot, gone, end)
  }
}

function asOwnFailure(error: unknown): unknown {
  if (!(error instanceof McpCallError)) return error
  const own = 'It served this session alone, and what it kept is gone; the next call starts it anew.'
  return new McpCallError(error.code, `${error.message} ${own}`, { data: error.data })
}
