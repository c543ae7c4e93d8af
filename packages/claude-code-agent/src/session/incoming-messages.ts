/** What the CLI says of its work, on its way to all who follow: the outbox, raw listeners, readers, events, the session's state. */
import type { CliMessage } from '../protocol/control-channel.ts'
import type { Activity } from './activity.ts'
import type { Emitter } from './emitter.ts'
import { MessageStream } from './message-stream.ts'
import type { MessageMapper, ResultMessage, SessionMessage } from './messages.ts'
import type { Outbox } from './outbox.ts'
import { announce, announceTurn, type RawListener, RawListeners, Turns } from './reading.ts'
import type { SessionEvents } from './session-events.ts'
import type { SessionStats } from './session-stats.ts'

interface IncomingParts {
  mapper: MessageMapper
  events: Emitter<SessionEvents>
  outbox: Outbox
  activity: Activity
  stats: SessionStats
  /** How many messages may be unread before reading stops. */
  highWaterMark: number
  /** A reader has fallen behind, or has caught up. */
  onLag(behind: boolean): void
}

export class IncomingMessages {
  readonly stream: MessageStream<SessionMessage>
  readonly #parts: IncomingParts
  readonly #rawListeners: RawListeners
  readonly #turns = new Turns()
  readonly #cliSessionIds: string[] = []
  #lastResult: ResultMessage | undefined

  constructor(parts: IncomingParts) {
    const { highWaterMark, onLag } = parts
    this.#parts = parts
    this.stream = new MessageStream({ highWaterMark, backlogLimit: 1000, onLag })
    this.#rawListeners = new RawListeners({ highWaterMark, onLag })
  }

  get lastResult(): ResultMessage | undefined {
    return this.#lastResult
  }

  get cliSessionIds(): readonly string[] {
    return this.#cliSessionIds
  }

  /** Everything that has come is the listener's: nothing is kept for a first reader of `stream` any more. */
  onRawMessage(listener: RawListener): () => void {
    this.stream.dropBacklog()
    return this.#rawListeners.add(listener)
  }

  /** The agent started on a message of ours: it is part of the turn that runs or begins. */
  messageStarted(uuid: string): void {
    this.#turns.messageStarted(uuid)
  }

  receive(message: CliMessage): void {
    const { mapper, events, outbox, activity, stats } = this.#parts
    stats.received()
    const raw = message.type === 'command_lifecycle' ? this.#withOurId(message) : message
    if (raw.type !== 'stream_event') {
      outbox.observe(message)
      if (raw.type === 'system' && raw.subtype === 'init') this.#noteCliSession(raw.session_id)
    }
    announceTurn(events, raw, this.#turns)
    this.#rawListeners.deliver(raw)
    mapper.map(raw, this.#deliver)
    // Last, so that a reader has seen the result when the state says that the turn is over.
    if (raw.type !== 'stream_event') activity.observe(raw)
  }

  readonly #deliver = (message: SessionMessage): void => {
    this.#parts.stats.delivered(message)
    if (message.type === 'result') this.#lastResult = message
    this.stream.push(message)
    announce(this.#parts.events, message, this.#turns)
  }

  /** A message that was called back goes out under another id, which the program does not know. */
  #withOurId(report: CliMessage): CliMessage {
    const { command_uuid: wireUuid } = report
    const id = typeof wireUuid === 'string' ? this.#parts.outbox.idOf(wireUuid) : wireUuid
    return id === wireUuid ? report : { ...report, command_uuid: id }
  }

  #noteCliSession(id: unknown): void {
    if (typeof id === 'string' && this.#cliSessionIds.at(-1) !== id) this.#cliSessionIds.push(id)
  }
}
