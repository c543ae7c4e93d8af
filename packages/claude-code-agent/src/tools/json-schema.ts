/** JSON Schemas. The validator is loaded with the first call of a tool that needs it, and made once per schema. */

import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema'
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { copyAsJson } from './json-value.ts'
import {
  type CompiledSchema,
  failed,
  type JsonObject,
  pathText,
  type SchemaCheck,
  type SchemaIssue,
} from './schema-check.ts'

/** Defaults in the schema are shown to the model but not filled in: JSON Schema does not do that. */
export function compileJsonSchema(schema: object, where: string): CompiledSchema {
  const json = copySchema(schema, where)
  let check: ((value: unknown) => SchemaCheck) | undefined
  let loading: Promise<(value: unknown) => SchemaCheck> | undefined
  return {
    jsonSchema: () => json,
    check(value) {
      if (check) return check(value)
      loading ??= loadValidator(json).then((made) => {
        check = made
        return made
      })
      return loading.then((made) => made(value))
    },
  }
}

/** A copy, because the validator leaves marks on schemas, and because the caller may change theirs later. */
function copySchema(schema: object, where: string): JsonObject {
  const copy = copyAsJson(schema)
  if (!copy.ok) throw new ToolDefinitionError(`${where} is not JSON: ${copy.reason}`)
  const json = copy.value as JsonObject
  if (json.properties !== undefined && !isRecord(json.properties)) {
    throw new ToolDefinitionError(`${where}: 'properties' must be an object of schemas`)
  }
  const required = json.required
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  ) {
    throw new ToolDefinitionError(`${where}: 'required' must be a list of field names`)
  }
  return json.type === undefined ? { type: 'object', ...json } : json
}

async function loadValidator(schema: JsonObject): Promise<(value: unknown) => SchemaCheck> {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema, draftOf(schema.$schema), false)
  return (value) => {
    const forbidden = findPrototypeKey(value)
    if (forbidden !== undefined) return failed('the name __proto__ is not allowed', forbidden)
    const { valid, errors } = validator.validate(value)
    return valid ? { ok: true, value } : { ok: false, issues: toIssues(errors) }
  }
}

function draftOf(uri: unknown): SchemaDraft {
  const text = typeof uri === 'string' ? uri : ''
  if (text.includes('draft-07') || text.includes('draft-06')) return '7'
  if (text.includes('draft-04')) return '4'
  return text.includes('2019-09') ? '2019-09' : '2020-12'
}

/**
 * The path of an own key `__proto__`, which JSON can carry and which a handler that merges objects would trip over.
 * Not recursive: arguments may be nested deeply.
 */
function findPrototypeKey(root: unknown): string | undefined {
  const open: { value: unknown; path: string }[] = [{ value: root, path: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const [key, value] of Object.entries(next.value)) {
      const path = next.path ? `${next.path}.${key}` : key
      if (key === '__proto__') return path
      if (typeof value === 'object') open.push({ value, path })
    }
  }
  return undefined
}

/** Keywords that only say that something below them failed; what failed has its own entry. */
const SUMMARIES = new Set([
  '$ref',
  '$recursiveRef',
  'additionalProperties',
  'allOf',
  'dependentSchemas',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'unevaluatedItems',
  'unevaluatedProperties',
])

function toIssues(errors: readonly OutputUnit[]): SchemaIssue[] {
  const details = errors.filter((error) => !SUMMARIES.has(error.keyword))
  const issues = (details.length > 0 ? details : errors).map(toIssue)
  const seen = new Set<string>()
  return issues.filter(({ path, message }) => {
    const key = `${path}\n${message}`
    return !seen.has(key) && seen.add(key)
  })
}

function toIssue(error: OutputUnit): SchemaIssue {
  const keys = pointerKeys(error.instanceLocation)
  const quoted = [...error.error.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '')
  if (error.keyword === 'required') {
    return { path: pathText([...keys, quoted[0] ?? '']), message: 'expected a value, it is missing' }
  }
  if (error.keyword === 'false') return { path: pathText(keys), message: 'unknown field' }
  if (error.keyword === 'type' && quoted.length > 1) {
    return { path: pathText(keys), message: `expected ${quoted.slice(1).join(' or ')}, got ${quoted[0]}` }
  }
  return { path: pathText(keys), message: error.error }
}

function pointerKeys(pointer: string): PropertyKey[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => {
    const key = unescapePointer(part)
    return /^\d+$/.test(key) ? Number(key) : key
  })
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
