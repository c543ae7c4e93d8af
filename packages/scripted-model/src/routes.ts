import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseRequestBody, type RequestBody } from './request-body.ts'
import { errorBody, sendJson } from './respond.ts'
import { estimateInputTokens } from './token-estimate.ts'

export type AnswerMessages = (
  body: RequestBody,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

const MAX_BODY_BYTES = 64 * 1024 * 1024

const MODELS = ['claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'].map((id) => ({
  type: 'model',
  id,
  display_name: `Scripted ${id}`,
  created_at: '2026-01-01T00:00:00Z',
}))

/**
 * One HTTP request to its answer. What the CLI only probes for (`HEAD /api/hello`) gets an empty 200. `given` is the body
 * where it was read already.
 */
export async function route(
  request: IncomingMessage,
  response: ServerResponse,
  answerMessages: AnswerMessages,
  given?: Uint8Array,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const method = request.method ?? 'GET'
  if (path === '/v1/messages' || path === '/v1/messages/count_tokens') {
    if (method !== 'POST')
      return refuse(response, 405, 'invalid_request_error', `${method} is not allowed here`)
    const body = given === undefined ? await readBody(request) : Buffer.from(given).toString('utf8')
    if (body === undefined)
      return refuse(response, 413, 'request_too_large', 'Request exceeds the maximum size')
    const parsed = parseRequestBody(body)
    if (typeof parsed === 'string') return refuse(response, 400, 'invalid_request_error', parsed)
    if (path === '/v1/messages') return await answerMessages(parsed, request, response)
    return sendJson(response, 200, { input_tokens: estimateInputTokens(parsed) })
  }
  if (path === '/v1/models' && method === 'GET') return sendJson(response, 200, modelPage())
  if (path.startsWith('/v1/models/') && method === 'GET') return sendModel(response, path.slice(11))
  if ((path === '/' || path === '/api/hello') && (method === 'HEAD' || method === 'GET')) {
    return sendJson(response, 200, { message: 'hello' })
  }
  refuse(response, 404, 'not_found_error', `No route for ${method} ${path}`)
}

function modelPage() {
  return { data: MODELS, has_more: false, first_id: MODELS[0]?.id, last_id: MODELS.at(-1)?.id }
}

function sendModel(response: ServerResponse, id: string): void {
  const model = MODELS.find((candidate) => candidate.id === id)
  if (model === undefined) refuse(response, 404, 'not_found_error', `model: ${id}`)
  else sendJson(response, 200, model)
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, errorBody(type, message))
}

/** The body, or undefined where it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined
}
