/** The whole input of a tool, written as JSON: an object, or nothing at all for an empty one. Pure. */
import { isRecord } from '@dorkos/shared'
import { text } from '../text/page-text.ts'

export function readInputJson(written: string): { input: Record<string, unknown> } | { fault: string } {
  if (written.trim() === '') return { input: {} }
  try {
    const value: unknown = JSON.parse(written)
    return isRecord(value) ? { input: value } : { fault: text.form.faults.object() }
  } catch (error) {
    return { fault: lineFault(written, String(error)) }
  }
}

/** Browsers state the place of the fault in their own words, where they state it. */
function lineFault(written: string, error: string): string {
  const at = /\bposition (\d+)/.exec(error)?.[1]
  if (at === undefined) return text.form.faults.json()
  return text.mcp.trying.jsonLine(written.slice(0, Number(at)).split('\n').length)
}
