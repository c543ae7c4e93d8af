/** A sandbox keeps the place of what is not there, for as long as a command runs. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { TrustFiles } from '../../core/ports/trust.ts'
import { createTrustFiles } from './trust-files.ts'

let base: string
let root: string
let files: TrustFiles

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-kept-')))
  root = join(base, 'owner/above/project')
  await mkdir(root, { recursive: true })
  const ownerHome = join(base, 'owner')
  files = createTrustFiles({
    key: randomBytes(32),
    ownerHome,
    closedFolders: [join(ownerHome, '.dorkos')],
    claudeConfigDir: join(ownerHome, '.claude'),
  })
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}
const digest = async () => (await files.read(root)).digest

it('is as it was with empty files and an empty repository in the places of what is not there', async () => {
  await put('../.claude/agents/above.md', 'loaded from above')
  await put('src/index.ts', '1')
  const before = await files.read(root, { texts: true })
  expect(before.items).toMatchObject([{ path: '../.claude/agents/above.md' }])
  for (const name of ['settings.json', 'settings.local.json', 'agents', 'skills', 'hooks', 'loop.md'])
    await put(`.claude/${name}`, '')
  await put('../.claude/skills', '')
  await put('.claude/.cc-writes/staged', 'on its way elsewhere')
  for (const path of ['.mcp.json', '.dorkos', '.gitmodules']) await put(path, '')
  await mkdir(join(root, '.git'))
  expect(await files.read(root, { texts: true })).toEqual(before)
})

it.each(['.mcp.json', '.claude/settings.json', '.claude/loop.md'])(
  'is another once something stands there, or stood there and is empty: %s',
  async (path) => {
    await put(path, '')
    const empty = await digest()
    await put(path, '{"mcpServers":{"x":{"command":"x"}}}')
    const full = await digest()
    expect(full).not.toBe(empty)
    await put(path, '')
    expect(await digest()).toBe(empty)
  },
)

it.each([
  ['an empty file that is loaded by its name', '.claude/commands/deploy.md'],
  ['an empty tool', '.dorkos/tools/a.mjs'],
])('is another with %s', async (_, path) => {
  const before = await digest()
  await put(path, '')
  expect(await digest()).not.toBe(before)
})

it('closes an empty file that settings are a link to', async () => {
  await put('free/settings.json', '')
  await mkdir(join(root, '.claude'))
  await symlink('../free/settings.json', join(root, '.claude/settings.json'))
  expect((await files.read(root)).closedFiles).toContain(join(root, 'free/settings.json'))
})
