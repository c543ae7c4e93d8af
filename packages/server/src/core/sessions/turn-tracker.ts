/**
 * Which turn runs, and where each message that was sent has gone: into a turn of its own, or into one that was running.
 * Only memory; the caller stores and publishes.
 */
import type { Turn } from '@dorkos/shared'

export interface RunningTurn {
  id: string
  cause: Turn['cause']
  /** Who caused it; undefined for one that began by itself. */
  principal: string | undefined
  /** Messages that this turn took in besides the one that it is named after. */
  joined: string[]
}

export class TurnTracker {
  /** Sent to the CLI, not begun. */
  readonly #sent = new Map<string, Turn>()
  #running: RunningTurn | undefined

  get running(): RunningTurn | undefined {
    return this.#running
  }

  /** A turn runs, or is certain to begin. */
  get busy(): boolean {
    return this.#running !== undefined || this.#sent.size > 0
  }

  /** Everything that the process has and has not ended. */
  get ids(): string[] {
    const { id, joined = [] } = this.#running ?? {}
    return [...(id === undefined ? [] : [id]), ...joined, ...this.#sent.keys()]
  }

  sent(turn: Turn): void {
    this.#sent.set(turn.id, turn)
  }

  /** A message that did not go out after all. */
  notSent(turnId: string): void {
    this.#sent.delete(turnId)
  }

  /**
   * The CLI begins a turn with these messages. Answers with the messages of ours among them; none means that the agent woke by
   * itself, and the turn gets `backgroundId`. The CLI may say so twice, or while a turn of ours runs: then nothing begins.
   */
  begin(
    messageIds: readonly string[],
    backgroundId: string,
  ): { turn: RunningTurn; messages: Turn[] } | undefined {
    if (this.#running) return undefined
    const messages = messageIds.flatMap((id) => this.#take(id) ?? [])
    const [first, ...others] = messages
    this.#running = {
      id: first?.id ?? backgroundId,
      cause: first?.cause ?? 'background',
      principal: first?.principal,
      joined: others.map(({ id }) => id),
    }
    return { turn: this.#running, messages }
  }

  /** The running turn takes a message in; undefined when it is no message that waits, or no turn runs. */
  join(messageId: string): Turn | undefined {
    if (!this.#running) return undefined
    const turn = this.#take(messageId)
    if (turn) this.#running.joined.push(turn.id)
    return turn
  }

  /** The CLI is done with a message that it had not begun: it gave it up, or says no more than that. */
  unbegun(messageId: string): Turn | undefined {
    return this.#take(messageId)
  }

  /** The running turn is over. */
  end(): RunningTurn | undefined {
    const turn = this.#running
    this.#running = undefined
    return turn
  }

  /** The process is gone: the turn that ran, and the messages that were sent and never begun. */
  lose(): { running: RunningTurn | undefined; sent: Turn[] } {
    const lost = { running: this.end(), sent: [...this.#sent.values()] }
    this.#sent.clear()
    return lost
  }

  #take(id: string): Turn | undefined {
    const turn = this.#sent.get(id)
    this.#sent.delete(id)
    return turn
  }
}
