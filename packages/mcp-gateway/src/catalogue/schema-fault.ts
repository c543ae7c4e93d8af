/**
 * What is wrong with a JSON Schema, by the rules of draft 2020-12. The model's API holds every tool's schema against these and refuses
 * the whole request for one that fails, so such a tool must not reach it.
 */
import { isRecord } from '@dorkos/processes'

type Check = (value: unknown, path: string) => string | undefined

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const must = (expected: string, holds: (value: unknown) => boolean): Check => {
  return (value, path) => (holds(value) ? undefined : `${path} must be ${expected}`)
}

const aString = must('a string', (value) => typeof value === 'string')
const aNumber = must('a number', (value) => typeof value === 'number')
const aBoolean = must('a boolean', (value) => typeof value === 'boolean')
const anArray = must('an array', Array.isArray)
const aCount = must('a whole number from 0 on', (value) => Number.isInteger(value) && Number(value) >= 0)
const strings = must(
  'an array of different strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string') && areDifferent(value),
)
const aType = must(
  'one of the seven JSON types or an array of them',
  (value) =>
    isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType) && areDifferent(value)),
)

const schemas: Check = (value, path) => {
  if (!Array.isArray(value) || value.length === 0) return `${path} must be an array of schemas`
  return firstFault(
    value.map((item, index) => [String(index), item]),
    path,
  )
}

const namedSchemas: Check = (value, path) => {
  if (!isRecord(value)) return `${path} must be an object of schemas`
  return firstFault(Object.entries(value), path)
}

const namedStrings: Check = (value, path) => {
  if (!isRecord(value)) return `${path} must be an object`
  for (const [key, item] of Object.entries(value)) {
    const fault = strings(item, `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Of older drafts; still in the rules. */
const dependencies: Check = (value, path) => {
  if (!isRecord(value)) return `${path} must be an object`
  for (const [key, item] of Object.entries(value)) {
    const fault = (Array.isArray(item) ? strings : schemaFault)(item, `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const aReference = must('a reference within the schema', (value) => {
  return typeof value === 'string' && value.startsWith('#')
})

const KEYWORDS = new Map<string, Check>([
  ...each(['$ref', '$dynamicRef'], aReference),
  ...each(['$id', '$comment', '$anchor', '$dynamicAnchor', 'title', 'description', 'format'], aString),
  ...each(['contentEncoding', 'contentMediaType', 'pattern'], aString),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], aNumber),
  ['multipleOf', must('a number above 0', (value) => typeof value === 'number' && value > 0)],
  ...each(['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'], aCount),
  ...each(['maxContains', 'minContains'], aCount),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], aBoolean),
  ...each(['enum', 'examples'], anArray),
  ['type', aType],
  ['required', strings],
  ['dependentRequired', namedStrings],
  ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], schemas),
  ...each(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'], namedSchemas),
  ['dependencies', dependencies],
  ...each(['items', 'contains', 'additionalProperties', 'propertyNames', 'contentSchema'], schemaFault),
  ...each(['not', 'if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties'], schemaFault),
])

/** A sentence without its end, or undefined where nothing is wrong. The value has to be plain JSON of bounded depth. */
export function schemaFault(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isRecord(schema)) return `${path} must be a schema`
  for (const [key, value] of Object.entries(schema)) {
    const fault = KEYWORDS.get(key)?.(value, `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function firstFault(entries: readonly (readonly [string, unknown])[], path: string): string | undefined {
  for (const [key, value] of entries) {
    const fault = schemaFault(value, `${path}.${key}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function each(keywords: readonly string[], check: Check): [string, Check][] {
  return keywords.map((keyword) => [keyword, check])
}

function isType(value: unknown): boolean {
  return typeof value === 'string' && TYPES.has(value)
}

function areDifferent(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}
