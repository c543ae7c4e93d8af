/** A folder for the time of a commit, in which git writes as the user whose repository it is, and nobody else's links count. */
import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser } from '../system/run-as.ts'
import type { GitProgram } from './run-git.ts'

export interface OwnFolder {
  /** Git's own, for what it writes. */
  own: string
  /** A file beside it, for what git only reads. */
  attributes: string
  remove(): Promise<void>
}

export async function openOwnFolder({ user }: Pick<GitProgram, 'user'>): Promise<OwnFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'dorkos-commit-'))
  const own = join(folder, 'own')
  await mkdir(own, { mode: 0o700 })
  if (user) {
    await chmod(folder, 0o711)
    await chown(own, user.as.uid, user.as.gid)
  }
  return {
    own,
    attributes: join(folder, 'attributes'),
    async remove() {
      // What a user could put there meanwhile is removed with that user's rights.
      if (user) await run(user.setpriv, [...asUser(user.as), 'find', own, '-mindepth', '1', '-delete'])
      else await rm(own, { recursive: true, force: true })
      await rm(join(folder, 'attributes'), { force: true })
      await rmdir(own).catch(() => undefined)
      await rmdir(folder).catch(() => undefined)
    },
  }
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', timeout: 10_000 })
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
}
