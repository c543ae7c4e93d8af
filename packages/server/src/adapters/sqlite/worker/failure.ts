/** Errors on their way from the database thread to the main thread: what the ports promise, and nothing of SQLite. */
import type { ProblemCode, Said } from '@dorkos/shared'
import { type Saying, say, sayAgain, toSaid } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import { StaleEpochError } from '../../../core/ports/coordination.ts'

export type Failure =
  | { kind: 'stale'; sessionId: string; epoch: number }
  | { kind: 'range'; message: string }
  | { kind: 'app'; code: ProblemCode; said: Said }

export function toFailure(error: unknown, path: string): Failure {
  if (error instanceof StaleEpochError)
    return { kind: 'stale', sessionId: error.sessionId, epoch: error.epoch }
  if (error instanceof RangeError) return { kind: 'range', message: error.message }
  if (error instanceof AppError) return asApp(error.code, error.saying)
  return asApp(...problemOf(error, path))
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === 'stale') return new StaleEpochError(failure.sessionId, failure.epoch)
  if (failure.kind === 'range') return new RangeError(failure.message)
  return new AppError(
    failure.code,
    sayAgain(failure.said) ?? say('database_failed', { detail: failure.said.reason }),
  )
}

/** Whether it concerns the operation alone. All else (disk, file, lock) fails the whole commit. */
export function concernsOperationOnly(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === undefined || code.startsWith('SQLITE_CONSTRAINT')
}

/** What crosses the thread is plain. */
const asApp = (code: ProblemCode, saying: Saying): Failure => ({ kind: 'app', code, said: toSaid(saying) })

function problemOf(error: unknown, path: string): [ProblemCode, Saying] {
  const code = sqliteCode(error) ?? ''
  const detail = error instanceof Error ? error.message : String(error)
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return ['storage_full', say('database_full', { path, detail })]
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return ['unavailable', say('database_locked', { path })]
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return ['internal', say('database_damaged', { path, detail })]
  if (/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/.test(code) || detail.includes('Unable to open connection'))
    return ['unavailable', say('database_unopened', { path, detail })]
  if (code.startsWith('SQLITE_CONSTRAINT')) return ['conflict', say('record_exists', { detail })]
  return ['internal', say('database_failed', { detail })]
}

function sqliteCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined
}
