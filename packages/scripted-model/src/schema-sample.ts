import { isRecord } from './request-body.ts'

// A value that fits a JSON schema, the same one each time.

export interface SampleOptions {
  /** What a string holds, given the name of its property. Lengths and formats are seen to here. */
  text: (name: string) => string
  number: number
  /** Optional properties and one item in each list too, and not only what is required. */
  everything: boolean
}

type Schema = Record<string, unknown>

interface Context {
  root: Schema
  name: string
  depth: number
  options: SampleOptions
}

/** Schemas can refer to themselves: this deep, only what is required is filled in, and twice as deep nothing is. */
const OPTIONAL_DEPTH = 6

export function sampleOf(schema: Schema, options: SampleOptions): unknown {
  return sample(schema, { root: schema, name: 'value', depth: 0, options })
}

function sample(given: unknown, context: Context): unknown {
  if (context.depth > OPTIONAL_DEPTH * 2) return null
  const schema = resolve(given, context)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.default !== undefined && context.options.everything) return schema.default
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, context)
    case 'array':
      return sampleArray(schema, context)
    case 'number':
    case 'integer':
      return sampleNumber(schema, context.options.number)
    case 'boolean':
      return context.options.everything
    case 'null':
      return null
    default:
      return sampleString(schema, context)
  }
}

/** Follows references inside the schema, takes the first of alternatives, and lays parts that all hold over one another. */
function resolve(given: unknown, context: Context): Schema {
  let schema = isRecord(given) ? given : {}
  for (let step = 0; step <= OPTIONAL_DEPTH; step++) {
    const alternatives = schema.anyOf ?? schema.oneOf
    if (typeof schema.$ref === 'string') schema = resolveReference(context.root, schema.$ref)
    else if (Array.isArray(alternatives)) schema = overlay(schema, [alternatives[0]])
    else if (Array.isArray(schema.allOf)) schema = overlay(schema, schema.allOf)
    else return schema
  }
  return {}
}

function overlay({ anyOf: _, oneOf: __, allOf: ___, ...own }: Schema, parts: unknown[]): Schema {
  const merged: Schema = { ...own }
  for (const part of parts.filter((one) => isRecord(one))) {
    for (const [key, value] of Object.entries(part)) {
      const before = merged[key]
      if (key === 'properties' && isRecord(before) && isRecord(value)) merged[key] = { ...before, ...value }
      else if (key === 'required' && Array.isArray(before) && Array.isArray(value))
        merged[key] = [...before, ...value]
      else merged[key] = value
    }
  }
  return merged
}

function resolveReference(root: Schema, reference: string): Schema {
  if (!reference.startsWith('#')) return {}
  let found: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isRecord(found) ? found : {}
}

function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type[0]
  if (schema.type !== undefined) return schema.type
  if (isRecord(schema.properties)) return 'object'
  return schema.items === undefined ? 'string' : 'array'
}

function sampleObject(schema: Schema, context: Context): Schema {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : undefined
  const all = [...new Set([...Object.keys(properties), ...(required ?? [])])]
  const optionalToo = required === undefined || context.options.everything
  const names = optionalToo && context.depth < OPTIONAL_DEPTH ? all : (required ?? [])
  return Object.fromEntries(
    names.map((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, property === undefined ? null : sample(property, below(context, name))]
    }),
  )
}

function sampleArray(schema: Schema, context: Context): unknown[] {
  const wanted = context.options.everything && context.depth < OPTIONAL_DEPTH ? 1 : 0
  const least = limit(schema.minItems) ?? 0
  const length = Math.min(Math.max(wanted, least), limit(schema.maxItems) ?? 100, 100)
  return Array.from({ length }, () => sample(schema.items, below(context, context.name)))
}

function sampleNumber(schema: Schema, wanted: number): number {
  const above = limit(schema.exclusiveMinimum)
  const under = limit(schema.exclusiveMaximum)
  const least = limit(schema.minimum) ?? (above === undefined ? undefined : above + 1)
  const most = limit(schema.maximum) ?? (under === undefined ? undefined : under - 1)
  const clamped = Math.min(Math.max(wanted, least ?? wanted), most ?? Math.max(wanted, least ?? wanted))
  const step = limit(schema.multipleOf)
  return step !== undefined && step > 0 ? Math.ceil(clamped / step) * step : clamped
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  email: 'demo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function sampleString(schema: Schema, context: Context): string {
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
  if (format !== undefined) return format
  const text = context.options.text(context.name).padEnd(Math.min(limit(schema.minLength) ?? 0, 10_000), '.')
  return text.slice(0, limit(schema.maxLength) ?? text.length)
}

function below(context: Context, name: string): Context {
  return { ...context, name, depth: context.depth + 1 }
}

function limit(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
