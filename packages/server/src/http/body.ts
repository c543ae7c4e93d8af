/** Reads a JSON body: never more than the limit, never deeper than 64 levels. */

import type { IncomingMessage } from 'node:http'
import { say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'

const maxDepth = 64
/** What is read and thrown away after a refusal, so that the client gets to read the answer. */
const maxDiscarded = 64 * 1024 * 1024
const discardMs = 5_000

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

/** The parsed body; `{}` when there is none, as for requests that only do something. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!hasBody(request)) return {}
  const bytes = await readBytes(request, limit)
  if (nestingOf(bytes) > maxDepth) {
    throw new AppError('invalid_request', say('body_too_deep', { most: maxDepth }))
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new AppError('invalid_request', say('body_not_json'))
  }
}

export function checkContentType(request: IncomingMessage): void {
  if (!hasBody(request)) return
  const type = request.headers['content-type'] ?? ''
  if (/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type.trim())) return
  throw new AppError('unsupported_media_type', say('body_type_unsupported'))
}

/** Refuses by the length that is announced, so that nothing is read for it. */
export function checkLength(request: IncomingMessage, limit: number): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  const isUnwanted = limit === 0 && hasBody(request)
  if (announced > limit || isUnwanted) throw tooLarge(limit)
}

function tooLarge(limit: number): AppError {
  return new AppError(
    'payload_too_large',
    limit === 0 ? say('body_not_taken') : say('body_too_large', { most: limit }),
    { details: { limit } },
  )
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (settle: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      settle()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) finish(() => reject(tooLarge(limit)))
      else chunks.push(chunk)
    }
    const onEnd = () => finish(() => resolve(Buffer.concat(chunks)))
    const onBroken = () => finish(() => reject(new AppError('invalid_request', say('body_incomplete'))))
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

/** Lets a refused body run out, within bounds. A client that goes on sending loses its connection. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || !hasBody(request)) return
  let size = 0
  const timer = setTimeout(() => request.destroy(), discardMs)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxDiscarded) request.destroy()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.once('error', () => clearTimeout(timer))
  request.resume()
}

const quote = 0x22
const backslash = 0x5c

/** How deep objects and lists are nested. Strings are jumped over, so that one with an image in it costs little. */
export function nestingOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === quote) {
      index = endOfString(bytes, index)
    } else if (byte === 0x7b || byte === 0x5b) {
      deepest = Math.max(deepest, ++depth)
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    }
  }
  return deepest
}

function endOfString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(quote, start + 1)
  while (end !== -1) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === backslash && end - 1 - slashes > start) slashes++
    if (slashes % 2 === 0) return end
    end = bytes.indexOf(quote, end + 1)
  }
  return bytes.length
}
