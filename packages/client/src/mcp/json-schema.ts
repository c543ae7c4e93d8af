/** What the page needs to read of JSON schemas. They are a server's own: nothing in them is taken for granted. Pure. */

export type Schema = Readonly<Record<string, unknown>>

const mostHops = 10

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Follows references inside the same document, and looks through “this or null”. */
export function resolveSchema(value: unknown, root: Schema): Schema {
  let schema: Schema = isRecord(value) ? value : {}
  for (let hop = 0; hop < mostHops; hop += 1) {
    const next = referred(schema, root) ?? onlyKind(schema)
    if (!next) break
    const { $ref: _, anyOf: __, oneOf: ___, ...own } = schema
    schema = { ...next, ...own }
  }
  return schema
}

function referred(schema: Schema, root: Schema): Schema | undefined {
  const { $ref } = schema
  if (typeof $ref !== 'string') return undefined
  let at: unknown = root
  for (const part of $ref === '#' ? [] : $ref.replace(/^#\//, '').split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return $ref.startsWith('#') && isRecord(at) ? at : undefined
}

/** Of `anyOf: [X, null]`, X. */
function onlyKind(schema: Schema): Schema | undefined {
  const kinds = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf
  if (!Array.isArray(kinds)) return undefined
  const real = kinds.filter((kind: unknown) => isRecord(kind) && kind.type !== 'null')
  return real.length === 1 && isRecord(real[0]) ? real[0] : undefined
}

/** The types that a schema names, without null. */
export function typesOf(schema: Schema): string[] {
  const { type } = schema
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one): one is string => typeof one === 'string' && one !== 'null')
}

export function propertiesOf(schema: Schema): [string, unknown][] {
  return isRecord(schema.properties) ? Object.entries(schema.properties) : []
}

export function requiredOf(schema: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(schema.required) ? schema.required : [])
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
