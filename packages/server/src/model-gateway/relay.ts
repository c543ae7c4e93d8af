import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { toClientHeaders } from './forwarded-headers.ts'
import type { CallOutcome, TokenUsage } from './observation.ts'
import { createUsageScanner, readMessage } from './usage-scanner.ts'

export interface Relayed {
  end: Extract<CallOutcome, 'complete' | 'aborted' | 'upstream-cut'>
  usage: TokenUsage | undefined
  model: string | undefined
}

/** A message that was not streamed is read for its usage up to this size. */
const LARGEST_MESSAGE = 1024 * 1024

/** Passes an answer on byte for byte as it comes, no faster than the client takes it, and inspects what passes. */
export function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<Relayed> {
  return new Promise((resolve) => {
    const seen = observer(answer)
    // A broken answer takes the client's connection with it, so who began has to be seen at once.
    let cut = false
    answer.once('error', () => {
      cut = !signal.aborted
    })
    response.writeHead(answer.statusCode ?? 502, toClientHeaders(answer.headers))
    response.flushHeaders()
    pipeline(answer, response, (error) => {
      resolve({ end: error ? (cut ? 'upstream-cut' : 'aborted') : 'complete', ...seen.end() })
    })
    // After the pipeline's own listener: a byte is on its way before it is inspected.
    if (seen.push !== undefined) answer.on('data', seen.push)
  })
}

interface Observer {
  push?: (chunk: Buffer) => void
  end: () => Pick<Relayed, 'usage' | 'model'>
}

function observer({ statusCode, headers }: IncomingMessage): Observer {
  const type = headers['content-type'] ?? ''
  if (statusCode === 200 && type.startsWith('text/event-stream')) {
    const scanner = createUsageScanner()
    return { push: scanner.push, end: () => ({ usage: scanner.usage, model: scanner.model }) }
  }
  if (statusCode === 200 && type.startsWith('application/json')) return messageObserver()
  return { end: () => ({ usage: undefined, model: undefined }) }
}

function messageObserver(): Observer {
  const chunks: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      size += chunk.length
      if (size <= LARGEST_MESSAGE) chunks.push(chunk)
      else chunks.length = 0
    },
    end() {
      const { usage, model } = readMessage(Buffer.concat(chunks).toString('utf8')) ?? {}
      return { usage, model }
    },
  }
}
