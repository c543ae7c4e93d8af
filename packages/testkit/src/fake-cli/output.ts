import type { Writable } from 'node:stream'

/** The only writer of stdout: whole lines in order, joined per tick, with back-pressure for who asks for it. */
export interface Output {
  /** Queues one message. */
  send(message: unknown): void
  /** Queues text that already ends in a newline. */
  line(text: string): void
  /** Writes bytes as they are and resolves once the stream takes more. */
  bytes(chunk: Uint8Array): Promise<void>
  /** Writes the start of a line; other lines wait until `closeLine` has written its end. */
  openLine(start: Uint8Array): void
  closeLine(end: Uint8Array): void
  /** Nothing more is written. */
  silence(): void
  /** Resolves when all is handed to the reader, or the reader is gone, or after `ms`. */
  flushed(ms: number): Promise<void>
}

export function createOutput(stream: Writable): Output {
  let pending = ''
  let scheduled = false
  let lineIsOpen = false
  let silent = false
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  stream.on('drain', wake)
  // A reader that went away is not this program's fault; its end of input ends it.
  stream.on('error', () => {
    silent = true
    wake()
  })

  const flush = (): void => {
    scheduled = false
    if (pending === '' || lineIsOpen || silent) return
    const text = pending
    pending = ''
    stream.write(text)
  }
  const drained = (): Promise<void> => {
    if (silent || !stream.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }
  const line = (text: string): void => {
    pending += text
    if (scheduled) return
    scheduled = true
    process.nextTick(flush)
  }
  return {
    line,
    send: (message) => line(`${JSON.stringify(message)}\n`),
    bytes: (chunk) => {
      flush()
      if (!silent) stream.write(chunk)
      return drained()
    },
    openLine: (start) => {
      flush()
      lineIsOpen = true
      if (!silent) stream.write(start)
    },
    closeLine: (end) => {
      lineIsOpen = false
      if (!silent) stream.write(end)
      flush()
    },
    silence: () => {
      flush()
      silent = true
    },
    flushed: (ms) => {
      flush()
      if (silent) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        stream.write('', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
