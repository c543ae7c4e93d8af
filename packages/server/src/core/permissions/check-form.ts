/**
 * Checks what was filled in against the schema of an MCP elicitation: a flat object of texts, numbers, booleans and choices.
 * Answers with the first fault. A schema that is none of these is left to the server that sent it.
 */
export function checkForm(schema: unknown, content: Record<string, unknown>): string | undefined {
  if (!isRecord(schema)) return undefined
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.find((name) => typeof name === 'string' && content[name] === undefined)
  if (missing !== undefined) return `\`${missing}\` is required`
  for (const [name, value] of Object.entries(content)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!isRecord(property)) return `the form has no field \`${name}\``
    if (!isOfType(property.type, value)) return `\`${name}\` must be of type ${String(property.type)}`
    if (Array.isArray(property.enum) && !property.enum.includes(value))
      return `\`${name}\` must be one of ${property.enum.map(String).join(', ')}`
  }
  return undefined
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return true
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
