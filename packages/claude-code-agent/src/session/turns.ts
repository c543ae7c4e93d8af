/**
 * Turns, and the session's events about them. The CLI announces each turn with `system/init` and ends it with a result; what
 * it starts on in between, or right before the announcement, is part of that turn (2.1.325).
 */
import type { CliMessage } from '../protocol/control-channel.ts'
import type { Emitter } from './emitter.ts'
import type { SessionMessage } from './messages.ts'
import type { SessionEvents, TurnStart } from './session-events.ts'

/** Which messages belong to which turn. */
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
