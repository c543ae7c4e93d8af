/**
 * Edits the input of a tool call in the terminal, one key at a time. Not in a file for an editor: an agent could write to that
 * file too, and a person would allow what they never typed.
 */
import type { AskContext } from './ask-approval.ts'
import { exactText, hasHidden, oneLine, safeJson } from './escape.ts'

/** Undefined when nothing was changed. */
export async function editInput(
  { asker, notify, signal }: AskContext,
  input: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const keys = Object.keys(input)
  const [first] = keys
  if (first === undefined) {
    notify('Nothing to edit.\n')
    return undefined
  }
  const names = keys.map((key) => oneLine(exactText(key))).join(', ')
  const named = keys.length === 1 ? first : await asker.ask(`Which one: ${names}? `, { signal })
  const key = named?.trim()
  if (key === undefined || !keys.includes(key)) return undefined
  const shown = editable(input[key])
  for (;;) {
    if (shown.isJson)
      notify('Edit it as JSON, because it has several lines, hidden characters or nested values.\n')
    const line = await asker.ask(`${oneLine(exactText(key))} = `, { signal, initial: shown.text })
    if (line === undefined || line === '' || line === shown.text) return undefined
    const value = readEdited(line, shown.isJson)
    if (value !== undefined) return { ...input, [key]: value }
    notify('That isn’t valid JSON.\n')
  }
}

/** Plain text where it can be typed as it is; else JSON on one line. */
export function editable(value: unknown): { text: string; isJson: boolean } {
  const isPlain = typeof value === 'string' && !/[\n\t]/.test(value) && !hasHidden(value)
  return isPlain ? { text: value, isJson: false } : { text: safeJson(value ?? null), isJson: true }
}

/** Undefined for what is not JSON where it should be. */
export function readEdited(line: string, isJson: boolean): unknown {
  if (!isJson) return line
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
