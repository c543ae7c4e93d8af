/** Hooks in the heads of skills, commands and agents that a session would have. For people to see; none of them runs. */
import { join, relative, sep } from 'node:path'
import { headHooks } from '../../core/hooks/head-hooks.ts'
import type { HookText } from '../../core/ports/hook-files.ts'
import { isInside } from '../../core/real-path.ts'
import { FileList } from '../trust-files/file-list.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

/** A folder of the CLI's form, with `skills`, `commands` and `agents` in it. */
export interface HeadFolder extends Pick<HookText, 'source' | 'plugin'> {
  path: string
  /** Where links in it may lead. */
  within: readonly string[]
}

const MAX_FILE = 1024 * 1024

/** Nothing is read from folders that are `closed`. What cannot be read is left out. */
export async function readHeads(
  folders: readonly HeadFolder[],
  events: ReadonlySet<string>,
  closed: readonly string[],
): Promise<HookText[]> {
  const found: HookText[] = []
  for (const { path, within, ...origin } of folders) {
    const list = new FileList({ root: path, within })
    for (const part of ['skills', 'commands', 'agents'])
      await list.add(
        join(path, part),
        (file) => part === 'skills' && !isSkill(relative(join(path, part), file)),
      )
    for (const { file, real } of [...list.files.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
      if (!file.endsWith('.md') || closed.some((one) => isInside(one, real))) continue
      const bytes = await readBytes(real, MAX_FILE).catch(() => undefined)
      if (bytes) found.push(...headHooks(bytes.toString('utf8'), { ...origin, file }, events))
    }
  }
  return found
}

/** A folder, or the file in it that makes it a skill. */
function isSkill(path: string): boolean {
  const [, file, ...deeper] = path.split(sep)
  return file === undefined || (file === 'SKILL.md' && deeper.length === 0)
}
