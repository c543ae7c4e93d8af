/** What forms read of JSON Schemas. They are somebody else's: nothing in them is taken for granted. Pure. */
import { isRecord } from '../is-record.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface FormOption {
  value: unknown
  label: string
}

const mostHops = 10

/** Follows references inside the same document, and looks through “this or null” (which then says `nullable`). */
export function resolveSchema(value: unknown, root: JsonSchema): JsonSchema {
  let schema: JsonSchema = isRecord(value) ? value : {}
  for (let hop = 0; hop < mostHops; hop += 1) {
    const next = referred(schema, root) ?? onlyKind(schema)
    if (!next) break
    const { $ref: _, anyOf: __, oneOf: ___, ...own } = schema
    schema = { ...next, ...own }
  }
  return schema
}

function referred({ $ref }: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  let at: unknown = root
  for (const part of $ref === '#' ? [] : $ref.replace(/^#\//, '').split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isRecord(at) ? at : undefined
}

/** Of `anyOf: [X, null]`, X. One constant is a choice of one, and stays. */
function onlyKind(schema: JsonSchema): JsonSchema | undefined {
  const kinds = kindsOf(schema)
  const real = kinds.filter((kind) => isRecord(kind) && kind.type !== 'null')
  const [kind] = real
  if (real.length !== 1 || !isRecord(kind) || kind.const !== undefined) return undefined
  return kinds.length > 1 ? { ...kind, nullable: true } : kind
}

function kindsOf({ anyOf, oneOf }: JsonSchema): unknown[] {
  if (Array.isArray(oneOf)) return oneOf
  return Array.isArray(anyOf) ? anyOf : []
}

/** The types that a schema names, without null. */
export function typesOf({ type }: JsonSchema): string[] {
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one): one is string => typeof one === 'string' && one !== 'null')
}

export function isNullable(schema: JsonSchema): boolean {
  const { type, nullable } = schema
  if (nullable === true || type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  return kindsOf(schema).some((kind) => isRecord(kind) && kind.type === 'null')
}

export function propertiesOf({ properties }: JsonSchema): [string, unknown][] {
  return isRecord(properties) ? Object.entries(properties) : []
}

export function requiredOf({ required }: JsonSchema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : [])
}

/** What there is to choose from: `enum` (with `enumNames`), `const`, or titled constants. Undefined where it is not a choice. */
export function optionsOf(schema: JsonSchema): FormOption[] | undefined {
  const { enum: listed, enumNames, const: only, title } = schema
  if (only !== undefined) return [option(only, title)]
  if (Array.isArray(listed) && listed.length > 0) {
    const names: unknown[] = Array.isArray(enumNames) ? enumNames : []
    return unique(listed.map((value: unknown, index) => option(value, names[index])))
  }
  const kinds = kindsOf(schema).filter((kind) => !isRecord(kind) || kind.type !== 'null')
  const constants = kinds.flatMap((kind) => (isRecord(kind) && kind.const !== undefined ? [kind] : []))
  if (constants.length === 0 || constants.length < kinds.length) return undefined
  return unique(constants.map((kind) => option(kind.const, kind.title)))
}

function option(value: unknown, name: unknown): FormOption {
  return { value, label: textOf(name) ?? (typeof value === 'string' ? value : JSON.stringify(value)) }
}

function unique(options: FormOption[]): FormOption[] {
  const firstIndexes = new Map(
    options.map(({ value }, index) => [JSON.stringify(value), index] as const).reverse(),
  )
  return options.filter(({ value }, index) => firstIndexes.get(JSON.stringify(value)) === index)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
