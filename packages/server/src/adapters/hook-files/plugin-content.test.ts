import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSeal } from '../trust-files/trust-key.ts'
import { PluginContents } from './plugin-content.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-plugin-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(name: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true })
  await writeFile(join(root, name), content)
}
const contents = new PluginContents(createSeal(Buffer.alloc(32)))
const read = (manifest: Record<string, unknown> = {}, entry: unknown = undefined) =>
  contents.read({ id: 'p@m', root, manifest, entry })

it('every file is part of the digest, and so is what the marketplace says', async () => {
  await put('skills/a/SKILL.md', '1')
  const { digest } = await read()
  expect((await read()).digest).toBe(digest)
  expect((await read({}, { hooks: {} })).digest).not.toBe(digest)
  await put('lib/.git/deep.md', '1')
  const deeper = (await read()).digest
  expect(deeper).not.toBe(digest)
  await put('lib/.git/deep.md', '2')
  expect((await read()).digest).not.toBe(deeper)
})

it('what git and the CLI keep in it is not, and nothing of the plugin may lie there', async () => {
  await put('skills/a/SKILL.md', '1')
  const { digest } = await read()
  await put('.in_use/4711', '')
  await put('.git/HEAD', 'x')
  expect((await read()).digest).toBe(digest)
  for (const path of ['./.in_use/a.md', './.git/a.md'])
    expect(await read({ agents: [path] })).toMatchObject({ fault: expect.stringContaining('git') })
  expect(await read({ repository: 'https://example.org/x.git' })).not.toHaveProperty('fault')
})

it('a link that leads out cannot be allowed', async () => {
  await symlink('/etc/hostname', join(root, 'SKILL.md'))
  expect(await read()).toMatchObject({ fault: expect.stringContaining('link') })
})
