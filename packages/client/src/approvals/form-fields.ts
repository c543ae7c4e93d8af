/** The form of an MCP elicitation: a flat JSON schema taken apart into fields, and what is filled in checked. Pure; the schema is a server's. */
import { text } from '../text/card-text.ts'

interface FormOption {
  value: string
  label: string
}

interface FieldBase {
  name: string
  label: string
  description: string | undefined
  required: boolean
}

export type FormField = FieldBase &
  (
    | {
        kind: 'text'
        format: 'email' | 'uri' | 'date' | 'date-time' | undefined
        minLength: number | undefined
        maxLength: number | undefined
        pattern: string | undefined
        initial: string
      }
    | { kind: 'number'; integer: boolean; min: number | undefined; max: number | undefined; initial: string }
    | { kind: 'boolean'; initial: boolean }
    | { kind: 'choice'; options: FormOption[]; initial: string }
    | {
        kind: 'choices'
        options: FormOption[]
        minItems: number | undefined
        maxItems: number | undefined
        initial: string[]
      }
    /** A shape that has no field here: given as JSON. */
    | { kind: 'json'; initial: string }
  )

export type FieldValue = string | boolean | string[]
export type FormDraft = Readonly<Record<string, FieldValue>>

const mostFields = 100

export function formFields(schema: unknown): FormField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties)
    .slice(0, mostFields)
    .map(([name, property]) => fieldOf(name, property, required.includes(name)))
}

function fieldOf(name: string, property: unknown, required: boolean): FormField {
  const shape = isRecord(property) ? property : {}
  const base = { name, label: textOf(shape.title) ?? name, description: textOf(shape.description), required }
  const initial = shape.default
  if (shape.type === 'boolean') return { ...base, kind: 'boolean', initial: initial === true }
  if (shape.type === 'number' || shape.type === 'integer')
    return {
      ...base,
      kind: 'number',
      integer: shape.type === 'integer',
      min: numberOf(shape.minimum),
      max: numberOf(shape.maximum),
      initial: typeof initial === 'number' ? String(initial) : '',
    }
  if (shape.type === 'string') return textField(base, shape)
  const options = shape.type === 'array' && isRecord(shape.items) ? optionsOf(shape.items) : undefined
  if (options)
    return {
      ...base,
      kind: 'choices',
      options,
      minItems: numberOf(shape.minItems),
      maxItems: numberOf(shape.maxItems),
      initial: Array.isArray(initial)
        ? initial.filter((value) => options.some((option) => option.value === value))
        : [],
    }
  return { ...base, kind: 'json', initial: initial === undefined ? '' : JSON.stringify(initial) }
}

const formats = ['email', 'uri', 'date', 'date-time'] as const

function textField(base: FieldBase, shape: Record<string, unknown>): FormField {
  const initial = typeof shape.default === 'string' ? shape.default : ''
  const options = optionsOf(shape)
  if (options) {
    const known = options.some(({ value }) => value === initial)
    return { ...base, kind: 'choice', options, initial: known ? initial : '' }
  }
  return {
    ...base,
    kind: 'text',
    format: formats.find((format) => format === shape.format),
    minLength: numberOf(shape.minLength),
    maxLength: numberOf(shape.maxLength),
    pattern: textOf(shape.pattern),
    initial,
  }
}

/** `enum` (with `enumNames`), or `oneOf`/`anyOf` of titled constants. */
function optionsOf(shape: Record<string, unknown>): FormOption[] | undefined {
  const titled = Array.isArray(shape.oneOf) ? shape.oneOf : shape.anyOf
  if (Array.isArray(titled)) {
    const options = titled.flatMap((entry: unknown) =>
      isRecord(entry) && typeof entry.const === 'string'
        ? [{ value: entry.const, label: textOf(entry.title) ?? entry.const }]
        : [],
    )
    return options.length > 0 ? unique(options) : undefined
  }
  if (!Array.isArray(shape.enum)) return undefined
  const names: unknown[] = Array.isArray(shape.enumNames) ? shape.enumNames : []
  const options = shape.enum.flatMap((value: unknown, index) =>
    typeof value === 'string' ? [{ value, label: textOf(names[index]) ?? value }] : [],
  )
  return options.length > 0 ? unique(options) : undefined
}

