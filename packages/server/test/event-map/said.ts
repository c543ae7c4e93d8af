/** Events in a form to compare. */
import { type NewEvent, type StreamEvent, streamEventSchema } from '@dorkos/shared'
import { expect } from 'vitest'
import type { Recorded } from './recorded-session.ts'

/** What is the same whether a session is watched or read: words by block, calls with inputs, results, when and how long, lists of tasks. */
export function said(events: (NewEvent | StreamEvent)[]) {
  const blocks = new Map<string, string>()
  for (const event of events)
    if (event.type === 'text_delta' || event.type === 'thinking_delta') {
      const key = `${event.type} ${event.message_id} ${event.index} ${event.parent}`
      blocks.set(key, (blocks.get(key) ?? '') + event.text)
    }
  return {
    blocks: [...blocks],
    thought: events.flatMap((event) =>
      event.type === 'thinking_end' ? [[event.message_id, event.index, event.parent, event.duration_ms]] : [],
    ),
    calls: events.flatMap((event) =>
      event.type === 'tool_call_end'
        ? [[event.tool_call_id, event.name, event.input, event.parent, event.cli_time]]
        : [],
    ),
    results: events.flatMap((event) =>
      event.type === 'tool_result'
        ? [[event.tool_call_id, event.content, event.is_error, event.parent, event.cli_time]]
        : [],
    ),
    todos: events.flatMap((event) => (event.type === 'todo_update' ? [event.todos] : [])),
    subagents: events.flatMap((event) =>
      event.type === 'subagent_start' || event.type === 'subagent_end'
        ? [[event.type, event.tool_call_id, event.task_id, 'status' in event ? event.status : event.agent]]
        : [],
    ),
  }
}

/** The events in short, without ids: `text hello`, `start Bash`, `end Bash {…}`, `result ok`. */
export function brief(events: (NewEvent | StreamEvent)[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'text_delta':
        return [`text ${event.text}`]
      case 'thinking_delta':
        return [`thinking ${event.text}`]
      case 'tool_call_start':
        return [`start ${event.name}`]
      case 'tool_call_end':
        return [`end ${event.name}`]
      case 'tool_result':
        return [`result ${event.is_error ? 'error' : 'ok'}`]
      case 'tool_call_delta':
        return []
      case 'session_status':
        return [`status ${event.state}`]
      case 'user_message':
        return [`${event.synthetic ? 'synthetic' : 'user'} ${JSON.stringify(event.content)}`.slice(0, 60)]
      default:
        return [event.type]
    }
  })
}

export function agrees({ live, history, sessionId }: Recorded): void {
  expect(said(history)).toEqual(said(live))
  for (const event of history) expect(streamEventSchema.parse(event).session).toBe(sessionId)
  const ids = history.map(({ id }) => Number(id.slice(2)))
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
}
