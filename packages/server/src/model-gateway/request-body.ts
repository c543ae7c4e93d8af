import type { IncomingMessage } from 'node:http'

/** The whole body, or undefined as soon as it is larger than allowed. Rejects where the client goes away. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) return resolve(undefined)
    const chunks: Buffer[] = []
    let size = 0
    // Not an iteration: to leave one ends the connection, and the client would not get to read why.
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= mostBytes) return void chunks.push(chunk)
      request.off('data', take).pause()
      resolve(undefined)
    }
    request.on('data', take)
    request.once('end', () => resolve(Buffer.concat(chunks, size)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('The client went away')))
  })
}

const MODEL_FIRST = /^\s*\{\s*"model"\s*:\s*"([^"\\]{1,200})"/

/**
 * Which model is asked for. The CLI names it first, so a body of megabytes is not parsed for it. A hint, not a fact: a body
 * can name two.
 */
export function modelOf(body: Buffer): string | undefined {
  const first = MODEL_FIRST.exec(body.toString('utf8', 0, 512))?.[1]
  if (first !== undefined) return first
  try {
    const { model } = JSON.parse(body.toString('utf8')) as { model?: unknown }
    return typeof model === 'string' ? model.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
