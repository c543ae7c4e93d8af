/**
 * One server per state folder. The lock is SQLite's own on a file that is held open: the system ends it with the process,
 * however that ends, and child processes do not inherit it. Holds on local disks of Linux and macOS alike.
 */

import { chmod, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import Database from 'libsql'
import { AppError } from '../../core/app-error.ts'

export interface HomeLock {
  release(): Promise<void>
}

/** Locks the folder, made when it is missing. Throws `conflict` while another server has it. */
export async function lockHome(home: string): Promise<HomeLock> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const lockFile = join(home, 'lock.db')
  // Beside the locked file, never in it: to open and close that one in the same process would end the lock.
  const pidFile = join(home, 'lock.pid')
  await makePrivate(lockFile)
  const connection = takeLock(lockFile)
  if (!connection) throw await inUse(home, pidFile)
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 })
  let released: Promise<void> | undefined
  return {
    release() {
      released ??= rm(pidFile, { force: true }).then(() => {
        connection.exec('ROLLBACK')
        connection.close()
      })
      return released
    },
  }
}

/** SQLite's journal takes over the rights of the file. One that is there is never opened: to close it would end a lock on it. */
async function makePrivate(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotLock(path, error)
    await chmod(path, 0o600)
  }
}

function takeLock(path: string): Database.Database | undefined {
  let connection: Database.Database | undefined
  try {
    connection = new Database(path)
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection?.close()
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return undefined
    throw cannotLock(path, error)
  }
}

function cannotLock(path: string, cause: unknown): AppError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return new AppError('unavailable', say('folder_locked', { path, detail: text }), {
    cause,
  })
}

async function inUse(home: string, pidFile: string): Promise<AppError> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  const known = Number.isSafeInteger(pid) ? pid : undefined
  return new AppError('conflict', say('folder_in_use', { path: home, pid: known }), {
    ...(known !== undefined && { details: { pid } }),
  })
}
