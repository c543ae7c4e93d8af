/** The state folder: made at the first start, and closed to everybody but its owner. */
import { constants } from 'node:fs'
import { access, chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import { CONFIG_FILE } from './load-config.ts'

/** The real path of `DORKOS_HOME`, or of `~/.dorkos`. Throws AppError with what to do. */
export async function prepareHome(
  env: Readonly<Record<string, string | undefined>>,
  logger: Pick<Logger, 'warn'>,
): Promise<string> {
  const ownerHome = env.HOME || homedir()
  const wanted = env.DORKOS_HOME ? resolve(env.DORKOS_HOME) : join(ownerHome, '.dorkos')
  const home = await makeFolder(wanted)
  if (home === '/' || home === (await realpath(ownerHome).catch(() => ownerHome))) {
    throw refused(home, 'cannot be the state folder; name a folder of its own in DORKOS_HOME')
  }
  const { uid, mode } = await stat(home)
  if (process.getuid && uid !== process.getuid()) {
    throw refused(home, 'belongs to another user; name a folder of your own in DORKOS_HOME')
  }
  if ((mode & 0o077) !== 0) await closeFolder(home, mode, logger)
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw refused(home, 'cannot be written; check its rights and whether the disk is mounted read-only')
  })
  return home
}

async function makeFolder(wanted: string): Promise<string> {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 })
    const home = await realpath(wanted)
    if ((await stat(home)).isDirectory()) return home
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') {
      throw refused(wanted, `cannot be made (${code}); check the rights of the folder above it`)
    }
  }
  throw refused(wanted, 'is not a folder; remove it, or name another in DORKOS_HOME')
}

/** Only a folder that is empty or ours is closed: the wrong name in DORKOS_HOME must not lock others out of theirs. */
async function closeFolder(home: string, mode: number, logger: Pick<Logger, 'warn'>): Promise<void> {
  const entries = await readdir(home).catch((): string[] => [])
  if (entries.length > 0 && !entries.includes(CONFIG_FILE)) {
    throw refused(
      home,
      'is open to other users and holds other files; name a folder of its own in DORKOS_HOME',
    )
  }
  try {
    await chmod(home, 0o700)
  } catch (cause) {
    throw refused(home, 'is open to other users and its rights cannot be changed; run chmod 700 on it', cause)
  }
  logger.warn(
    { home, mode: (mode & 0o777).toString(8) },
    'The state folder was open to other users; its rights are now 700',
  )
}

function refused(home: string, why: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The state folder ${home} ${why}.`, { cause })
}
