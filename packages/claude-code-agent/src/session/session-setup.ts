/** What a session is made of. */
import type { SessionOptions } from '../options.ts'
import type { ConnectableServer } from '../protocol/mcp-router.ts'
import type { Transport } from '../transport/transport.ts'
import type { MessageMapper } from './messages.ts'

export interface SessionSetup {
  id: string
  options: SessionOptions
  transport: Transport
  /** The in-process servers, by name. */
  servers: ReadonlyMap<string, ConnectableServer>
  keepAlive: boolean
  warn(warning: string): void
  /** Called when the CLI has started, or never will: takes away what only its start needed. May be called twice. */
  afterStart(): void
  /** Default: the session's own kinds of messages. */
  mapper?: MessageMapper
  /** The conversation existed before. */
  resumed?: boolean
  /** False spares each tool call the round trip that a pause needs. */
  pausable: boolean
}
