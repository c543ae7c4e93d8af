/** Results of tool calls as the session gets them: those of the server as they are, and sentences for the model where there is none. */

import { isRecord } from '@dorkos/processes'
import { cleanText, cutText } from '../catalogue/clean-text.ts'

/** Of a result as JSON, about. */
const MAX_RESULT_LENGTH = 8 * 1024 * 1024
const MAX_ERROR_LENGTH = 4_000

export interface ToolFailure {
  content: { type: 'text'; text: string }[]
  isError: true
}

export function toolFailure(sentence: string): ToolFailure {
  return { content: [{ type: 'text', text: sentence }], isError: true }
}

/** The result itself wherever the session can take it. */
export function checkedToolResult(
  result: Record<string, unknown>,
  tool: string,
): Record<string, unknown> | ToolFailure {
  if (isTooLarge(result)) {
    return toolFailure(
      `The result of tool '${tool}' is larger than ${MAX_RESULT_LENGTH / 1024 / 1024} MiB and was not taken. Ask for less at a time.`,
    )
  }
  if (Array.isArray(result.content)) return result
  if (result.structuredContent !== undefined) return { ...result, content: [] }
  return toolFailure(`Tool '${tool}' ended, but its server answered without any content.`)
}

/** The text of whatever was thrown, fit to be read. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  return cutText(cleanText(text), MAX_ERROR_LENGTH)
}

/** By adding up what is in it, without writing it out. */
export function isTooLarge(value: unknown): boolean {
  const open: unknown[] = [value]
  let length = 0
  while (open.length > 0 && length <= MAX_RESULT_LENGTH) {
    const next = open.pop()
    length += typeof next === 'string' ? next.length + 3 : 6
    if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (isRecord(next)) {
      for (const key of Object.keys(next)) {
        length += key.length
        open.push(next[key])
      }
    }
  }
  return length > MAX_RESULT_LENGTH
}
