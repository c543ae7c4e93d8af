/**
 * Messages of the CLI that become no event, each with the reason: what they say is published by another event, or is between
 * the CLI and its host alone. Everything that is neither here nor known to the map passes as `cli_message`.
 */
export const droppedMessages: Readonly<Record<string, string>> = {
  control_request: 'a question to the host; approvals and tool events show it',
  control_response: 'an answer to the host',
  control_cancel_request: 'a question taken back; the approval becomes void',
  keep_alive: 'a heartbeat without content',
  transcript_mirror: 'a copy of the transcript',
  command_lifecycle: 'where a message stands: turn_start, turn_end and queue_update say it',
  result: 'the end of a turn: turn_end and cost_update say it',
  'system/session_state_changed': 'session_status says it',
  'system/background_tasks_changed': 'tasks_update says it, and session_status has their number',
  'system/control_request_progress': 'progress of a question of the host',
  'system/thinking_tokens': 'an estimate while the model thinks; the ledger has the figures',
  'system/hook_started': 'its end says it',
  'system/hook_progress': 'its end says it',
  'system/stop_hook_summary': 'hook_result says it, of each',
  'system/ui_invalidate': 'for the terminal only',
  'system/task_updated': 'tasks_update says it; task_notification follows',
  'stream_event/ping': 'a heartbeat of the API',
  'stream_event/message_delta': 'usage and stop reason; turn_end has the figures',
}

/**
 * Informational messages that become no event, by how they begin. The CLI (2.1.325) says this one where auto mode would ask the model about a call:
 * a mode that sessions here do not have, and the address that it names is our model gateway's.
 */
const droppedInformation =
  "We're changing auto mode to no longer charge for classifier requests in Claude Code."

export function isDroppedInformation(content: unknown): boolean {
  return typeof content === 'string' && content.startsWith(droppedInformation)
}

/** The name of a message's kind: its type, and its subtype where it has one. */
export function messageKind(message: { type?: unknown; subtype?: unknown }): string {
  const type = typeof message.type === 'string' ? message.type : 'unknown'
  return (typeof message.subtype === 'string' ? `${type}/${message.subtype}` : type).slice(0, 200)
}
