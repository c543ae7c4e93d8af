import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { type OfflineServer, startOfflineServer } from './support/offline-server.ts'

async function folderWith({ offline }: OfflineServer, name: string, files: Record<string, string>) {
  const folder = join(offline.home, name)
  await mkdir(folder)
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  return folder
}

async function withToken(
  { offline, page }: OfflineServer,
  scopes: ('read' | 'chat' | 'approve' | 'admin')[],
) {
  const { secret, token } = await page.createToken({ body: { name: 'shell', scopes } })
  const env = { ...offline.env, DORKOS_TOKEN: secret }
  const run = async (...args: string[]) => {
    const terminal = new FakeTerminal({ env, cwd: offline.cwd, isTTY: false })
    const code = await terminal.run(...args)
    expect(terminal.screen).not.toContain(secret)
    return { code, stdout: terminal.stdout, stderr: terminal.stderr }
  }
  return { run, id: token.id }
}

describe('DORKOS_TOKEN', () => {
  it('stands for codes as far as it goes, and outlives the commands that use it', async () => {
    await using host = await startOfflineServer([])
    const { run, id } = await withToken(host, ['read', 'chat', 'approve', 'admin'])
    expect(await run('mcp', 'add', 'notes', '--', 'notes-mcp')).toMatchObject({ code: 0 })
    expect(await run('mcp', 'remove', 'notes')).toMatchObject({ code: 0 })
    expect((await run('token', 'list')).stdout).toMatch(/NAME\n/)
    const { tokens } = await host.page.listTokens()
    const used = tokens.find((token) => token.id === id)
    expect(used?.last_used_at).toBeDefined()
    expect(used?.revoked_at).toBeUndefined()
  })

  it('goes before the terminal’s own token, gives no more than it has, and is named when it does not work', async () => {
    await using host = await startOfflineServer([])
    const { run, id } = await withToken(host, ['read'])
    expect(await run('mcp', 'list')).toMatchObject({ code: 0 })
    expect((await run('run', 'hello')).code).toBe(1)
    const refused = await run('mcp', 'add', 'notes', '--', 'notes-mcp')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('DORKOS_TOKEN')
    await host.page.revokeToken({ params: { id } })
    const gone = await run('mcp', 'list')
    expect(gone.code).toBe(1)
    expect(gone.stderr).toContain('Unset the variable')
  })

  it('that is no token is not repeated', async () => {
    await using host = await startOfflineServer([])
    const env = { ...host.offline.env, DORKOS_TOKEN: 'sécret\nvalue' }
    const terminal = new FakeTerminal({ env, cwd: host.offline.cwd, isTTY: false })
    expect(await terminal.run('sessions', 'list')).toBe(2)
    expect(terminal.stderr).toContain('DORKOS_TOKEN')
    expect(terminal.stderr).not.toContain('value')
  })
})

describe('workspaces', () => {
  it('are added with a hint at trust where there is something to trust, listed and removed', async () => {
    await using host = await startOfflineServer([])
    const plain = await folderWith(host, 'place-1', {})
    const bringing = await folderWith(host, 'place-2', {
      '.mcp.json': '{"mcpServers": {"db": {"command": "x"}}}',
    })
    const { run } = await withToken(host, ['read', 'admin'])
    const added = await run('workspaces', 'add', plain, '--name', 'plain one')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(/^Added workspace plain one, \S+: not trusted\n$/)
    const other = await run('workspaces', 'add', bringing, '--name', 'its own')
    expect(other.code).toBe(0)
    expect(other.stderr).toContain("dorkos mcp trust --workspace 'its own'")
    const list = await run('workspaces', 'list')
    expect(list.stdout).toMatch(/^NAME +TRUST +KIND +FOLDER\n/)
    expect(list.stdout).toMatch(/not trusted +main +\S+\n/)
    expect(list.stdout).toMatch(/plain one +not trusted +\S*place-1/)
    const json = JSON.parse((await run('workspaces', 'list', '--json')).stdout)
    expect(json.workspaces).toHaveLength(3)
    expect(await run('workspaces', 'remove', 'plain one')).toMatchObject({ code: 0 })
    expect((await run('workspaces', 'list')).stdout).not.toContain('plain one')
    expect((await run('workspaces', 'remove', 'plain one')).code).toBe(2)
    expect((await run('workspaces', 'remove', json.workspaces[0].name)).code).toBe(1)
  })

  it('are relative to here, and need the right', async () => {
    await using host = await startOfflineServer([])
    await mkdir(join(host.offline.cwd, 'sub'))
    const alone = host.terminal({ isTTY: false })
    expect(await alone.run('workspaces', 'add', 'sub')).toBe(1)
    expect(alone.stderr).toContain('--code -')
    const { run } = await withToken(host, ['read', 'admin'])
    expect((await run('workspaces', 'add', 'sub', '--main', '--json')).code).toBe(0)
    const { workspaces } = await host.page.listWorkspaces()
    expect(workspaces.find(({ main }) => main)?.path).toBe(join(host.offline.cwd, 'sub'))
    expect((await run('workspaces', 'add', 'gone')).code).not.toBe(0)
  })
})
