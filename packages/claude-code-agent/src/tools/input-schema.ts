/**
 * From a declared schema to what the model is given and how its arguments are checked. What a declaration is, is
 * decided in this order:
 *
 * 1. an object with `~standard` (or of Zod 3, which is refused): a schema of Zod 4 or another library;
 * 2. an object in which a value is such a schema: a Zod shape;
 * 3. an object with `type: 'object'`: JSON Schema (a simple map cannot have a field `type` of type `object`);
 * 4. an object whose values are all type words, `{}` included: a simple map;
 * 5. an object with a keyword that holds schemas (`properties`, `$ref`, …) or `$schema`: JSON Schema;
 * 6. anything else is refused.
 */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { compileJsonSchema } from './json-schema.ts'
import { describe } from './json-value.ts'
import type { CompiledSchema, JsonObject, SchemaSide } from './schema-check.ts'
import { compileSimpleSchema, isTypeWord, TYPE_WORDS } from './simple-schema.ts'
import { compileShape, compileStandardSchema, isSchemaObject } from './standard-schema.ts'

const JSON_SCHEMA_KEYWORDS = ['$schema', '$ref', '$defs', 'properties', 'required', 'patternProperties']
const COMPOSITIONS = ['anyOf', 'oneOf', 'allOf']
/** What may stand beside `type: 'object'` with a type word as its value, and still be JSON Schema. */
const ANNOTATIONS = new Set(['type', 'title', 'description', '$comment', '$id', '$schema'])
/** What the Messages API accepts as the name of a tool's argument. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** `where` begins the messages of errors: "Tool 'add': inputSchema". Throws ToolDefinitionError. */
export function compileSchema(declared: unknown, side: SchemaSide, where: string): CompiledSchema {
  const compiled = compileDeclared(declared, side, where)
  const check = (json: JsonObject) => checkObjectSchema(json, side, where)
  const made = compiled.jsonSchema()
  if (!(made instanceof Promise)) {
    const json = check(made)
    return { check: compiled.check, jsonSchema: () => json }
  }
  const later = made.then(check)
  // Whoever asks for it gets the failure; until somebody does, it must not end the process.
  later.catch(() => {})
  return { check: compiled.check, jsonSchema: () => later }
}

function compileDeclared(declared: unknown, side: SchemaSide, where: string): CompiledSchema {
  if (isSchemaObject(declared)) return compileStandardSchema(declared, side, where)
  if (!isRecord(declared))
    throw new ToolDefinitionError(`${where} must be a schema, got ${describe(declared)}`)
  const values = Object.values(declared)
  if (values.some(isSchemaObject)) return compileShape(declared, side, where)
  if (declared.type === 'object') {
    refuseMixture(declared, where)
    return compileJsonSchema(declared, where)
  }
  if (values.every(isTypeWord)) return compileSimpleSchema(declared, where)
  if ([...JSON_SCHEMA_KEYWORDS, ...COMPOSITIONS].some((keyword) => isKeyword(declared, keyword))) {
    return compileJsonSchema(declared, where)
  }
  throw new ToolDefinitionError(`${where}: ${explainUnknown(declared)}`)
}

function isKeyword(declared: Record<string, unknown>, keyword: string): boolean {
  const value = declared[keyword]
  return value !== undefined && !isTypeWord(value)
}

function refuseMixture(declared: Record<string, unknown>, where: string): void {
  const stray = Object.keys(declared).find((key) => !ANNOTATIONS.has(key) && isTypeWord(declared[key]))
  if (stray === undefined) return
  throw new ToolDefinitionError(
    `${where}: 'type: "object"' makes this JSON Schema, but '${stray}' is written as in a simple map. ` +
      'Describe a field named "type" of type "object" with JSON Schema or Zod.',
  )
}

function explainUnknown(declared: Record<string, unknown>): string {
  const [name, value] = Object.entries(declared).find(([, value]) => !isTypeWord(value)) ?? ['', undefined]
  const hint = isRecord(value)
    ? ` Field schemas of JSON Schema belong inside { type: 'object', properties: { … } }.`
    : ''
  const shown = typeof value === 'string' ? `'${value}'` : describe(value)
  return `field '${name}' is ${shown}; expected one of ${TYPE_WORDS} (each with an optional '?'), or a Zod schema.${hint}`
}

/** The model's API refuses whole requests over these, which would end every turn of a session. */
function checkObjectSchema(made: JsonObject, side: SchemaSide, where: string): JsonObject {
  const { $schema, ...json } = made
  const composition = COMPOSITIONS.find((keyword) => json[keyword] !== undefined)
  if (side === 'input' && composition) {
    throw new ToolDefinitionError(
      `${where}: '${composition}' at the top level is not accepted by the model's API; wrap it in a field`,
    )
  }
  if (json.type === undefined && json.$ref !== undefined) json.type = 'object'
  if (json.type !== 'object') {
    throw new ToolDefinitionError(
      `${where} must describe an object, not ${JSON.stringify(json.type ?? 'anything')}`,
    )
  }
  const names = isRecord(json.properties) ? Object.keys(json.properties) : []
  const wrong =
    side === 'input' ? names.find((name) => !PROPERTY_NAME.test(name) || name === '__proto__') : undefined
  if (wrong !== undefined) {
    throw new ToolDefinitionError(
      `${where}: field '${wrong}' must have a name of 1 to 64 characters of A-Z a-z 0-9 _ . -`,
    )
  }
  return typeof $schema === 'string' && !$schema.includes('2020-12') ? { $schema, ...json } : json
}
