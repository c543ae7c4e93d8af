/** Moves a JSON Schema to another place inside a larger one. */
import { isRecord } from '@dorkos/processes'
import type { JsonObject } from './schema-check.ts'

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'required'])
/** Keywords that map names of the user's choice to schemas. */
const NAMED = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])

/**
 * A copy whose local references (`#`, `#/…`) point at the schema's new place, such as `#/properties/tree`.
 * A schema with an `$id` is its own root and keeps its references.
 */
export function relocateSchema(schema: JsonObject, pointer: string): JsonObject {
  if (typeof schema.$id === 'string') return schema
  const copy: JsonObject = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref' && typeof value === 'string') copy[keyword] = relocateReference(value, pointer)
    else if (DATA.has(keyword)) copy[keyword] = value
    else if (NAMED.has(keyword) && isRecord(value)) copy[keyword] = relocateNamed(value, pointer)
    else if (Array.isArray(value)) copy[keyword] = value.map((item) => relocateItem(item, pointer))
    else copy[keyword] = relocateItem(value, pointer)
  }
  return copy
}

function relocateNamed(schemas: JsonObject, pointer: string): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, relocateItem(schema, pointer)]),
  )
}

function relocateItem(value: unknown, pointer: string): unknown {
  return isRecord(value) ? relocateSchema(value, pointer) : value
}

function relocateReference(reference: string, pointer: string): string {
  return reference === '#' || reference.startsWith('#/') ? pointer + reference.slice(1) : reference
}

/** `#/properties/<field>`, with what JSON pointers and URI fragments want escaped. */
export function propertyPointer(field: string): string {
  return `#/properties/${encodeURIComponent(field.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}
