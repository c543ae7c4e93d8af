/** An input as fields of text that one can edit, and back. Pure. */
import { text } from '../text/card-text.ts'

export interface InputField {
  name: string
  /** Text stands as it is; everything else as JSON. */
  isJson: boolean
}

export type InputDraft = Readonly<Record<string, string>>

export function inputFields(input: Readonly<Record<string, unknown>>): InputField[] {
  return Object.entries(input).map(([name, value]) => ({ name, isJson: typeof value !== 'string' }))
}

export function draftOfInput(input: Readonly<Record<string, unknown>>): InputDraft {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
    ]),
  )
}

export interface EditedInput {
  /** Absent when a field has a fault. */
  input: Record<string, unknown> | undefined
  changed: boolean
  faults: Readonly<Record<string, string>>
}

/** A field that is missing in the draft stays as it was. */
export function readDraft(original: Readonly<Record<string, unknown>>, draft: InputDraft): EditedInput {
  const before = draftOfInput(original)
  const input: Record<string, unknown> = { ...original }
  const faults: Record<string, string> = {}
  let changed = false
  for (const { name, isJson } of inputFields(original)) {
    const written = Object.hasOwn(draft, name) ? draft[name] : undefined
    if (written === undefined || written === before[name]) continue
    changed = true
    if (!isJson) input[name] = written
    else {
      try {
        input[name] = JSON.parse(written)
      } catch (error) {
        faults[name] = text.approvals.edit.notJson(error instanceof Error ? error.message : '')
      }
    }
  }
  return { input: Object.keys(faults).length === 0 ? input : undefined, changed, faults }
}

export function isInputDraft(value: unknown): value is InputDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((field) => typeof field === 'string')
  )
}
