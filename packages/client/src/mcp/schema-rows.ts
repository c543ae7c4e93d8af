/** A tool's input schema as rows of a table that people can read. Pure. */
import {
  isRecord,
  type JsonSchema,
  numberOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  textOf,
  typesOf,
} from '@dorkos/shared'
import { text } from '../text/page-text.ts'

export interface SchemaRow {
  /** Such as `filter.name`, with `[]` for the items of a list. */
  path: string
  type: string
  required: boolean
  description: string | undefined
  /** As JSON. */
  initial: string | undefined
  /** How deep it lies. */
  depth: number
}

const mostRows = 200
const deepest = 4
const mostValues = 20

export function schemaRows(schema: unknown): { rows: SchemaRow[]; cut: boolean } {
  const rows: SchemaRow[] = []
  const root = isRecord(schema) ? schema : {}
  addRows(rows, resolveSchema(root, root), root, { prefix: '', depth: 0 })
  return { rows: rows.slice(0, mostRows), cut: rows.length > mostRows }
}

function addRows(
  rows: SchemaRow[],
  schema: JsonSchema,
  root: JsonSchema,
  at: { prefix: string; depth: number },
): void {
  const required = requiredOf(schema)
  for (const [name, property] of propertiesOf(schema)) {
    if (rows.length > mostRows) return
    const shape = resolveSchema(property, root)
    const path = `${at.prefix}${name}`
    rows.push({
      path,
      type: typeWords(shape, root),
      required: required.has(name),
      description: textOf(shape.description) ?? textOf(shape.title),
      initial: shape.default === undefined ? undefined : JSON.stringify(shape.default),
      depth: at.depth,
    })
    if (at.depth + 1 >= deepest) continue
    const items = resolveSchema(shape.items, root)
    addRows(rows, shape, root, { prefix: `${path}.`, depth: at.depth + 1 })
    addRows(rows, items, root, { prefix: `${path}[].`, depth: at.depth + 1 })
  }
}

function typeWords(schema: JsonSchema, root: JsonSchema): string {
  const words = text.mcp.schema
  if (schema.const !== undefined) return words.always(JSON.stringify(schema.const))
  if (Array.isArray(schema.enum)) return words.oneOf(values(schema.enum))
  const kinds = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf
  if (Array.isArray(kinds))
    return unique(kinds.slice(0, mostValues).map((kind) => typeWords(resolveSchema(kind, root), {}))).join(
      words.or,
    )
  const types = typesOf(schema)
  if (types.includes('array')) {
    const items = resolveSchema(schema.items, root)
    return words.listOf(isRecord(schema.items) ? typeWords(items, {}) : words.anything)
  }
  const name = types.map((type) => words.types[type as keyof typeof words.types] ?? type).join(words.or)
  return [name || words.anything, ...limits(schema)].join(', ')
}

/** Without the ends of the safe integers, which some libraries give to every whole number. */
function limits(schema: JsonSchema): string[] {
  const words = text.mcp.schema
  const min = numberOf(schema.minimum)
  const max = numberOf(schema.maximum)
  const longest = numberOf(schema.maxLength)
  return [
    ...(textOf(schema.format) === undefined ? [] : [String(schema.format)]),
    ...(min === undefined || min <= Number.MIN_SAFE_INTEGER ? [] : [words.min(min)]),
    ...(max === undefined || max >= Number.MAX_SAFE_INTEGER ? [] : [words.max(max)]),
    ...(longest === undefined ? [] : [words.longest(longest)]),
  ]
}

function values(all: readonly unknown[]): string {
  const shown = all.slice(0, mostValues).map((value) => JSON.stringify(value))
  return all.length > mostValues ? `${shown.join(', ')}, …` : shown.join(', ')
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
