/**
 * Commands and skills in folders of the CLI's form, as it finds them (seen with 2.1.325): `skills/<folder>/SKILL.md`, named by its head or else its
 * folder; `commands/**.md`, named by their path with colons, where a `SKILL.md` stands for its folder.
 */
import { basename, dirname, join, relative, sep } from 'node:path'
import { readCommandText } from '../../core/commands/read-command-text.ts'
import type { CommandFiles, CommandFolder, FoundCommand } from '../../core/ports/command-files.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { FileList, type ListedFile } from '../trust-files/file-list.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

const maxFile = 1024 * 1024
const maxCommands = 500

/** `closed`: folders that nothing is read from, whatever leads there. */
export function createCommandFiles(closed: readonly string[]): CommandFiles {
  return {
    async read(folders) {
      const found: FoundCommand[] = []
      for (const folder of folders) found.push(...(await readFolder(folder, closed)))
      return found.slice(0, maxCommands)
    },
  }
}

async function readFolder(folder: CommandFolder, closed: readonly string[]): Promise<FoundCommand[]> {
  const within = await Promise.all(folder.within.map((path) => realPath(path).catch(() => path)))
  const list = new FileList({ root: folder.path, within })
  const skills = join(folder.path, 'skills')
  await list.add(skills, (path) => !isSkillPath(relative(skills, path)))
  await list.add(join(folder.path, 'commands'))
  const files = [...list.files.values()]
    .filter(({ file, real }) => file.endsWith('.md') && !closed.some((path) => isInside(path, real)))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .slice(0, maxCommands)
  const found = await Promise.all(files.map((file) => readCommand(folder, file)))
  return found.flatMap((one) => one ?? [])
}

/** A folder, or the file in it that makes it a skill. */
function isSkillPath(path: string): boolean {
  const [, file, ...deeper] = path.split(sep)
  return file === undefined || (file === 'SKILL.md' && deeper.length === 0)
}

async function readCommand(
  { path, source, plugin }: CommandFolder,
  { file, real }: ListedFile,
): Promise<FoundCommand | undefined> {
  const bytes = await readBytes(real, maxFile).catch(() => undefined)
  if (!bytes) return undefined
  const { name, isHidden, ...about } = readCommandText(bytes.toString('utf8'))
  if (isHidden) return undefined
  const prefix = plugin === undefined ? '' : `${plugin}:`
  const parts = relative(path, basename(file) === 'SKILL.md' ? dirname(file) : file.slice(0, -'.md'.length))
  const [part, ...names] = parts.split(sep)
  const kind = part === 'skills' ? 'skill' : 'command'
  const byPath = `${prefix}${names.join(':')}`
  const given = kind === 'skill' && name !== undefined ? `${prefix}${name}` : byPath
  if (names.length === 0 || given.length > 200) return undefined
  return { name: given, aliases: given === byPath ? [] : [byPath], ...about, kind, source }
}
