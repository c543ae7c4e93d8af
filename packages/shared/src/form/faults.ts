/**
 * What in a value does not fit a JSON Schema: the one check of everything that is filled in, on the page, in a terminal and by the server.
 * Keywords that it does not know (`pattern`, which could be made to take for ever; `allOf`; …) it leaves to whoever wrote the schema.
 */
import { isRecord } from '../is-record.ts'
import {
  isNullable,
  type JsonSchema,
  numberOf,
  optionsOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  typesOf,
} from './json-schema.ts'

/** In English, to be put behind the name of what it is about. The page has its own words. */
const texts = {
  required: () => 'is required',
  unknown: () => 'is not asked for',
  type: (wants: string) => `must be of type ${wants}`,
  choice: (wants: string) => `must be one of ${wants}`,
  number: () => 'must be a number',
  integer: () => 'must be a whole number',
  array: () => 'must be a list',
  object: () => 'must be an object',
  min: (wants: string) => `must be at least ${wants}`,
  max: (wants: string) => `must be at most ${wants}`,
  minLength: (wants: string) => `must have at least ${wants} characters`,
  maxLength: (wants: string) => `must have at most ${wants} characters`,
  minItems: (wants: string) => `must have at least ${wants} entries`,
  maxItems: (wants: string) => `must have at most ${wants} entries`,
  email: () => 'must be an e-mail address',
  uri: () => 'must be a whole web address',
  date: () => 'must be a date such as 2026-02-28',
  'date-time': () => 'must be a date and a time',
  json: () => 'must be JSON',
  tooLarge: () => 'is too large to be checked',
}

export interface FormFault {
  code: keyof typeof texts
  /** Where in the value: `tags[1].name`; '' for the value itself. */
  path: string
  /** What the rule asks for: a limit, types, choices; '' where the code says all. */
  wants: string
}

export function faultText({ code, wants }: FormFault): string {
  return texts[code](wants)
}

const deepest = 100
const mostChecked = 50_000
const mostListed = 20

/** The first fault of what was given for a form: whatever it has no field for is one. */
export function formFault(schema: unknown, values: Record<string, unknown>): FormFault | undefined {
  const root = isRecord(schema) ? schema : {}
  const known = new Map(propertiesOf(resolveSchema(root, root)))
  const unknown = Object.keys(values).find((name) => !known.has(name))
  return unknown === undefined ? valueFault(root, values) : fault('unknown', '', unknown)
}

/** The first fault of a value. `root` is the document that references mean. */
export function valueFault(
  schema: unknown,
  value: unknown,
  root: JsonSchema = isRecord(schema) ? schema : {},
): FormFault | undefined {
  let checked = 0
  const check = (given: unknown, part: unknown, path: string, depth: number): FormFault | undefined => {
    checked += 1
    if (depth > deepest || checked > mostChecked) return fault('tooLarge', '', path)
    const shape = resolveSchema(given, root)
    const own = ownFault(shape, part)
    if (own) return { ...own, path: join(path, own.path) }
    for (const [name, inner, innerShape] of partsOf(shape, part)) {
      const found = check(innerShape, inner, join(path, name), depth + 1)
      if (found) return found
    }
    return undefined
  }
  return check(schema, value, '', 0)
}

function fault(code: FormFault['code'], wants: string | number = '', path = ''): FormFault {
  return { code, path, wants: String(wants) }
}

function join(path: string, name: string): string {
  return path === '' || name === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`
}

function ownFault(shape: JsonSchema, value: unknown): FormFault | undefined {
  if (value === null && isNullable(shape)) return undefined
  const options = optionsOf(shape)
  if (options) {
    const fits = options.some((one) => JSON.stringify(one.value) === JSON.stringify(value))
    return fits ? undefined : fault('choice', listed(options.map((one) => one.value)))
  }
  const types = typesOf(shape)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return typeFault(types)
  if (typeof value === 'number') return bound(value, shape, 'min', 'max', ['minimum', 'maximum'])
  if (typeof value === 'string')
    return bound([...value].length, shape, 'minLength', 'maxLength') ?? formatFault(shape.format, value)
  if (Array.isArray(value)) return bound(value.length, shape, 'minItems', 'maxItems')
  return isRecord(value) ? keyFault(shape, value) : undefined
}

function typeFault(types: string[]): FormFault {
  const [type] = types
  const hasWord = type === 'number' || type === 'integer' || type === 'array' || type === 'object'
  return types.length === 1 && hasWord ? fault(type) : fault('type', types.join(' or '))
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'number':
      return Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    default:
      return true
  }
}

type Limit = 'min' | 'max' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems'

function bound(
  size: number,
  shape: JsonSchema,
  least: Limit,
  most: Limit,
  [leastKey, mostKey]: [string, string] = [least, most],
): FormFault | undefined {
  const [min, max] = [numberOf(shape[leastKey]), numberOf(shape[mostKey])]
  if (min !== undefined && size < min) return fault(least, min)
  return max !== undefined && size > max ? fault(most, max) : undefined
}

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/

function formatFault(format: unknown, value: string): FormFault | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : fault('email')
    case 'uri':
      return URL.canParse(value) ? undefined : fault('uri')
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && isTime(value) ? undefined : fault('date')
    case 'date-time':
      return dateTime.test(value) && isTime(value) ? undefined : fault('date-time')
    default:
      return undefined
  }
}

function isTime(value: string): boolean {
  return !Number.isNaN(Date.parse(value))
}

function keyFault(shape: JsonSchema, value: Record<string, unknown>): FormFault | undefined {
  for (const name of requiredOf(shape))
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return fault('required', '', name)
  if (shape.additionalProperties !== false || shape.patternProperties !== undefined) return undefined
  const known = new Map(propertiesOf(shape))
  const unknown = Object.keys(value).find((name) => !known.has(name))
  return unknown === undefined ? undefined : fault('unknown', '', unknown)
}

/** The parts of a value that the schema says something about. */
function partsOf(shape: JsonSchema, value: unknown): [string, unknown, unknown][] {
  if (Array.isArray(value))
    return isRecord(shape.items) ? value.map((item, index) => [`[${index}]`, item, shape.items]) : []
  if (!isRecord(value)) return []
  return propertiesOf(shape).flatMap(([name, part]): [string, unknown, unknown][] =>
    Object.hasOwn(value, name) ? [[name, value[name], part]] : [],
  )
}

export function listed(values: readonly unknown[]): string {
  const shown = values
    .slice(0, mostListed)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return `${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`
}
