/** Simple maps: `{ a: 'number', note: 'string?' }`. */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import type { SimpleType } from './args-of.ts'
import { describe } from './json-value.ts'
import {
  type CompiledSchema,
  failed,
  type JsonObject,
  type SchemaCheck,
  type SchemaIssue,
} from './schema-check.ts'

const SIMPLE_TYPES: Record<SimpleType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  object: isRecord,
  array: Array.isArray,
}

interface Field {
  name: string
  type: SimpleType
  optional: boolean
  accepts(value: unknown): boolean
}

/** True for `'number'`, `'string?'` and the like. */
export function isTypeWord(value: unknown): value is string {
  return (
    typeof value === 'string' && Object.hasOwn(SIMPLE_TYPES, value.endsWith('?') ? value.slice(0, -1) : value)
  )
}

export const TYPE_WORDS = Object.keys(SIMPLE_TYPES).join(', ')

/**
 * Unknown fields are refused, so that a mistyped optional field is not lost without a word. `null` in an optional
 * field counts as absent: models write it so.
 */
export function compileSimpleSchema(map: Record<string, unknown>, where: string): CompiledSchema {
  const fields = Object.keys(map).map((name) => parseField(name, map[name], where))
  const names = new Set(fields.map((field) => field.name))
  const json = toJsonSchema(fields)
  return {
    jsonSchema: () => json,
    check: (value) => checkFields(value, fields, names),
  }
}

function parseField(name: string, word: unknown, where: string): Field {
  if (!isTypeWord(word)) {
    throw new ToolDefinitionError(
      `${where}: field '${name}' has the type ${JSON.stringify(word)}; known are ${TYPE_WORDS}, each with an optional '?'`,
    )
  }
  const optional = word.endsWith('?')
  const type = (optional ? word.slice(0, -1) : word) as SimpleType
  return { name, type, optional, accepts: SIMPLE_TYPES[type] }
}

function toJsonSchema(fields: readonly Field[]): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field.name, { type: field.type }]))
  const required = fields.filter((field) => !field.optional).map((field) => field.name)
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

function checkFields(value: unknown, fields: readonly Field[], names: ReadonlySet<string>): SchemaCheck {
  if (!isRecord(value)) return failed(`expected an object, got ${describe(value)}`)
  const issues: SchemaIssue[] = []
  let hasNull = false
  for (const field of fields) {
    const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined
    if (field.accepts(given)) continue
    if (field.optional && (given === undefined || given === null)) hasNull = true
    else issues.push(wrongField(field, given))
  }
  for (const key of Object.keys(value)) {
    if (!names.has(key)) {
      issues.push({ path: key, message: `unknown field; known are: ${[...names].join(', ') || 'none'}` })
    }
  }
  if (issues.length > 0) return { ok: false, issues }
  return { ok: true, value: hasNull ? withoutNulls(value) : value }
}

function wrongField(field: Field, given: unknown): SchemaIssue {
  const got = given === undefined ? 'it is missing' : `got ${describe(given)}`
  return { path: field.name, message: `expected ${field.type}, ${got}` }
}

/** Only optional fields hold null here: a required one would have been refused. */
function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([, given]) => given !== null && given !== undefined),
  )
}
