/** The server's log: JSON lines in a file that only the owner can read, and on stdout where that is no terminal. */
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger as PinoLogger, pino } from 'pino'
import type { Logger } from '../../core/logger.ts'
import { redact } from './redact.ts'

const standardMaxBytes = 10 * 1024 * 1024
const kept = 3

export interface Log extends Logger {
  setLevel(level: string): void
  close(): void
  readonly file: string
}

export function openLog(options: {
  folder: string
  level: string
  alsoTo?: NodeJS.WritableStream | undefined
  /** From which size on another file is begun. */
  maxBytes?: number
}): Log {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const file = join(options.folder, 'dorkos.log')
  const lines = new LineFile(file, options.maxBytes ?? standardMaxBytes)
  const destination = {
    write(line: string) {
      const clean = redact(line)
      lines.write(clean)
      options.alsoTo?.write(clean)
    },
  }
  const logger: PinoLogger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
    },
    destination,
  )
  return {
    file,
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    setLevel(level) {
      logger.level = level
    },
    close: () => lines.close(),
  }
}

/** Never throws once it is open: on a full disk the server goes on without a log, and tries again with the next line. */
class LineFile {
  readonly #file: string
  readonly #maxBytes: number
  #descriptor: number | undefined
  #written = 0
  #closed = false

  constructor(file: string, maxBytes: number) {
    this.#file = file
    this.#maxBytes = maxBytes
    this.#open()
  }

  write(text: string): void {
    if (this.#closed) return
    try {
      this.#written += writeSync(this.#descriptor ?? this.#open(), text)
      if (this.#written >= this.#maxBytes) this.#letGo()
    } catch {
      // There is nowhere left to say so.
    }
  }

  close(): void {
    this.#closed = true
    this.#letGo()
  }

  #open(): number {
    rotate(this.#file, this.#maxBytes)
    const descriptor = openSync(this.#file, 'a', 0o600)
    chmodSync(this.#file, 0o600)
    this.#written = statSync(this.#file).size
    this.#descriptor = descriptor
    return descriptor
  }

  /** The number is forgotten first: it may soon be that of another file. */
  #letGo(): void {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Keeps the last few files once the newest has grown large. */
function rotate(file: string, maxBytes: number): void {
  try {
    if (statSync(file).size < maxBytes) return
  } catch {
    return
  }
  for (let number = kept; number >= 1; number--) {
    try {
      renameSync(number === 1 ? file : `${file}.${number - 1}`, `${file}.${number}`)
    } catch {
      // There are not that many yet.
    }
  }
}
