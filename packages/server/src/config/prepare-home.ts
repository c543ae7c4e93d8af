/** The state folder, and one that servers share: made at the first start, and closed to everybody but their owner. */
import { constants } from 'node:fs'
import { access, chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Saying, say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import { CONFIG_FILE } from './load-config.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The real path of `DORKOS_HOME`, or of `~/.dorkos`. Throws AppError with what to do. */
export function prepareHome(env: Variables, logger: Pick<Logger, 'warn'>): Promise<string> {
  const path = env.DORKOS_HOME ? resolve(env.DORKOS_HOME) : join(env.HOME || homedir(), '.dorkos')
  return prepare({ path, folder: 'state', option: 'DORKOS_HOME' }, env, logger)
}

/** One that several servers have their configuration in: who writes there decides what agents may do, too. */
export function prepareSharedFolder(
  folder: string,
  env: Variables,
  logger: Pick<Logger, 'warn'>,
): Promise<string> {
  return prepare({ path: resolve(folder), folder: 'shared', option: 'shared.folder' }, env, logger)
}

interface Wanted {
  path: string
  folder: 'state' | 'shared'
  /** Where it is named. */
  option: string
}

async function prepare(named: Wanted, env: Variables, logger: Pick<Logger, 'warn'>): Promise<string> {
  const ownerHome = env.HOME || homedir()
  const folder = await makeFolder(named)
  const wanted = { ...named, path: folder }
  if (folder === '/' || folder === (await realpath(ownerHome).catch(() => ownerHome)))
    throw refused(say('folder_not_it', wanted))
  const { uid, mode } = await stat(folder)
  if (process.getuid && uid !== process.getuid()) throw refused(say('folder_of_another', wanted))
  if ((mode & 0o077) !== 0) await closeFolder(wanted, mode, logger)
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw refused(say('folder_unwritable', wanted))
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
      throw refused(say('folder_unmade', { ...wanted, code: String(code) }))
    }
  }
  throw refused(say('folder_is_file', wanted))
}

/** Only a folder that is empty or ours is closed: a wrong name must not lock others out of theirs. */
async function closeFolder(wanted: Wanted, mode: number, logger: Pick<Logger, 'warn'>): Promise<void> {
  const { path, folder } = wanted
  const entries = await readdir(path).catch((): string[] => [])
  if (entries.length > 0 && !entries.includes(CONFIG_FILE))
    throw refused(say('folder_open_with_files', wanted))
  try {
    await chmod(path, 0o700)
  } catch (cause) {
    throw refused(say('folder_open', wanted), cause)
  }
  logger.warn(
    { folder: path, mode: (mode & 0o777).toString(8) },
    `The ${folder} folder was open to other users; its rights are now 700`,
  )
}

function refused(saying: Saying, cause?: unknown): AppError {
  return new AppError('unavailable', saying, { cause })
}
