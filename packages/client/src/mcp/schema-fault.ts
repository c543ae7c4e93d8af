/**
 * What in an input certainly does not fit a schema, before a tool is called with it. Not a whole validator: what it does not know it lets
 * pass, and the tool has the last word. Pure; the schema is a server's.
 */
import { text } from '../text/page-text.ts'
import {
  isRecord,
  numberOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  type Schema,
  typesOf,
} from './json-schema.ts'

const deepest = 20
const mostLooked = 5000

/** The first fault, with where it is; undefined where none was found. */
export function schemaFault(schema: unknown, input: Record<string, unknown>): string | undefined {
  const root = isRecord(schema) ? schema : {}
  let looked = 0
  const look = (value: unknown, given: unknown, path: string, depth: number): string | undefined => {
    looked += 1
    // Whether there may be no value stands in many ways in a schema.
    if (value === null || !isRecord(given) || depth > deepest || looked > mostLooked) return undefined
    const shape = resolveSchema(given, root)
    const own = ownFault(shape, value)
    if (own !== undefined) return path === '' ? own : text.mcp.form.faults.at(path, own)
    for (const [name, part, partShape] of partsOf(shape, value)) {
      const fault = look(part, partShape, `${path}${name}`, depth + 1)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  return look(input, root, '', 0)
}

function ownFault(shape: Schema, value: unknown): string | undefined {
  const faults = text.mcp.form.faults
  const types = typesOf(shape)
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return faults.type(types.join(text.mcp.form.or))
  const choices = Array.isArray(shape.enum)
    ? shape.enum
    : shape.const === undefined
      ? undefined
      : [shape.const]
  if (choices && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)))
    return faults.oneOf(shortList(choices))
  if (typeof value === 'number')
    return bound(value, numberOf(shape.minimum), numberOf(shape.maximum), faults.min, faults.max)
  if (typeof value === 'string') {
    const [least, most] = [numberOf(shape.minLength), numberOf(shape.maxLength)]
    return bound([...value].length, least, most, faults.minLength, faults.maxLength)
  }
  if (Array.isArray(value)) {
    const [least, most] = [numberOf(shape.minItems), numberOf(shape.maxItems)]
    return bound(value.length, least, most, faults.minItems, faults.maxItems)
  }
  return isRecord(value) ? keyFault(shape, value) : undefined
}

function keyFault(shape: Schema, value: Record<string, unknown>): string | undefined {
  const faults = text.mcp.form.faults
  for (const name of requiredOf(shape))
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return faults.missing(name)
  if (shape.additionalProperties !== false || shape.patternProperties !== undefined) return undefined
  const known = new Set(propertiesOf(shape).map(([name]) => name))
  const unknown = Object.keys(value).find((name) => !known.has(name))
  return unknown === undefined ? undefined : faults.unknown(unknown)
}

/** The parts of a value that the schema says something about. */
function partsOf(shape: Schema, value: unknown): [string, unknown, unknown][] {
  if (Array.isArray(value))
    return isRecord(shape.items) ? value.map((item, index) => [`[${index}]`, item, shape.items]) : []
  if (!isRecord(value)) return []
  return propertiesOf(shape).flatMap(([name, part]): [string, unknown, unknown][] =>
    Object.hasOwn(value, name) ? [[`.${name}`, value[name], part]] : [],
  )
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    default:
      return true
  }
}

type Say = (n: number) => string

function bound(
  value: number,
  least: number | undefined,
  most: number | undefined,
  tooFew: Say,
  tooMany: Say,
): string | undefined {
  if (least !== undefined && value < least) return tooFew(least)
  return most !== undefined && value > most ? tooMany(most) : undefined
}

function shortList(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map((value) => JSON.stringify(value))
  return `${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`
}
