/** A JSON Schema in a notation that people read: `{ id: string, title?: string }`. Named schemas are written `@Name`. */

type Schema = Record<string, unknown>

export function schemaText(schema: Schema, indent = ''): string {
  if (typeof schema.$ref === 'string') return `@${schema.$ref.split('/').at(-1)}`
  const choices = listOf(schema.oneOf) ?? listOf(schema.anyOf)
  if (choices) return choices.map((choice) => schemaText(choice, indent)).join(choiceJoint(choices, indent))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `${itemText(asSchema(schema.items), indent)}[]`
  if (schema.type === 'object') return objectText(schema, indent)
  if (schema.format === 'date-time') return 'time'
  return typeof schema.type === 'string' ? `${schema.type}${boundsOf(schema)}` : 'anything'
}

function choiceJoint(choices: Schema[], indent: string): string {
  return choices.some((choice) => choice.type === 'object') ? `\n${indent}| ` : ' | '
}

function objectText(schema: Schema, indent: string): string {
  const properties = Object.entries(asSchema(schema.properties))
  if (properties.length === 0) return '{ [name]: anything }'
  const required = Array.isArray(schema.required) ? schema.required : []
  const inner = `${indent}  `
  const lines = properties.map(([name, value]) => {
    const optional = required.includes(name) ? '' : '?'
    return `${inner}${name}${optional}: ${schemaText(asSchema(value), inner)}${defaultOf(asSchema(value))}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function boundsOf(schema: Schema): string {
  const low = schema.minimum ?? schema.minLength
  const high = schema.maximum ?? schema.maxLength
  const isWide = high === Number.MAX_SAFE_INTEGER || high === undefined
  if ((low === undefined || low === Number.MIN_SAFE_INTEGER) && isWide) return ''
  return ` (${low ?? ''}…${isWide ? '' : high})`
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`
}

function itemText(items: Schema, indent: string): string {
  const text = schemaText(items, indent)
  return items.oneOf || items.anyOf || items.enum ? `(${text})` : text
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}

function listOf(value: unknown): Schema[] | undefined {
  return Array.isArray(value) ? value.map(asSchema) : undefined
}
