/** Neighbouring deltas of one block → one. Before they get ids, never after: an id is a promise. */
import type { NewEvent } from '@dorkos/shared'

/** Characters in a joined delta; a single larger one stays as it is. */
export const maxJoinedChars = 4096

type Delta = Extract<NewEvent, { type: 'text_delta' | 'thinking_delta' | 'tool_call_delta' }>

/** The text of each block, and the order of everything, stay the same. */
export function joinDeltas(events: readonly NewEvent[]): NewEvent[] {
  const joined: NewEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const together = last && isDelta(last) && isDelta(event) ? join(last, event) : undefined
    if (together === undefined) joined.push(event)
    else joined[joined.length - 1] = together
  }
  return joined
}

function isDelta(event: NewEvent): event is Delta {
  return event.type === 'text_delta' || event.type === 'thinking_delta' || event.type === 'tool_call_delta'
}

function join(first: Delta, second: Delta): Delta | undefined {
  if (first.parent !== second.parent) return undefined
  if (first.type === 'tool_call_delta') {
    if (second.type !== 'tool_call_delta' || first.tool_call_id !== second.tool_call_id) return undefined
    return fits(first.json, second.json) ? { ...first, json: first.json + second.json } : undefined
  }
  if (second.type !== first.type) return undefined
  if (first.message_id !== second.message_id || first.index !== second.index) return undefined
  return fits(first.text, second.text) ? { ...first, text: first.text + second.text } : undefined
}

const fits = (first: string, second: string): boolean => first.length + second.length <= maxJoinedChars
