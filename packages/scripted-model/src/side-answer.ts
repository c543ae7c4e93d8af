import type { ModelRequest } from './model-request.ts'
import type { Step } from './reply.ts'
import { isRecord } from './request-body.ts'

/** What a side request gets unless told otherwise: a short text, or the smallest JSON of the shape it asks for. */
export function answerSideRequest(request: ModelRequest): Step {
  const config = request.body.output_config
  const format = isRecord(config) ? config.format : undefined
  const schema = isRecord(format) ? format.schema : undefined
  if (isRecord(schema)) return JSON.stringify(sample(schema))
  // Compaction asks a second time where the summary does not come in the tags it wanted.
  return request.newText.includes('<summary>') ? '<summary>Scripted answer</summary>' : 'Scripted answer'
}

function sample(schema: Record<string, unknown>): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return sampleObject(schema)
    case 'array':
      return []
    case 'number':
    case 'integer':
      return 0
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return 'Scripted answer'
  }
}

function sampleObject(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : Object.keys(properties)
  return Object.fromEntries(
    required.map((name: string) => {
      const property = properties[name]
      return [name, isRecord(property) ? sample(property) : null]
    }),
  )
}
