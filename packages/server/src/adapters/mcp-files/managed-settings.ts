/** The machine's policy for Claude Code: one file, and a folder of further ones beside it (seen with 2.1.325). */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export function managedSettingsPath(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json'
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json'
  return '/etc/claude-code/managed-settings.json'
}

/** Those that count besides, in the order in which they do. What cannot be listed here, the CLI cannot list either. */
export async function managedSettingsMore(file: string): Promise<string[]> {
  const folder = join(dirname(file), 'managed-settings.d')
  const names = await readdir(folder).catch(() => [])
  const counted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  return counted.toSorted().map((name) => join(folder, name))
}
