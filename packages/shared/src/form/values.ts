/** Between what stands in the fields of a form and values. Pure. */

import { isRecord } from '../is-record.ts'
import { type FormFault, listed, valueFault } from './faults.ts'
import type { FormField } from './fields.ts'

/**
 * What stands in each field, by name; '' is “not given”. A truth value is `true` or `false`, a choice the place of its option, several
 * choices their places with commas between.
 */
export type FormDraft = Readonly<Record<string, string>>

export function isFormDraft(value: unknown): value is FormDraft {
  return isRecord(value) && Object.values(value).every((field) => typeof field === 'string')
}

/** The draft that a form begins with: the defaults of its schema. */
export function initialDraft(fields: readonly FormField[]): FormDraft {
  return Object.fromEntries(fields.map((field) => [field.name, fieldDraft(field, field.shape.default) ?? '']))
}

/** The draft that holds exactly these values; undefined where the form has no room for a part of them. */
export function draftFrom(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
): FormDraft | undefined {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const draft: [string, string][] = fields.map(({ name }) => [name, ''])
  for (const [name, value] of Object.entries(values)) {
    const field = byName.get(name)
    const written = field && fieldDraft(field, value)
    if (written === undefined) return undefined
    draft.push([name, written])
  }
  return Object.fromEntries(draft)
}

/** What a field shows for a value; undefined where it cannot hold it. */
export function fieldDraft(field: FormField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? value : undefined
    case 'number':
      return typeof value === 'number' ? String(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'choice':
      return optionIndex(field, value)
    case 'choices': {
      const indexes = Array.isArray(value) ? value.map((one) => optionIndex(field, one)) : []
      return indexes.length > 0 && !indexes.includes(undefined) ? indexes.join(',') : undefined
    }
    case 'list': {
      const lines = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
      const draft = lines.join('\n')
      return lines.length > 0 && JSON.stringify(linesOf(draft)) === JSON.stringify(value) ? draft : undefined
    }
    case 'json':
      return value === undefined ? undefined : JSON.stringify(value, undefined, 2)
  }
}

function optionIndex(
  { options }: Extract<FormField, { kind: 'choice' | 'choices' }>,
  value: unknown,
): string | undefined {
  const index = options.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value))
  return index < 0 ? undefined : String(index)
}

export interface ReadForm {
  /** By name; what was not given is left out. */
  values: Record<string, unknown>
  faults: Readonly<Record<string, FormFault>>
}

export function readForm(fields: readonly FormField[], draft: FormDraft): ReadForm {
  const values: [string, unknown][] = []
  const faults: [string, FormFault][] = []
  for (const field of fields) {
    const written = Object.hasOwn(draft, field.name) ? (draft[field.name] ?? '') : ''
    const read = readField(field, written)
    if ('fault' in read) faults.push([field.name, read.fault])
    else if (read.value !== undefined) values.push([field.name, read.value])
  }
  return { values: Object.fromEntries(values), faults: Object.fromEntries(faults) }
}

/** The value is undefined where none was given and none is needed. */
export function readField(field: FormField, written: string): { value: unknown } | { fault: FormFault } {
  const keepsSpaces = field.kind === 'text' && field.format === undefined
  if ((keepsSpaces ? written : written.trim()) === '')
    return field.required ? { fault: { code: 'required', path: '', wants: '' } } : { value: undefined }
  const value = writtenValue(field, written)
  const fault = value === undefined ? unreadable(field) : valueFault(field.shape, value, field.root)
  return fault ? { fault } : { value }
}

/** Undefined where the text is none of the kind. */
function writtenValue(field: FormField, written: string): unknown {
  switch (field.kind) {
    case 'text':
      return textValue(field.format, written)
    case 'number': {
      const value = Number(written.trim().replace(/^(-?\d*),(\d+)$/, '$1.$2'))
      return Number.isFinite(value) ? value : undefined
    }
    case 'boolean':
      return written === 'true' ? true : written === 'false' ? false : undefined
    case 'choice':
      return field.options[Number(written)]?.value
    case 'choices': {
      const chosen = new Set(written.split(',').map((index) => field.options[Number(index)]))
      return chosen.has(undefined)
        ? undefined
        : field.options.flatMap((one) => (chosen.has(one) ? [one.value] : []))
    }
    case 'list':
      return linesOf(written)
    case 'json':
      return parsed(written)
  }
}

/** Times are written in the zone of whoever writes, and given in UTC. */
function textValue(format: string | undefined, written: string): string | undefined {
  if (format !== 'date-time') return format === undefined ? written : written.trim()
  const time = new Date(written)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

function linesOf(written: string): string[] {
  return written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}

function unreadable(field: FormField): FormFault {
  switch (field.kind) {
    case 'number':
      return { code: field.integer ? 'integer' : 'number', path: '', wants: '' }
    case 'choice':
    case 'choices':
      return { code: 'choice', path: '', wants: listed(field.options.map(({ label }) => label)) }
    case 'boolean':
      return { code: 'choice', path: '', wants: 'true, false' }
    case 'text':
      return { code: 'date-time', path: '', wants: '' }
    default:
      return { code: 'json', path: '', wants: '' }
  }
}
