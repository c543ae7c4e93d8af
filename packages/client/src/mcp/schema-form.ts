/** The input of a tool as a form: fields from its JSON schema, and what is filled in read back as values. Pure; the schema is a server's. */
import { text } from '../text/page-text.ts'
import {
  isRecord,
  numberOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  type Schema,
  textOf,
  typesOf,
} from './json-schema.ts'

interface FieldBase {
  name: string
  label: string
  description: string | undefined
  required: boolean
  /** The schema's default, as the draft has it; '' for none. */
  initial: string
}

export type SchemaField = FieldBase &
  (
    | { kind: 'text'; multiline: boolean }
    | { kind: 'number'; integer: boolean; min: number | undefined; max: number | undefined }
    | { kind: 'boolean' }
    /** The draft holds the place of the value. */
    | { kind: 'choice'; values: readonly unknown[] }
    /** Lists, objects, and what has no one type. */
    | { kind: 'json'; expects: 'array' | 'object' | undefined }
  )

/** What stands in the fields; '' is “not given”. */
export type FormDraft = Readonly<Record<string, string>>

const mostFields = 60
const mostChoices = 500

/** Undefined where a form cannot say what the schema wants: then there is JSON only. */
export function schemaFields(schema: unknown): SchemaField[] | undefined {
  const root = isRecord(schema) ? schema : {}
  const whole = resolveSchema(root, root)
  const properties = propertiesOf(whole)
  if (Array.isArray(whole.anyOf) || Array.isArray(whole.oneOf) || Array.isArray(whole.allOf)) return undefined
  if (properties.length > mostFields || isOpen(whole)) return undefined
  const required = requiredOf(whole)
  return properties.map(([name, property]) =>
    fieldOf(name, resolveSchema(property, root), required.has(name)),
  )
}

/** It says nothing of what it takes, or takes more than what it names: no form has fields for that. */
function isOpen({ properties, additionalProperties: more, patternProperties }: Schema): boolean {
  if (patternProperties !== undefined) return true
  if (isRecord(properties) && Object.keys(properties).length > 0) return false
  return more === undefined ? !isRecord(properties) : more !== false
}

function fieldOf(name: string, shape: Schema, required: boolean): SchemaField {
  const base = { name, label: textOf(shape.title) ?? name, description: textOf(shape.description), required }
  const field = kindOf(base, shape)
  return { ...field, initial: shape.default === undefined ? '' : (draftValue(field, shape.default) ?? '') }
}

function kindOf(known: Omit<FieldBase, 'initial'>, shape: Schema): SchemaField {
  const base = { ...known, initial: '' }
  if (Array.isArray(shape.enum) && shape.enum.length > 0 && shape.enum.length <= mostChoices)
    return { ...base, kind: 'choice', values: shape.enum }
  if (shape.const !== undefined) return { ...base, kind: 'choice', values: [shape.const] }
  const types = typesOf(shape)
  const [type] = types
  if (types.length !== 1) return { ...base, kind: 'json', expects: undefined }
  if (type === 'string') return { ...base, kind: 'text', multiline: (numberOf(shape.maxLength) ?? 0) > 500 }
  if (type === 'boolean') return { ...base, kind: 'boolean' }
  if (type === 'number' || type === 'integer')
    return {
      ...base,
      kind: 'number',
      integer: type === 'integer',
      min: numberOf(shape.minimum),
      max: numberOf(shape.maximum),
    }
  return { ...base, kind: 'json', expects: type === 'array' || type === 'object' ? type : undefined }
}

export function draftOf(fields: readonly SchemaField[]): FormDraft {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))
}

export interface ReadInput {
  input: Record<string, unknown>
  faults: Readonly<Record<string, string>>
}

export function readDraft(fields: readonly SchemaField[], draft: FormDraft): ReadInput {
  const input: [string, unknown][] = []
  const faults: [string, string][] = []
  for (const field of fields) {
    const written = Object.hasOwn(draft, field.name) ? (draft[field.name] ?? '') : ''
    const read = written.trim() === '' && field.kind !== 'text' ? missing(field) : readField(field, written)
    if ('fault' in read) faults.push([field.name, read.fault])
    else if (read.value !== undefined) input.push([field.name, read.value])
  }
  return { input: Object.fromEntries(input), faults: Object.fromEntries(faults) }
}

type Read = { value: unknown } | { fault: string }

function missing({ required }: SchemaField): Read {
  return required ? { fault: text.mcp.form.faults.required } : { value: undefined }
}

function readField(field: SchemaField, written: string): Read {
  const faults = text.mcp.form.faults
  switch (field.kind) {
    case 'text':
      return written === '' ? missing(field) : { value: written }
    case 'boolean':
      return { value: written === 'true' }
    case 'choice': {
      const place = Number(written)
      return place in field.values ? { value: field.values[place] } : { fault: faults.choice }
    }
    case 'number':
      return readNumber(field, written)
    case 'json':
      return readJsonField(field, written)
  }
}

function readNumber(field: Extract<SchemaField, { kind: 'number' }>, written: string): Read {
  const faults = text.mcp.form.faults
  const value = Number(written.trim())
  if (!Number.isFinite(value)) return { fault: faults.number }
  if (field.integer && !Number.isInteger(value)) return { fault: faults.integer }
  if (field.min !== undefined && value < field.min) return { fault: faults.min(field.min) }
  if (field.max !== undefined && value > field.max) return { fault: faults.max(field.max) }
  return { value }
}

function readJsonField({ expects }: Extract<SchemaField, { kind: 'json' }>, written: string): Read {
  const faults = text.mcp.form.faults
  const value = parsed(written)
  if (value === undefined) return { fault: faults.json }
  if (expects === 'array' && !Array.isArray(value)) return { fault: faults.array }
  if (expects === 'object' && !isRecord(value)) return { fault: faults.object }
  return { value }
}

/** What a field shows for a value; undefined where it cannot hold it. */
function draftValue(field: SchemaField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? value : undefined
    case 'number':
      return typeof value === 'number' ? String(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'choice': {
      const place = field.values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))
      return place < 0 ? undefined : String(place)
    }
    case 'json':
      return JSON.stringify(value, undefined, 2)
  }
}

/** The draft that holds exactly this input; undefined where the form has no room for a part of it. */
export function draftFrom(
  fields: readonly SchemaField[],
  input: Record<string, unknown>,
): FormDraft | undefined {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const draft: [string, string][] = fields.map(({ name }) => [name, ''])
  for (const [name, value] of Object.entries(input)) {
    const field = byName.get(name)
    const written = field && draftValue(field, value)
    if (written === undefined) return undefined
    draft.push([name, written])
  }
  return Object.fromEntries(draft)
}

/** The whole input, as JSON: an object, or nothing at all for an empty one. */
export function readJson(written: string): { input: Record<string, unknown> } | { fault: string } {
  if (written.trim() === '') return { input: {} }
  const value = parsed(written)
  if (value === undefined) return { fault: lineFault(written) }
  return isRecord(value) ? { input: value } : { fault: text.mcp.form.faults.object }
}

/** Browsers tell the place of the fault in their own words; where they tell it. */
function lineFault(written: string): string {
  try {
    JSON.parse(written)
  } catch (error) {
    const at = /\bposition (\d+)/.exec(String(error))?.[1]
    if (at !== undefined)
      return text.mcp.form.faults.jsonLine(written.slice(0, Number(at)).split('\n').length)
  }
  return text.mcp.form.faults.json
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}
