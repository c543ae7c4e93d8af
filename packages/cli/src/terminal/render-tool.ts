/** A tool call in one line, and what it is about. */
import { oneLine } from './escape.ts'

/** The keys of the input that say most, in this order. */
const mainKeys = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
  'prompt',
  'plan',
]

/** What the call is about, on one line; empty when the input says nothing. */
export function toolSubject(input: Record<string, unknown>): string {
  for (const key of mainKeys) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return oneLine(value)
  }
  const [question] = Array.isArray(input.questions) ? (input.questions as unknown[]) : []
  if (typeof question === 'object' && question !== null && 'question' in question)
    return oneLine(String(question.question))
  return Object.keys(input).length === 0 ? '' : oneLine(JSON.stringify(input))
}

/** `mcp__dorkos__ping` is shown as `dorkos: ping`. */
export function toolTitle(name: string): string {
  const match = /^mcp__(.+?)__(.+)$/.exec(name)
  return oneLine(match ? `${match[1]}: ${match[2]}` : name)
}

/** The text of a tool's result. */
export function resultText(content: readonly { type: string; [key: string]: unknown }[]): string {
  return content.map((block) => (typeof block.text === 'string' ? block.text : `[${block.type}]`)).join('\n')
}
