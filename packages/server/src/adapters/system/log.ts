/** The server's log: JSON lines in a file that only the owner can read, and on stdout where that is no terminal. */
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger as PinoLogger, pino } from 'pino'
import type { Logger } from '../../core/logger.ts'
import { redact } from './redact.ts'

const maxBytes = 10 * 1024 * 1024
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
}): Log {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const file = join(options.folder, 'dorkos.log')
  rotate(file)
  let descriptor = openSync(file, 'a', 0o600)
  chmodSync(file, 0o600)
  let written = statSync(file).size
  const destination = {
    write(line: string) {
      const clean = redact(line)
      written += writeSync(descriptor, clean)
      options.alsoTo?.write(clean)
      if (written < maxBytes) return
      closeSync(descriptor)
      rotate(file)
      descriptor = openSync(file, 'a', 0o600)
      written = 0
    },
  }
  const logger: PinoLogger = pino(
    { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
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
    close: () => closeSync(descriptor),
  }
}

/** Keeps the last few files once the newest has grown large. */
function rotate(file: string): void {
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
