import type { ModelRequest } from './model-request.ts'
import type { Step } from './reply.ts'
import { isRecord } from './request-body.ts'
import { sampleOf } from './schema-sample.ts'

/** What a side request gets by default: a short text, or the smallest JSON of the shape it asks for. */
export function answerSideRequest(request: ModelRequest): Step {
  const schema = wantedSchema(request)
  if (schema !== undefined) {
    return JSON.stringify(sampleOf(schema, { text: () => 'Scripted answer', number: 0, everything: false }))
  }
  return asSummary(request, 'Scripted answer')
}

/** The shape of the JSON that a request wants for an answer, where it wants one. */
export function wantedSchema(request: ModelRequest): Record<string, unknown> | undefined {
  const config = request.body.output_config
  const format = isRecord(config) ? config.format : undefined
  const schema = isRecord(format) ? format.schema : undefined
  return isRecord(schema) ? schema : undefined
}

/** Compaction asks a second time where the summary does not come in the tags it wanted. */
export function asSummary(request: ModelRequest, answer: string): string {
  return request.newText.includes('<summary>') ? `<summary>${answer}</summary>` : answer
}
