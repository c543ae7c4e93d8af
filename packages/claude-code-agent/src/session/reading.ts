/** Reading what the CLI writes: whether it goes on, who gets the raw messages, and the session's events about them. */
import type { CliMessage } from '../protocol/control-channel.ts'
import type { Transport } from '../transport/transport.ts'
import { type Emitter, raiseUncaught } from './emitter.ts'
import type { SessionMessage } from './messages.ts'
import type { SessionEvents, TurnStart } from './session-events.ts'

/**
 * Decides whether the CLI's output is read. A reader that has fallen behind stops it, so that the CLI waits and not
 * our memory grows; but never while somebody waits for what comes behind the unread messages.
 */
export class Reading {
  readonly #transport: Transport
  readonly #openRequests: () => number
  #lagging = 0
  #waiters = 0
  #ending = false

  constructor(transport: Transport, openRequests: () => number) {
    this.#transport = transport
    this.#openRequests = openRequests
  }

  /** A reader has fallen behind, or has caught up. */
  lag(behind: boolean): void {
    this.#lagging += behind ? 1 : -1
    this.update()
  }

  /** The session is being ended: what is left is read. */
  ending(): void {
    this.#ending = true
    this.update()
  }

  /** Reading goes on until the promise is settled. */
  async during<T>(promise: Promise<T>): Promise<T> {
    this.#waiters++
    this.update()
    try {
      return await promise
    } finally {
      this.#waiters--
      this.update()
    }
  }

  update(): void {
    const hold = this.#lagging > 0 && this.#waiters === 0 && this.#openRequests() === 0 && !this.#ending
    if (hold) this.#transport.pauseReading()
    else this.#transport.resumeReading()
  }
}

export type RawListener = (message: CliMessage) => void | Promise<void>

export interface RawListenersOptions {
  /** How many messages may be unfinished before reading stops. */
  highWaterMark: number
  /** Called when the listeners fall behind, and when they have caught up. */
  onLag(behind: boolean): void
}

/**
 * Listeners that get each message of the CLI once, as it came. A promise that one returns stands for work that is not
 * done: with too much of it open, the owner stops reading from the CLI.
 */
export class RawListeners {
  readonly #options: RawListenersOptions
  readonly #listeners = new Set<RawListener>()
  #unfinished = 0
  #behind = false

  constructor(options: RawListenersOptions) {
    this.#options = options
  }

  add(listener: RawListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  deliver(message: CliMessage): void {
    for (const listener of [...this.#listeners]) {
      try {
        const finished = listener(message)
        if (finished) this.#await(finished)
      } catch (error) {
        raiseUncaught(error)
      }
    }
  }

  #await(finished: Promise<void>): void {
    this.#unfinished++
    this.#update()
    finished.catch(raiseUncaught).finally(() => {
      this.#unfinished--
      this.#update()
    })
  }

  /** Reading starts again at half the mark, so that it does not stop and start with every message. */
  #update(): void {
    const { highWaterMark, onLag } = this.#options
    const behind = this.#unfinished > (this.#behind ? highWaterMark / 2 : highWaterMark)
    if (behind === this.#behind) return
    this.#behind = behind
    onLag(behind)
  }
}

/**
 * Which messages belong to which turn. The CLI announces each turn with `system/init` and ends it with a result; what
 * it starts on in between, or right before the announcement, is part of that turn (2.1.325).
 */
export class Turns {
  #isOpen = false
  #messages: string[] = []

  messageStarted(uuid: string): void {
    if (!this.#messages.includes(uuid)) this.#messages.push(uuid)
  }

  /** The turn that begins; nothing when it has been announced before. */
  begin(): TurnStart | undefined {
    if (this.#isOpen) return undefined
    this.#isOpen = true
    const messageUuids = [...this.#messages]
    return { cause: messageUuids.length > 0 ? 'message' : 'background', messageUuids }
  }

  /** The messages of the turn that ends, in the order in which the agent started on them. */
  end(): string[] {
    this.#isOpen = false
    return this.#messages.splice(0)
  }
}

/** Every message of a turn comes between its `turnStart` and its `turnEnd`, and each of these has the other. */
export function announceTurn(events: Emitter<SessionEvents>, raw: CliMessage, turns: Turns): void {
  const isInit = raw.type === 'system' && raw.subtype === 'init'
  const begun = isInit || raw.type === 'result' ? turns.begin() : undefined
  if (begun) events.emit('turnStart', begun)
}

export function announce(events: Emitter<SessionEvents>, message: SessionMessage, turns: Turns): void {
  events.emit('message', message)
  switch (message.type) {
    case 'tool_use': {
      const { toolUseId, toolName, input } = message
      const serverName = serverOf(toolName)
      return events.emit('toolCall', { toolUseId, name: toolName, toolName, serverName, arguments: input })
    }
    case 'tool_result': {
      const { toolUseId, toolName, content, blocks, isError } = message
      return events.emit('toolResult', { toolUseId, toolName, content, blocks, isError })
    }
    case 'result':
      return events.emit('turnEnd', { outcome: message.outcome, result: message, messageUuids: turns.end() })
  }
}

/** The server in `mcp__<server>__<tool>`. */
function serverOf(toolName: string): string | undefined {
  if (!toolName.startsWith('mcp__')) return undefined
  const end = toolName.indexOf('__', 5)
  return end > 0 ? toolName.slice(5, end) : undefined
}