function unique(options: FormOption[]): FormOption[] {
  return options.filter(({ value }, index) => options.findIndex((other) => other.value === value) === index)
}

export function draftOfFields(fields: readonly FormField[]): FormDraft {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial]))
}

export interface FilledForm {
  /** What is sent: fields that were left empty are left out. */
  content: Record<string, unknown>
  faults: Readonly<Record<string, string>>
}

export function readForm(fields: readonly FormField[], draft: FormDraft): FilledForm {
  const content: [string, unknown][] = []
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const value = Object.hasOwn(draft, field.name) ? draft[field.name] : undefined
    const read = readField(field, value ?? field.initial)
    if ('fault' in read) faults[field.name] = read.fault
    else if (read.value !== undefined) content.push([field.name, read.value])
    else if (field.required) faults[field.name] = text.approvals.form.faults.required
  }
  return { content: Object.fromEntries(content), faults }
}

type Read = { value: unknown } | { fault: string }

function readField(field: FormField, value: FieldValue): Read {
  const t = text.approvals.form.faults
  if (field.kind === 'boolean') return { value: value === true }
  if (field.kind === 'choices') return readChoices(field, Array.isArray(value) ? value : [])
  const written = typeof value === 'string' ? value : ''
  if (written.trim() === '') return { value: undefined }
  if (field.kind === 'text') return readText(field, written)
  if (field.kind === 'number') return readNumber(field, written)
  if (field.kind === 'choice')
    return field.options.some((option) => option.value === written) ? { value: written } : { fault: t.choice }
  try {
    return { value: JSON.parse(written) as unknown }
  } catch {
    return { fault: t.json }
  }
}

function readChoices(field: Extract<FormField, { kind: 'choices' }>, chosen: string[]): Read {
  const t = text.approvals.form.faults
  const value = field.options.map((option) => option.value).filter((option) => chosen.includes(option))
  if (value.length === 0 && !field.required && (field.minItems ?? 0) === 0) return { value: undefined }
  if (field.minItems !== undefined && value.length < field.minItems)
    return { fault: t.minItems(field.minItems) }
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return { fault: t.maxItems(field.maxItems) }
  return value.length === 0 ? { fault: t.required } : { value }
}

function readNumber(field: Extract<FormField, { kind: 'number' }>, written: string): Read {
  const t = text.approvals.form.faults
  const value = Number(written.trim().replace(',', '.'))
  if (!Number.isFinite(value)) return { fault: t.number }
  if (field.integer && !Number.isInteger(value)) return { fault: t.integer }
  if (field.min !== undefined && value < field.min) return { fault: t.min(field.min) }
  if (field.max !== undefined && value > field.max) return { fault: t.max(field.max) }
  return { value }
}

function readText(field: Extract<FormField, { kind: 'text' }>, written: string): Read {
  const t = text.approvals.form.faults
  const { format, minLength, maxLength } = field
  const length = [...written].length
  if (minLength !== undefined && length < minLength) return { fault: t.minLength(minLength) }
  if (maxLength !== undefined && length > maxLength) return { fault: t.maxLength(maxLength) }
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(written.trim())) return { fault: t.email }
  if (format === 'uri' && !URL.canParse(written.trim())) return { fault: t.uri }
  if (format === 'date' && !isDate(written)) return { fault: t.date }
  if (format === 'date-time') {
    const time = new Date(written)
    return Number.isNaN(time.getTime()) ? { fault: t.dateTime } : { value: time.toISOString() }
  }
  return { value: format === undefined ? written : written.trim() }
}

function isDate(written: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written))
}

export function isFormDraft(value: unknown): value is FormDraft {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (field) =>
        typeof field === 'string' ||
        typeof field === 'boolean' ||
        (Array.isArray(field) && field.every((one) => typeof one === 'string')),
    )
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
