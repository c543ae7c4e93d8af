/** Files for mentions, on a whole server. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Host, startHost } from './support/start-host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost([])
  const write = (name: string) => writeFileSync(join(host.cwd, name), '')
  mkdirSync(join(host.cwd, 'src'))
  for (const name of ['src/router.ts', 'src/guard.ts', 'README.md', 'debug.log']) write(name)
  writeFileSync(join(host.cwd, '.gitignore'), '*.log\n')
  execFileSync('git', ['init', '-q'], { cwd: host.cwd, env: { ...process.env, HOME: host.root } })
})
afterAll(() => host?.close())

it('of a session’s directory, and of a workspace', async () => {
  const { session } = await host.client.createSession({ body: { cwd: join(host.cwd, 'src') } })
  const found = await host.client.searchSessionFiles({ params: { id: session.id }, query: { q: 'rou' } })
  expect(found).toEqual({ files: [{ path: 'router.ts', kind: 'file' }], complete: true })
  const { workspaces } = await host.client.listWorkspaces()
  const main = { id: workspaces[0]?.id ?? '' }
  const named = await host.client.searchWorkspaceFiles({ params: main, query: { q: 'src' } })
  expect(named.files.map(({ path }) => path)).toEqual(['src', 'src/guard.ts', 'src/router.ts'])
  const all = await host.client.searchWorkspaceFiles({ params: main, query: {} })
  expect(all.files.map(({ path }) => path).toSorted()).toEqual([
    '.gitignore',
    'README.md',
    'src/guard.ts',
    'src/router.ts',
  ])
})

it('never the state folder, though it lies in the workspace', async () => {
  const workspace = await host.client.createWorkspace({ body: { path: host.root } })
  symlinkSync(host.home, join(host.root, 'to-state'))
  const paths = async (q: string) => {
    const query = { q, limit: 200 }
    const { files } = await host.client.searchWorkspaceFiles({ params: { id: workspace.id }, query })
    return files.map(({ path }) => path)
  }
  expect(await paths('router')).toContain('workspace/src/router.ts')
  const everything = [...(await paths('')), ...(await paths('s')), ...(await paths('dorkos.db'))]
  expect(everything.filter((path) => path.startsWith('state'))).toEqual([])
  expect(everything.filter((path) => path.startsWith('to-state/'))).toEqual([])
})

it('not where there is nothing to look for', async () => {
  const missing = host.client.searchWorkspaceFiles({ params: { id: 'ws_00000000' }, query: {} })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})
