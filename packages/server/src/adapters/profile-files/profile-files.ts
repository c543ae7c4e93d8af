/** Profiles in folders of this machine. What is no plain file below its folder is not read, and nothing is written through a link. */
import { mkdir, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { profileNameSchema, say } from '@dorkos/shared'
import { writePrivateFile } from '../../config/write-private-file.ts'
import { AppError } from '../../core/app-error.ts'
import type { ProfileFile, ProfileFiles, ProfileFolder } from '../../core/ports/profile-files.ts'
import { maxProfileBytes } from '../../core/profiles/profile-text.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

const maxProfiles = 500

export function createProfileFiles(): ProfileFiles {
  return {
    async list(folder) {
      const entries = await readdir(folder.path).catch(() => [])
      const names = entries
        .filter((entry) => entry.endsWith('.md') && profileNameSchema.safeParse(nameOf(entry)).success)
        .toSorted()
        .slice(0, maxProfiles)
      const files = await Promise.all(names.map((entry) => read(folder, nameOf(entry))))
      return files.flatMap((file) => file ?? [])
    },
    read,
    async readBeside(folder, path) {
      const file = await inFolder(folder, join(folder.path, path))
      if (file === undefined) return undefined
      return (await readBytes(file, maxProfileBytes).catch(() => undefined))?.toString('utf8')
    },
    async write(folder, name, text) {
      const file = join(folder.path, `${name}.md`)
      try {
        await mkdir(folder.path, { recursive: true })
        // The folder may be a link, or lie behind one.
        if (!isInside(await realPath(folder.within), await realPath(folder.path)))
          throw Object.assign(new Error('a link leads out of the folder'), { code: 'ELOOP' })
        await writePrivateFile(file, text)
      } catch (error) {
        throw unwritable(file, error)
      }
    },
    async remove(folder, name) {
      const file = join(folder.path, `${name}.md`)
      try {
        await unlink(file)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw unwritable(file, error)
      }
    },
  }
}

const nameOf = (entry: string) => entry.slice(0, -'.md'.length)

async function read(folder: ProfileFolder, name: string): Promise<ProfileFile | undefined> {
  const path = join(folder.path, `${name}.md`)
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const file = await inFolder(folder, path)
  const known = { name, file: file ?? path, changedAt: found.mtimeMs }
  if (file === undefined)
    return { ...known, text: undefined, fault: 'it is a link that leads out of the folder' }
  try {
    return { ...known, text: (await readBytes(file, maxProfileBytes)).toString('utf8') }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return { ...known, text: undefined, fault: `it cannot be read (${code})` }
  }
}

/** The path without links, if it leads to something in the folder. */
async function inFolder({ path: folder, within }: ProfileFolder, path: string): Promise<string | undefined> {
  try {
    const [real, realFolder, around] = await Promise.all([realPath(path), realPath(folder), realPath(within)])
    return isInside(realFolder, real) && isInside(around, realFolder) && real !== realFolder
      ? real
      : undefined
  } catch {
    return undefined
  }
}

function unwritable(file: string, error: unknown): AppError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  return new AppError('conflict', say('profile_file_unwritable', { file, code }), { cause: error })
}
