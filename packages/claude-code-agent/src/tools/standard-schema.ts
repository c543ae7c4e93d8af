/**
 * Schemas of the Standard Schema interface, above all Zod 4. Everything is asked of the schema itself, so no schema
 * library is loaded here, and it does not matter which copy of Zod a schema comes from.
 */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import type { StandardSchema } from './args-of.ts'
import { describe, errorText } from './json-value.ts'
import {
  type CompiledSchema,
  failed,
  type JsonObject,
  pathText,
  type SchemaCheck,
  type SchemaIssue,
  type SchemaSide,
} from './schema-check.ts'
import { propertyPointer, relocateSchema } from './schema-refs.ts'

interface StandardIssue {
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
}
type StandardResult = { value: unknown; issues?: undefined } | { issues: readonly StandardIssue[] }
type Validate = (value: unknown) => StandardResult | Promise<StandardResult>

/** True for schemas, Zod 3 ones included: those are refused later, with a reason. */
export function isSchemaObject(value: unknown): value is StandardSchema {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    ('~standard' in value || isZod3(value))
  )
}

function isZod3(value: object): boolean {
  const definition = (value as { _def?: { typeName?: unknown } })._def
  return !('_zod' in value) && typeof definition?.typeName === 'string'
}

export function compileStandardSchema(
  schema: StandardSchema,
  side: SchemaSide,
  where: string,
): CompiledSchema {
  const jsonSchema = describeSchema(schema, side, where)
  const validate = validatorOf(schema, where)
  return {
    jsonSchema,
    check(value) {
      const result = validate(value)
      return result instanceof Promise ? result.then(toCheck) : toCheck(result)
    },
  }
}

/** A shape behaves as `z.object(shape)` does: fields that it does not name are left out. */
export function compileShape(
  shape: Record<string, unknown>,
  side: SchemaSide,
  where: string,
): CompiledSchema {
  const fields = Object.entries(shape).map(([name, schema]) => compileField(name, schema, side, where))
  let json: JsonObject | Promise<JsonObject> | undefined
  return {
    jsonSchema: () => (json ??= describeShape(fields)),
    check: (value) => checkShape(value, fields),
  }
}

interface ShapeField {
  name: string
  validate: Validate
  optional: boolean
  jsonSchema(): JsonObject | Promise<JsonObject>
}

function compileField(name: string, schema: unknown, side: SchemaSide, where: string): ShapeField {
  const label = `${where}: field '${name}'`
  if (!isSchemaObject(schema)) {
    throw new ToolDefinitionError(`${label} is ${describe(schema)} where the other fields are schemas`)
  }
  const validate = validatorOf(schema, label)
  return {
    name,
    validate,
    optional: mayBeAbsent(schema, validate, side),
    jsonSchema: describeSchema(schema, side, label),
  }
}

function validatorOf(schema: StandardSchema, where: string): Validate {
  if (isZod3(schema)) {
    throw new ToolDefinitionError(
      `${where} was made with Zod 3, which cannot describe itself to a model. Use Zod 4 (\`import { z } from 'zod'\` ` +
        "of zod 4, or 'zod/v4' of zod 3.25), or JSON Schema.",
    )
  }
  return schema['~standard'].validate as Validate
}

function mayBeAbsent(schema: StandardSchema, validate: Validate, side: SchemaSide): boolean {
  const zod = (schema as { _zod?: { optin?: unknown; optout?: unknown } })._zod
  if (zod) return (side === 'input' ? zod.optin : zod.optout) !== undefined
  const result = validate(undefined)
  return !(result instanceof Promise) && !result.issues
}

