/** Follows the server-wide topic, and keeps what it heard. */
import type { ApiClient, ServerEvent } from '@dorkos/shared'

type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>

export class ServerTopic {
  readonly events: ServerEvent[] = []
  readonly #abort = new AbortController()
  readonly #done: Promise<void>
  #wake: () => void = () => {}
  #news = this.#nextNews()
  #isOpen = false

  constructor(client: ApiClient) {
    this.#done = this.#follow(client)
  }

  /** The first event of the type that fits, now or later. */
  async next<T extends ServerEvent['type']>(
    type: T,
    fits: (event: ServerEventOf<T>) => boolean = () => true,
  ): Promise<ServerEventOf<T>> {
    for (;;) {
      const found = this.events.find(
        (event): event is ServerEventOf<T> => event.type === type && fits(event as ServerEventOf<T>),
      )
      if (found) return found
      await this.#news
    }
  }

  /** Resolves when the server has accepted it: from then on nothing is missed. */
  async open(): Promise<void> {
    while (!this.#isOpen) await this.#news
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#done
  }

  async #follow(client: ApiClient): Promise<void> {
    const { signal } = this.#abort
    for await (const frame of client.followAll({ sessions: [], signal })) {
      this.#isOpen = true
      if (frame.frame === 'server') this.events.push(frame.event)
      const wake = this.#wake
      this.#news = this.#nextNews()
      wake()
    }
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
