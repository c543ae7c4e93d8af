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
  contents.read({ id: 'p@m', root, manifest, entry, bringsHooks: false })

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

const style = (head: string) => `---\nname: s\ndescription: d\n${head}\n---\nWords. force-for-plugin: true\n`

it.each([
  ['in its own folder', 'output-styles/a.md', {}, {}, 'force-for-plugin: true'],
  ['below that', 'output-styles/deep/a.md', {}, {}, 'force-for-plugin: true'],
  [
    'in a folder that the manifest names',
    'other/a.md',
    { outputStyles: './other/' },
    {},
    'force-for-plugin: true',
  ],
  [
    'as a file that the manifest names',
    'other/a.MD',
    { outputStyles: ['./other/a.MD'] },
    {},
    'force-for-plugin: true',
  ],
  ['in the whole plugin', 'a.md', { outputStyles: './' }, {}, 'force-for-plugin: true'],
  [
    'in a folder that the marketplace names',
    'other/a.md',
    {},
    { outputStyles: './other' },
    'force-for-plugin: true',
  ],
  ['with a key that is quoted', 'output-styles/a.md', {}, {}, '"force-for-plugin": yes'],
  ['with a key that is spelled otherwise', 'output-styles/a.md', {}, {}, '"force\\x2dfor-plugin": true'],
])('a forced style is reported as one: %s', async (_, file, manifest, entry, head) => {
  await put(file, style(head))
  expect((await read(manifest, entry)).brings).toEqual([{ part: 'forced_style', count: 1 }])
})

it('other styles are reported as such, and other files not at all', async () => {
  await put('output-styles/a.md', style('x: y'))
  await put('docs/a.md', style('force-for-plugin: true'))
  expect((await read()).brings).toEqual([{ part: 'output_style', count: 1 }])
})

it('code modules are reported of every file of hooks', async () => {
  await put('hooks/hooks.json', '{"modules":["./a.js"]}')
  await put('more/hooks.json', '{"modules":["./b.js"]}')
  const manifest = { hooks: ['./more/hooks.json', './hooks/hooks.json'] }
  expect((await read(manifest)).brings).toEqual([{ part: 'modules', count: 2 }])
})
