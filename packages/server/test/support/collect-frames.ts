/** Keeps every frame of an event stream, as a client gets it. */
import type { ApiClient, ServerEvent, StreamEvent, StreamFrame } from '@dorkos/shared'

type FrameOf<K extends StreamFrame['frame']> = Extract<StreamFrame, { frame: K }>

export class Frames {
  readonly all: StreamFrame[] = []
  readonly #abort = new AbortController()
  readonly #waiting = new Set<() => void>()
  readonly #done: Promise<void>
  isOver = false
  fault: unknown

  /** `open` is given the signal that ends the stream. */
  constructor(open: (signal: AbortSignal) => AsyncIterable<StreamFrame>) {
    this.#done = this.#read(open(this.#abort.signal))
  }

  static ofSession(client: ApiClient, id: string, lastEventId?: string): Frames {
    const from = lastEventId === undefined ? {} : { lastEventId }
    return new Frames((signal) => client.followSession(id, { signal, maxRetryMs: 200, ...from }))
  }

  of<K extends StreamFrame['frame']>(frame: K): FrameOf<K>[] {
    return this.all.filter((one): one is FrameOf<K> => one.frame === frame)
  }

  get events(): StreamEvent[] {
    return this.of('message').map(({ event }) => event)
  }

  get serverEvents(): ServerEvent[] {
    return this.of('server').map(({ event }) => event)
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.fault) throw this.fault
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
    }
  }

  /** The first frame that fits, now or later. */
  async next(fits: (frame: StreamFrame) => boolean): Promise<StreamFrame> {
    await this.until(() => this.all.some(fits))
    return this.all.find(fits) as StreamFrame
  }

  async close(): Promise<void> {
    this.#abort.abort()
    await this.#done
  }

  async #read(stream: AsyncIterable<StreamFrame>): Promise<void> {
    try {
      for await (const frame of stream) {
        this.all.push(frame)
        this.#wake()
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.fault = error
    }
    this.isOver = true
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** What a page would show: the text of each block, and each tool call with its input and result. */
export function fold(events: readonly StreamEvent[]): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const event of events) {
    if (event.type === 'text_delta') {
      const key = `${event.message_id}.${event.index}`
      shown[key] = (shown[key] ?? '') + event.text
    } else if (event.type === 'tool_call_end') shown[event.tool_call_id] = JSON.stringify(event.input)
    else if (event.type === 'tool_result')
      shown[`${event.tool_call_id} result`] = JSON.stringify(event.content)
    else if (event.type === 'turn_end') shown[event.turn_id] = event.outcome
  }
  return shown
}
