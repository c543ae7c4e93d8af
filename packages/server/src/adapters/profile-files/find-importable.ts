/** Agents that could become profiles: `.claude/agents` of the owner and of a trusted workspace, and its `sandstorm.json`. */
import { basename, join } from 'node:path'
import { readCommandText } from '../../core/commands/read-command-text.ts'
import type { ImportableAgent, ProfileImports } from '../../core/profiles/profile-service.ts'
import { maxProfileBytes } from '../../core/profiles/profile-text.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { FileList } from '../trust-files/file-list.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

export function createProfileImports(options: {
  claudeConfigDir: string
  ownerHome: string
  closed: readonly string[]
}): ProfileImports {
  return {
    async find(checked) {
      const { claudeConfigDir, ownerHome, closed } = options
      const found = await agentsIn(join(claudeConfigDir, 'agents'), [claudeConfigDir, ownerHome], closed)
      // What a workspace's files say does not count before it is trusted.
      if (!checked?.covers) return found
      const { path } = checked.workspace
      found.unshift(...(await agentsIn(join(path, '.claude', 'agents'), [path], closed)))
      const sandstorm = await readPlain(join(path, 'sandstorm.json'), path)
      if (sandstorm !== undefined) {
        const { convertSandstorm } = await import('../../core/profiles/convert-sandstorm.ts')
        const file = join(path, 'sandstorm.json')
        const converted = convertSandstorm(sandstorm, 'sandstorm')
        if (converted) found.unshift({ file, kind: 'sandstorm', name: 'sandstorm', ...converted })
      }
      return found
    },
  }
}

async function agentsIn(
  folder: string,
  within: readonly string[],
  closed: readonly string[],
): Promise<ImportableAgent[]> {
  const real = await Promise.all(within.map((path) => realPath(path).catch(() => path)))
  const list = new FileList({ root: folder, within: real })
  await list.add(folder)
  const files = [...list.files.values()].filter(
    (one) => one.file.endsWith('.md') && !closed.some((path) => isInside(path, one.real)),
  )
  const found = await Promise.all(
    files.slice(0, 200).map(async ({ file, real: path }): Promise<ImportableAgent[]> => {
      const text = (await readBytes(path, maxProfileBytes).catch(() => undefined))?.toString('utf8')
      if (text === undefined) return []
      const { name = basename(file, '.md'), description } = readCommandText(text)
      return [{ file, kind: 'claude_agent', name: profileNameOf(name), description, text }]
    }),
  )
  return found.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Agents of Claude Code may have names that files here cannot. */
function profileNameOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 64) || 'agent'
}

async function readPlain(file: string, within: string): Promise<string | undefined> {
  const real = await realPath(file).catch(() => undefined)
  if (real === undefined || !isInside(await realPath(within), real)) return undefined
  return (await readBytes(real, maxProfileBytes).catch(() => undefined))?.toString('utf8')
}
