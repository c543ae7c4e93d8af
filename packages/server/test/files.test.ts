/** Files for mentions, on a whole server. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiClient, type Scope } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noisePicture } from './support/noise-picture.ts'
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

async function clientWith(...scopes: Scope[]) {
  const { secret } = await host.client.createToken({ body: { name: 'a test', scopes } })
  return createApiClient({ baseUrl: host.server.url, token: secret })
}

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

describe('a session’s own', () => {
  let params: { id: string }
  beforeAll(async () => {
    params = { id: (await host.client.createSession({ body: {} })).session.id }
    writeFileSync(join(host.cwd, 'README.md'), '# Hello <script>alert(1)</script>')
    writeFileSync(join(host.cwd, 'page.html'), '<script>alert(1)</script>')
    writeFileSync(join(host.cwd, 'big.bin'), Buffer.alloc(2_500_000, 7))
    writeFileSync(join(host.cwd, 'dot.txt'), noisePicture(4))
  })
  const file = (path: string) => ({ params, query: { path } })

  it('are listed folder by folder and read, and nothing else is', async () => {
    const { client } = host
    const { entries } = await client.listSessionFolder({ params, query: {} })
    expect(entries).toEqual(
      expect.arrayContaining([
        { name: 'src', kind: 'directory' },
        { name: 'README.md', kind: 'file' },
      ]),
    )
    expect(entries.map(({ name }) => name)).not.toContain('.git')
    expect(await client.listSessionFolder(file('src'))).toEqual({
      entries: [
        { name: 'guard.ts', kind: 'file' },
        { name: 'router.ts', kind: 'file' },
      ],
      complete: true,
    })
    expect(await client.readSessionFile(file('README.md'))).toMatchObject({
      text: '# Hello <script>alert(1)</script>',
      complete: true,
    })
    // What git ignores is not listed, and is there for whoever knows it.
    expect(entries.map(({ name }) => name)).not.toContain('debug.log')
    expect(await client.readSessionFile(file('debug.log'))).toMatchObject({ text: '' })
    for (const path of ['.git/config', '../state/config.jsonc', 'src', 'no/where'])
      await expect(client.readSessionFile(file(path))).rejects.toMatchObject({ status: 404 })
  })

  it('come whole, as a picture or as something to save, never as what a browser runs', async () => {
    const { client } = host
    const page = await client.getSessionFile(file('page.html'))
    expect(page.headers.get('content-type')).toBe('application/octet-stream')
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="page.html"')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await page.text()).toBe('<script>alert(1)</script>')
    const big = Buffer.from(await (await client.getSessionFile(file('big.bin'))).arrayBuffer())
    expect(big.equals(Buffer.alloc(2_500_000, 7))).toBe(true)
    expect(await client.readSessionFile(file('dot.txt'))).toMatchObject({ picture: 'image/png' })
    const picture = await client.getSessionFile(file('dot.txt'))
    expect(picture.headers.get('content-type')).toBe('image/png')
    await picture.body?.cancel()
    await expect(client.getSessionFile(file('.git/config'))).rejects.toMatchObject({ status: 404 })
  })

  it('are read by whoever may chat, not by who may only look', async () => {
    const reader = await clientWith('read')
    expect((await reader.listSessionFolder({ params, query: {} })).complete).toBe(true)
    for (const read of [reader.readSessionFile, reader.getSessionFile])
      await expect(read(file('README.md'))).rejects.toMatchObject({ status: 403 })
  })
})

it('not where there is nothing to look for', async () => {
  const missing = host.client.searchWorkspaceFiles({ params: { id: 'ws_00000000' }, query: {} })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})
