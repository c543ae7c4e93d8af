/** Reads the answer of `POST …/messages` when it is an event stream. */
import { createParser } from 'eventsource-parser'
import { errorOfResponse, NetworkError } from './api-client-error.ts'
import { decodeFrame, type MessageFrame } from './event-stream.ts'

export async function* readMessageStream(
  open: () => Promise<Response>,
  signal?: AbortSignal,
): AsyncGenerator<MessageFrame, void, undefined> {
  const response = await open()
  if (!response.ok || !response.body) throw await errorOfResponse(response)
  const frames: MessageFrame[] = []
  let finished = false
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'done') finished = true
      const frame = decodeFrame(event, data)
      if (frame?.frame === 'accepted' || frame?.frame === 'message' || frame?.frame === 'closing') {
        frames.push(frame)
      }
    },
  })
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  // Node's `fetch` forgets its signal once the garbage collector has run.
  const stop = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', stop)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new NetworkError('The stream broke off.', { cause: error })
      })
      if (done) break
      parser.feed(decoder.decode(value, { stream: true }))
      yield* frames.splice(0)
    }
    if (!finished) throw new NetworkError('The stream broke off before the turn ended.')
  } finally {
    signal?.removeEventListener('abort', stop)
    await reader.cancel().catch(() => undefined)
  }
}
