import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { text } from './block.ts'
import { identifier } from './identifier.ts'
import { buildMessage } from './message.ts'
import type { ModelRequest } from './model-request.ts'
import type { BreakPoint, CutReply, ErrorReply, HangReply, MessageReply, Pace, Reply } from './reply.ts'
import { encodeEvent, isDelta, type ModelStreamEvent, streamMessage } from './sse.ts'
import { estimateInputTokens } from './token-estimate.ts'

/** Plays a reply to its scripted end and marks the request as answered. Rejects where the client goes away first. */
export async function respond(request: ModelRequest, reply: Reply, response: ServerResponse): Promise<void> {
  if (reply.delayMs !== undefined) await delay(reply.delayMs, undefined, { signal: request.signal })
  switch (reply.kind) {
    case 'message':
      await respondWithMessage(request, reply, response)
      break
    case 'error':
      await respondWithError(request, reply, response)
      break
    case 'hang':
      await playUpTo(request, reply, response)
      return await untilAborted(request.signal)
    case 'cut':
      await playUpTo(request, reply, response)
      request.answered = true
      response.destroy()
  }
  request.answered = true
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'request-id': identifier('req'),
    ...headers,
  })
  response.end(text)
}

export function errorBody(type: string, message: string): ModelStreamEvent {
  return { type: 'error', error: { type, message }, request_id: identifier('req') }
}

async function respondWithMessage(
  request: ModelRequest,
  reply: MessageReply,
  response: ServerResponse,
): Promise<void> {
  const message = buildMessage(reply, request.model, estimateInputTokens(request.body))
  if (request.body.stream !== true) return sendJson(response, 200, message)
  openStream(response)
  await writeEvents(request, response, streamMessage(message, reply.deltaSize), reply)
  response.end()
}

async function respondWithError(
  request: ModelRequest,
  reply: ErrorReply,
  response: ServerResponse,
): Promise<void> {
  const error = errorBody(reply.errorType, reply.message)
  if (reply.afterDeltas !== undefined && request.body.stream === true) {
    await playUpTo(request, reply, response)
    response.end(encodeEvent(error))
    return
  }
  const retryAfter = reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) }
  sendJson(response, reply.status, error, { ...retryAfter, ...reply.headers })
}

/** Streams until the break point is reached. A request without `stream` sees nothing, or half of a JSON body. */
async function playUpTo(
  request: ModelRequest,
  reply: HangReply | CutReply | ErrorReply,
  response: ServerResponse,
): Promise<void> {
  if (reply.afterDeltas === undefined) return
  const blocks = reply.blocks ?? fillerBlocks(reply)
  const message = buildMessage({ blocks }, request.model, estimateInputTokens(request.body))
  if (request.body.stream !== true) {
    const whole = JSON.stringify(message)
    response.writeHead(200, { 'content-type': 'application/json' })
    return await write(response, whole.slice(0, whole.length / 2), request.signal)
  }
  openStream(response)
  await writeEvents(
    request,
    response,
    upTo(streamMessage(message, reply.deltaSize), reply.afterDeltas),
    reply,
  )
}

function fillerBlocks(point: BreakPoint) {
  const words = 'This text goes on until its stream is broken off. '
  const length = ((point.afterDeltas ?? 0) + 2) * (point.deltaSize ?? words.length)
  return [text(words.repeat(Math.ceil(length / words.length)))]
}

/** With 0 the stream stops where its first delta would be. Its end is never sent, however many deltas are asked for. */
function* upTo(events: Iterable<ModelStreamEvent>, deltas: number): Generator<ModelStreamEvent> {
  let seen = 0
  for (const event of events) {
    if (event.type === 'message_delta' || (isDelta(event) && ++seen > deltas)) return
    yield event
    if (isDelta(event) && seen === deltas) return
  }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': identifier('req'),
  })
}

/** Without a delay between deltas, events are joined into larger writes: a long answer then costs few system calls. */
async function writeEvents(
  request: ModelRequest,
  response: ServerResponse,
  events: Iterable<ModelStreamEvent>,
  pace: Pace,
): Promise<void> {
  const deltaDelayMs = pace.deltaDelayMs ?? 0
  let pending = ''
  for (const event of events) {
    if (deltaDelayMs > 0 && isDelta(event)) {
      await write(response, pending, request.signal)
      pending = ''
      await delay(deltaDelayMs, undefined, { signal: request.signal })
    }
    pending += encodeEvent(event)
    if (pending.length >= 65_536) {
      await write(response, pending, request.signal)
      pending = ''
    }
  }
  await write(response, pending, request.signal)
}

/** Resolves once the bytes are with the operating system, so that a cut right after does not take them back. */
async function write(response: ServerResponse, chunk: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (chunk === '') return
  await new Promise<void>((resolve, reject) => {
    response.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  throw signal.reason
}
