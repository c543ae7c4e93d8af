/** Where other MCP clients keep their servers. Pure: nothing is read. */
import { posix, win32 } from 'node:path'

type McpClient = 'claude-desktop' | 'cursor' | 'vscode'

export interface ClientFile {
  client: McpClient
  /** `user`: for everything that this person does. `project`: in the folder that was given. */
  kind: 'user' | 'project'
  file: string
  /** The key that the servers stand under. */
  at: readonly string[]
}

export interface ClientFilesInput {
  platform: NodeJS.Platform
  /** Of the person. */
  home: string
  /** `APPDATA` and `XDG_CONFIG_HOME` are read. */
  env: Readonly<Record<string, string | undefined>>
  /** A project's folder. */
  folder?: string
}

export function clientFiles(input: ClientFilesInput): ClientFile[] {
  const { home, folder } = input
  const { join } = input.platform === 'win32' ? win32 : posix
  const settings = settingsFolder(input)
  const files: ClientFile[] = [
    {
      client: 'claude-desktop',
      kind: 'user',
      file: join(settings, 'Claude', 'claude_desktop_config.json'),
      at: ['mcpServers'],
    },
    { client: 'cursor', kind: 'user', file: join(home, '.cursor', 'mcp.json'), at: ['mcpServers'] },
    { client: 'vscode', kind: 'user', file: join(settings, 'Code', 'User', 'mcp.json'), at: ['servers'] },
  ]
  if (folder === undefined) return files
  return [
    ...files,
    { client: 'cursor', kind: 'project', file: join(folder, '.cursor', 'mcp.json'), at: ['mcpServers'] },
    { client: 'vscode', kind: 'project', file: join(folder, '.vscode', 'mcp.json'), at: ['servers'] },
  ]
}

function settingsFolder({ platform, home, env }: ClientFilesInput): string {
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return absolute(env.APPDATA, win32) ?? win32.join(home, 'AppData', 'Roaming')
  return absolute(env.XDG_CONFIG_HOME, posix) ?? posix.join(home, '.config')
}

/** The XDG rules say that a relative one is to be ignored. */
function absolute(path: string | undefined, rules: typeof posix): string | undefined {
  return path !== undefined && rules.isAbsolute(path) ? path : undefined
}
