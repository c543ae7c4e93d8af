/** The fields of a form, from the JSON Schema of an object. Pure; the schema is somebody else's. */
import { isRecord } from '../is-record.ts'
import {
  type FormOption,
  type JsonSchema,
  numberOf,
  optionsOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  textOf,
  typesOf,
} from './json-schema.ts'

export type FormField = FieldKind & {
  name: string
  label: string
  description: string | undefined
  required: boolean
  /** What its value is held against, and the document that references in it mean. */
  shape: JsonSchema
  root: JsonSchema
}

type FieldKind =
  | { kind: 'text'; format: TextFormat | undefined; multiline: boolean }
  | { kind: 'number'; integer: boolean; min: number | undefined; max: number | undefined }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: readonly FormOption[] }
  /** Any number of them. */
  | { kind: 'choices'; options: readonly FormOption[] }
  /** Texts, one a line. */
  | { kind: 'list' }
  /** What has no field of its own is written as JSON. */
  | { kind: 'json'; expects: 'array' | 'object' | undefined }

const textFormats = ['email', 'uri', 'date', 'date-time'] as const
type TextFormat = (typeof textFormats)[number]

const mostFields = 100
const mostOptions = 500
const longLine = 500

export function formFields(schema: unknown): FormField[] {
  const root = isRecord(schema) ? schema : {}
  const whole = resolveSchema(root, root)
  const required = requiredOf(whole)
  return propertiesOf(whole)
    .slice(0, mostFields)
    .map(([name, property]) => formField(name, property, { required: required.has(name), root }))
}

/** Whether its fields can say all that the schema takes. */
export function isWholeForm(schema: unknown): boolean {
  const root = isRecord(schema) ? schema : {}
  const whole = resolveSchema(root, root)
  const { anyOf, oneOf, allOf, properties, patternProperties, additionalProperties: more } = whole
  if ([anyOf, oneOf, allOf].some(Array.isArray) || patternProperties !== undefined) return false
  const count = propertiesOf(whole).length
  if (count > 0) return count <= mostFields
  return more === undefined ? isRecord(properties) : more === false
}

export function formField(
  name: string,
  schema: unknown,
  { required, root = isRecord(schema) ? schema : {} }: { required: boolean; root?: JsonSchema },
): FormField {
  const shape = resolveSchema(schema, root)
  const words = { label: textOf(shape.title) ?? name, description: textOf(shape.description) }
  return { ...kindOf(shape, root), name, ...words, required, shape, root }
}

function kindOf(shape: JsonSchema, root: JsonSchema): FieldKind {
  const options = shownOptions(shape)
  if (options) return { kind: 'choice', options }
  const types = typesOf(shape)
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string':
      return {
        kind: 'text',
        format: textFormats.find((format) => format === shape.format),
        multiline: (numberOf(shape.maxLength) ?? 0) > longLine,
      }
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
    case 'integer':
      return { kind: 'number', integer: types[0] === 'integer', ...boundsOf(shape) }
    case 'array': {
      const items = resolveSchema(shape.items, root)
      const several = shownOptions(items)
      if (several) return { kind: 'choices', options: several }
      return items.type === 'string' ? { kind: 'list' } : { kind: 'json', expects: 'array' }
    }
    case 'object':
      return { kind: 'json', expects: 'object' }
    default:
      return { kind: 'json', expects: undefined }
  }
}

function shownOptions(shape: JsonSchema): FormOption[] | undefined {
  const options = optionsOf(shape)
  return options && options.length <= mostOptions ? options : undefined
}

/** Without the ends of the safe integers, which some libraries give to every whole number. */
function boundsOf(shape: JsonSchema): { min: number | undefined; max: number | undefined } {
  const [min, max] = [numberOf(shape.minimum), numberOf(shape.maximum)]
  return {
    min: min === Number.MIN_SAFE_INTEGER ? undefined : min,
    max: max === Number.MAX_SAFE_INTEGER ? undefined : max,
  }
}
