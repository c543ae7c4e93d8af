/** The parts that tools, resources and prompts have in common, cleaned field by field. */
import { isRecord } from '@dorkos/processes'
import type { Definition } from './catalogue.ts'
import { cleanJson, UncleanValue } from './clean-json.ts'
import { cleanLine, cleanText, cutText, hasHiddenCharacters } from './clean-text.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_FIELD_LENGTH, MAX_QUOTE_LENGTH, MAX_TITLE_LENGTH } from './limits.ts'

/** Why a whole definition is left out. */
export class LeftOut extends Error {}

export type Note = (fault: string) => void

/** Fields by which a definition is known; they are checked by whoever reads the definition. */
type FieldRule = (value: unknown) => boolean

const isString: FieldRule = (value) => typeof value === 'string'
const isOptionalBoolean = (value: unknown) => value === undefined || typeof value === 'boolean'

const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  title: isString,
  description: isString,
  mimeType: isString,
  size: (value) => typeof value === 'number' && value >= 0,
  annotations: isAnnotations,
  icons: (value) => Array.isArray(value) && value.every((icon) => isRecord(icon) && isString(icon.src)),
  execution: isRecord,
  _meta: isRecord,
}

/**
 * Every field but `keys`. One that cannot be kept is left out and noted: a client that checks types would refuse the whole list for it.
 */
export function cleanFields(
  raw: Readonly<Record<string, unknown>>,
  keys: ReadonlySet<string>,
  note: Note,
): Definition {
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    if (keys.has(key) || raw[key] === undefined) continue
    if (key === '__proto__' || key.length > MAX_QUOTE_LENGTH || hasHiddenCharacters(key)) {
      note('a field with an unusable name is left out')
      continue
    }
    try {
      const value = cleanField(key, raw[key], note)
      if (value !== undefined) fields[key] = value
    } catch (error) {
      if (!(error instanceof UncleanValue)) throw error
      note(`its ${key} is left out: it ${error.message}`)
    }
  }
  return fields
}

function cleanField(key: string, raw: unknown, note: Note): unknown {
  const rule = Object.hasOwn(FIELD_RULES, key) ? FIELD_RULES[key] : undefined
  if (rule && !rule(raw)) throw new UncleanValue('is not of the right kind')
  if (key === 'title' && typeof raw === 'string') return cut(key, cleanLine(raw), MAX_TITLE_LENGTH, note)
  if (key === 'description' && typeof raw === 'string')
    return cut(key, cleanText(raw), MAX_DESCRIPTION_LENGTH, note)
  return cleanBounded(raw)
}

/** Throws UncleanValue. */
export function cleanBounded(raw: unknown): unknown {
  const value = cleanJson(raw)
  if (value !== undefined && JSON.stringify(value).length > MAX_FIELD_LENGTH)
    throw new UncleanValue(`is longer than ${MAX_FIELD_LENGTH} characters`)
  return value
}

export function cut(what: string, text: string, maxLength: number, note: Note): string {
  if (text.length > maxLength) note(`its ${what} is cut to ${maxLength} characters`)
  return cutText(text, maxLength)
}

/** A name or text of the server within a fault. */
export function quote(text: unknown): string {
  return typeof text === 'string' ? `'${cutText(cleanLine(text), MAX_QUOTE_LENGTH)}'` : 'without a name'
}

/** The hints of tools are booleans, the title a string; resources have an audience and a priority. */
function isAnnotations(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (
    (value.title === undefined || isString(value.title)) &&
    isOptionalBoolean(value.readOnlyHint) &&
    isOptionalBoolean(value.destructiveHint) &&
    isOptionalBoolean(value.idempotentHint) &&
    isOptionalBoolean(value.openWorldHint)
  )
}
