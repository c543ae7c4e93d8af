/** The server's own topic for one client: the whole state, then its changes; the state again if some were missed. */
import { encodeFrame, type ServerEvent, type ServerSnapshot } from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import type { BusSubscription } from '../core/ports/event-bus.ts'
import type { EventHub } from '../core/services.ts'
import type { EventFrames } from './follow-sessions.ts'
import type { SseConnection } from './sse-connection.ts'

export class ServerTopic {
  readonly #deps: { hub: EventHub; frames: EventFrames }
  readonly #actor: Actor
  readonly #subscription: BusSubscription
  /** What came since the state was asked for. */
  #held: ServerEvent[] = []
  #live: SseConnection | undefined
  #hasMissed = false

  constructor(deps: { hub: EventHub; frames: EventFrames }, actor: Actor) {
    this.#deps = deps
    this.#actor = actor
    this.#subscription = deps.hub.subscribeServer(actor, {
      event: (event) => {
        if (this.#live) this.#live.write(deps.frames.ofServer(event))
        else this.#held.push(event)
      },
      missed: () => this.#miss(),
    })
  }

  async readState(): Promise<ServerSnapshot> {
    await this.#subscription.ready
    for (;;) {
      this.#hasMissed = false
      const snapshot = await this.#deps.hub.serverSnapshot(this.#actor)
      if (!this.#hasMissed) return snapshot
    }
  }

  /** Resolves when the topic is live. */
  async follow(connection: SseConnection, state: ServerSnapshot): Promise<void> {
    await connection.send(encodeFrame({ frame: 'server_snapshot', snapshot: state }))
    if (this.#hasMissed && !connection.closed) return this.follow(connection, await this.readState())
    for (const event of this.#held) connection.write(this.#deps.frames.ofServer(event))
    this.#held = []
    this.#live = connection
  }

  close(): void {
    this.#subscription.close()
    this.#held = []
  }

  #miss(): void {
    const connection = this.#live
    this.#held = []
    this.#live = undefined
    this.#hasMissed = true
    if (!connection) return
    this.readState()
      .then((state) => this.follow(connection, state))
      .catch(() => connection.destroy())
  }
}