/** Made at once where the schema can do it, so that what cannot be described is refused where it is declared. */
function describeSchema(
  schema: StandardSchema,
  side: SchemaSide,
  where: string,
): () => JsonObject | Promise<JsonObject> {
  const options = { target: 'draft-2020-12', io: side }
  const own = schema as StandardSchema & {
    '~standard': { jsonSchema?: Record<SchemaSide, (options: object) => JsonObject> }
    toJSONSchema?: (options: object) => JsonObject
  }
  validatorOf(schema, where)
  try {
    const made = own['~standard'].jsonSchema?.[side](options) ?? own.toJSONSchema?.(options)
    if (made) return () => made
  } catch (error) {
    throw cannotDescribe(where, error)
  }
  if (!('_zod' in schema)) {
    throw new ToolDefinitionError(
      `${where}: schemas of ${own['~standard'].vendor} offer no JSON Schema (Standard JSON Schema). Use JSON Schema instead.`,
    )
  }
  let loading: Promise<JsonObject> | undefined
  return () => (loading ??= describeWithZod(schema, options, where))
}

/** For Zod Mini, and for releases of Zod 4 whose schemas cannot describe themselves. */
async function describeWithZod(schema: StandardSchema, options: object, where: string): Promise<JsonObject> {
  try {
    const zod = (await import('zod/v4')) as unknown as {
      toJSONSchema(schema: StandardSchema, options: object): JsonObject
    }
    return zod.toJSONSchema(schema, options)
  } catch (error) {
    throw cannotDescribe(where, error)
  }
}

function cannotDescribe(where: string, error: unknown): ToolDefinitionError {
  return new ToolDefinitionError(`${where} has no JSON Schema: ${errorText(error)}`, { cause: error })
}

function describeShape(fields: readonly ShapeField[]): JsonObject | Promise<JsonObject> {
  const described = fields.map((field) => field.jsonSchema())
  const join = (schemas: JsonObject[]) => joinFields(fields, schemas)
  return described.some((schema) => schema instanceof Promise)
    ? Promise.all(described).then(join)
    : join(described as JsonObject[])
}

function joinFields(fields: readonly ShapeField[], schemas: readonly JsonObject[]): JsonObject {
  const properties: JsonObject = {}
  fields.forEach((field, index) => {
    const { $schema: _, ...schema } = schemas[index] ?? {}
    properties[field.name] = relocateSchema(schema, propertyPointer(field.name))
  })
  const required = fields.filter((field) => !field.optional).map((field) => field.name)
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

function checkShape(value: unknown, fields: readonly ShapeField[]): SchemaCheck | Promise<SchemaCheck> {
  if (!isRecord(value)) return failed(`expected an object, got ${describe(value)}`)
  const results: (StandardResult | Promise<StandardResult>)[] = []
  let pending = false
  for (const field of fields) {
    const result = field.validate(Object.hasOwn(value, field.name) ? value[field.name] : undefined)
    if (result instanceof Promise) pending = true
    results.push(result)
  }
  return pending
    ? Promise.all(results).then((settled) => joinResults(value, fields, settled))
    : joinResults(value, fields, results as StandardResult[])
}

function joinResults(
  given: Record<string, unknown>,
  fields: readonly ShapeField[],
  results: readonly StandardResult[],
): SchemaCheck {
  const value: Record<string, unknown> = {}
  let issues: SchemaIssue[] | undefined
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]
    const result = results[index]
    if (!field || !result) continue
    const present = Object.hasOwn(given, field.name)
    if (!result.issues) {
      if (present || result.value !== undefined) value[field.name] = result.value
    } else if (present || !field.optional) {
      issues ??= []
      for (const issue of result.issues) issues.push(toIssue(issue, field.name))
    }
  }
  return issues ? { ok: false, issues } : { ok: true, value }
}

function toCheck(result: StandardResult): SchemaCheck {
  return result.issues
    ? { ok: false, issues: result.issues.map((issue) => toIssue(issue)) }
    : { ok: true, value: result.value }
}

function toIssue(issue: StandardIssue, field?: string): SchemaIssue {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  return { path: pathText(field === undefined ? keys : [field, ...keys]), message: issue.message }
}
