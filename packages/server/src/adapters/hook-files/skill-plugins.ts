/**
 * Plugins that lie in a folder for skills: the CLI (2.1.325) loads a folder there that has a plugin's manifest as `<name>@skills-dir`, without
 * anybody having installed or enabled it.
 */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from '../../core/event-map/untrusted.ts'
import { readSettings } from './read-settings.ts'

const MAX_FOLDERS = 2000

export async function findSkillPlugins(folders: readonly string[]): Promise<{ id: string; root: string }[]> {
  const found: { id: string; root: string }[] = []
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.slice(0, MAX_FOLDERS)) {
      const root = join(folder, name)
      const manifest = await readSettings(join(root, '.claude-plugin', 'plugin.json'), [])
      if (manifest) found.push({ id: `${text(manifest.name) ?? basename(root)}@skills-dir`, root })
    }
  }
  return found
}
