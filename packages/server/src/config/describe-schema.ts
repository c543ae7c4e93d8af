/** A JSON Schema in words: for faults, the reference and the commented file. */

export interface KeySchema {
  type?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
  items?: KeySchema
  properties?: Record<string, KeySchema>
  required?: string[]
}

/** Such as `an integer from 0 to 65535`. */
export function describeSchema(schema: KeySchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `an integer${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return describeString(schema)
    case 'array':
      return `a list${schema.items ? `, each entry ${describeSchema(schema.items)}` : ''}`
    case 'object':
      return describeObject(schema)
    default:
      return 'a value'
  }
}

/** The part of a schema that stands for this place in a value. */
export function schemaAt(schema: KeySchema, path: readonly PropertyKey[]): KeySchema | undefined {
  let here: KeySchema | undefined = schema
  for (const step of path) {
    here = typeof step === 'number' ? here?.items : here?.properties?.[String(step)]
  }
  return here
}

/** Zod writes the bounds of safe integers where there are none. */
function range({ minimum, maximum }: KeySchema): string {
  const above = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER
  const below = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (above && below) return ` from ${minimum} to ${maximum}`
  if (above) return `, ${minimum} or more`
  return below ? `, ${maximum} or less` : ''
}

function describeString({ format, pattern, minLength = 0, maxLength }: KeySchema): string {
  if (format === 'uri') return 'a web address that begins with http:// or https://'
  if (pattern !== undefined) return `text that matches ${pattern}`
  const text = minLength > 0 ? 'text that is not empty' : 'text'
  // The longest path there is says nothing to a reader.
  return maxLength === undefined || maxLength >= 4096 ? text : `${text} (at most ${maxLength} characters)`
}

function describeObject({ properties = {}, required = [] }: KeySchema): string {
  const names = Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`)
  return names.length > 0 ? `an object with ${names.join(', ')}` : 'an object'
}
