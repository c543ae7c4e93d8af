/** The resources that one session wants to hear of. */
import { McpCallError } from '../errors.ts'
import type { ServerHold } from '../supervisor/supervised-server.ts'
import { INVALID_PARAMS } from './json-rpc.ts'

const MAX_SUBSCRIPTIONS = 500

/**
 * The server is informed of each resource, but not when a session no longer wants it: another session on the same connection may. What it
 * then sends in vain goes no further than here.
 */
export class Subscriptions {
  readonly #hold: ServerHold
  readonly #uris = new Set<string>()

  constructor(hold: ServerHold) {
    this.#hold = hold
  }

  has(uri: string): boolean {
    return this.#uris.has(uri)
  }

  async add(uri: string, signal: AbortSignal): Promise<void> {
    if (this.#uris.size >= MAX_SUBSCRIPTIONS)
      throw new McpCallError(INVALID_PARAMS, `At most ${MAX_SUBSCRIPTIONS} resources can be subscribed to`)
    await this.#hold.request('resources/subscribe', { uri }, { signal })
    this.#uris.add(uri)
  }

  remove(uri: string): void {
    this.#uris.delete(uri)
  }

  /** A server that comes back knows nothing of them. */
  renew(): void {
    for (const uri of this.#uris) this.#hold.request('resources/subscribe', { uri }).catch(() => {})
  }
}
