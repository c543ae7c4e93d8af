import { expect, it } from 'vitest'
import { clientFiles } from './client-files.ts'

const paths = (input: Parameters<typeof clientFiles>[0]) =>
  clientFiles(input).map(({ client, kind, file, at }) => `${client} ${kind} ${file} ${at}`)

it('knows the places on Linux', () => {
  const user = [
    'claude-desktop user /home/ada/.config/Claude/claude_desktop_config.json mcpServers',
    'cursor user /home/ada/.cursor/mcp.json mcpServers',
    'vscode user /home/ada/.config/Code/User/mcp.json servers',
  ]
  expect(paths({ platform: 'linux', home: '/home/ada', env: {} })).toEqual(user)
  expect(paths({ platform: 'linux', home: '/home/ada', env: { XDG_CONFIG_HOME: 'relative' } })).toEqual(user)
  expect(
    paths({ platform: 'linux', home: '/home/ada', env: { XDG_CONFIG_HOME: '/x' }, folder: '/w' }),
  ).toEqual([
    'claude-desktop user /x/Claude/claude_desktop_config.json mcpServers',
    'cursor user /home/ada/.cursor/mcp.json mcpServers',
    'vscode user /x/Code/User/mcp.json servers',
    'cursor project /w/.cursor/mcp.json mcpServers',
    'vscode project /w/.vscode/mcp.json servers',
  ])
})

it('knows the places on macOS and Windows', () => {
  expect(paths({ platform: 'darwin', home: '/Users/ada', env: { XDG_CONFIG_HOME: '/x' } })).toEqual([
    'claude-desktop user /Users/ada/Library/Application Support/Claude/claude_desktop_config.json mcpServers',
    'cursor user /Users/ada/.cursor/mcp.json mcpServers',
    'vscode user /Users/ada/Library/Application Support/Code/User/mcp.json servers',
  ])
  const windows = { platform: 'win32', home: 'C:\\Users\\ada' } as const
  expect(paths({ ...windows, env: {} })[0]).toBe(
    'claude-desktop user C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json mcpServers',
  )
  expect(paths({ ...windows, env: { APPDATA: 'D:\\data' }, folder: 'C:\\w' }).slice(2)).toEqual([
    'vscode user D:\\data\\Code\\User\\mcp.json servers',
    'cursor project C:\\w\\.cursor\\mcp.json mcpServers',
    'vscode project C:\\w\\.vscode\\mcp.json servers',
  ])
})
