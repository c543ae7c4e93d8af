/** Errors on their way from the database thread to the main thread: what the ports promise, and nothing of SQLite. */
import type { ProblemCode } from '@dorkos/shared'
import { AppError } from '../../../core/app-error.ts'
import { StaleEpochError } from '../../../core/ports/coordination.ts'

export type Failure =
  | { kind: 'stale'; sessionId: string; epoch: number }
  | { kind: 'range'; message: string }
  | { kind: 'app'; code: ProblemCode; message: string }

export function toFailure(error: unknown, path: string): Failure {
  if (error instanceof StaleEpochError)
    return { kind: 'stale', sessionId: error.sessionId, epoch: error.epoch }
  if (error instanceof RangeError) return { kind: 'range', message: error.message }
  if (error instanceof AppError) return { kind: 'app', code: error.code, message: error.message }
  return { kind: 'app', ...problemOf(error, path) }
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === 'stale') return new StaleEpochError(failure.sessionId, failure.epoch)
  if (failure.kind === 'range') return new RangeError(failure.message)
  return new AppError(failure.code, failure.message)
}

/** Whether it concerns the operation alone. All else (disk, file, lock) fails the whole commit. */
export function concernsOperationOnly(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === undefined || code.startsWith('SQLITE_CONSTRAINT')
}

function problemOf(error: unknown, path: string): { code: ProblemCode; message: string } {
  const code = sqliteCode(error) ?? ''
  const text = error instanceof Error ? error.message : String(error)
  if (/^SQLITE_(FULL|IOERR)/.test(code))
    return {
      code: 'storage_full',
      message: `${path} cannot be written (${text}); free some space on its disk, nothing was accepted`,
    }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return { code: 'unavailable', message: `${path} is locked by another process; close it and try again` }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return {
      code: 'internal',
      message: `${path} is damaged (${text}); run \`dorkos doctor\`, then restore a backup or move the file away`,
    }
  if (/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/.test(code) || text.includes('Unable to open connection'))
    return {
      code: 'unavailable',
      message: `${path} cannot be opened for writing (${text}); check the rights of the file and its folder`,
    }
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return { code: 'conflict', message: `there is such a record already (${text})` }
  return { code: 'internal', message: `the database failed: ${text}` }
}

function sqliteCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined
}
