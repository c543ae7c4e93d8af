/** The state folder, and one that servers share: made at the first start, and closed to everybody but their owner. */
import { constants } from 'node:fs'
import { access, chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import { CONFIG_FILE } from './load-config.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The real path of `DORKOS_HOME`, or of `~/.dorkos`. Throws AppError with what to do. */
export function prepareHome(env: Variables, logger: Pick<Logger, 'warn'>): Promise<string> {
  const path = env.DORKOS_HOME ? resolve(env.DORKOS_HOME) : join(env.HOME || homedir(), '.dorkos')
  return prepare({ path, what: 'state folder', option: 'DORKOS_HOME' }, env, logger)
}

/** One that several servers have their configuration in: who writes there decides what agents may do, too. */
export function prepareSharedFolder(
  folder: string,
  env: Variables,
  logger: Pick<Logger, 'warn'>,
): Promise<string> {
  return prepare({ path: resolve(folder), what: 'shared folder', option: 'shared.folder' }, env, logger)
}

interface Wanted {
  path: string
  what: string
  /** Where it is named. */
  option: string
}

async function prepare(named: Wanted, env: Variables, logger: Pick<Logger, 'warn'>): Promise<string> {
  const ownerHome = env.HOME || homedir()
  const folder = await makeFolder(named)
  const wanted = { ...named, path: folder }
  if (folder === '/' || folder === (await realpath(ownerHome).catch(() => ownerHome)))
    throw refused(wanted, `cannot be it; name a folder of its own in ${wanted.option}`)
  const { uid, mode } = await stat(folder)
  if (process.getuid && uid !== process.getuid())
    throw refused(wanted, `belongs to another user; name a folder of your own in ${wanted.option}`)
  if ((mode & 0o077) !== 0) await closeFolder(wanted, mode, logger)
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw refused(wanted, 'cannot be written; check its rights and whether the disk is mounted read-only')
  })
  return folder
}

async function makeFolder(wanted: Wanted): Promise<string> {
  try {
    await mkdir(wanted.path, { recursive: true, mode: 0o700 })
    const folder = await realpath(wanted.path)
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') {
      throw refused(wanted, `cannot be made (${code}); check the rights of the folder above it`)
    }
  }
  throw refused(wanted, `is not a folder; remove it, or name another in ${wanted.option}`)
}

/** Only a folder that is empty or ours is closed: a wrong name must not lock others out of theirs. */
async function closeFolder(wanted: Wanted, mode: number, logger: Pick<Logger, 'warn'>): Promise<void> {
  const { path, what, option } = wanted
  const entries = await readdir(path).catch((): string[] => [])
  if (entries.length > 0 && !entries.includes(CONFIG_FILE))
    throw refused(
      wanted,
      `is open to other users and holds other files; name a folder of its own in ${option}`,
    )
  try {
    await chmod(path, 0o700)
  } catch (cause) {
    throw refused(
      wanted,
      'is open to other users and its rights cannot be changed; run chmod 700 on it',
      cause,
    )
  }
  logger.warn(
    { folder: path, mode: (mode & 0o777).toString(8) },
    `The ${what} was open to other users; its rights are now 700`,
  )
}

function refused({ path, what }: Wanted, why: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The ${what} ${path} ${why}.`, { cause })
}
