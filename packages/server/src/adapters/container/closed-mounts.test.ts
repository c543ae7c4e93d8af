import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closedMounts } from './closed-mounts.ts'
import { prepareGit } from './prepare-git.ts'

let workspace: string
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-closed-')))
})
afterEach(() => rmSync(workspace, { recursive: true }))

const found = async (also: string[] = []) =>
  (await closedMounts(workspace, also)).map(
    ({ path, isWritable }) => `${relative(workspace, path)}${isWritable ? ' may be written to' : ''}`,
  )

it('closes what is there and obeyed outside, and says which file each is', async () => {
  expect(await found()).toEqual([])
  mkdirSync(join(workspace, '.git', 'hooks'), { recursive: true })
  mkdirSync(join(workspace, '.claude'))
  for (const file of ['.git/config', '.git/index', '.claude/settings.json', '.mcp.json', 'CLAUDE.md'])
    writeFileSync(join(workspace, file), '')
  expect(await found()).toEqual([
    '.claude may be written to',
    '.claude/settings.json',
    '.git may be written to',
    '.git/config',
    '.git/hooks',
    '.mcp.json',
  ])
  for (const { path, identity } of await closedMounts(workspace, [])) {
    const { dev, ino } = statSync(path, { bigint: true })
    expect(identity).toBe(`${dev}:${ino}`)
  }
})

it('passes over links: bubblewrap would follow them outside', async () => {
  mkdirSync(join(workspace, '.git'))
  symlinkSync('/etc', join(workspace, '.git', 'hooks'))
  symlinkSync('/root', join(workspace, '.claude'))
  symlinkSync('/etc/passwd', join(workspace, '.mcp.json'))
  symlinkSync('/etc', join(workspace, '.dorkos'))
  expect(await found()).toEqual(['.git may be written to'])
})

it('closes what it is given besides, with the folders around it, and nothing outside', async () => {
  for (const folder of ['a/b/c', '.dorkos/tools']) mkdirSync(join(workspace, folder), { recursive: true })
  for (const file of ['a/b/one.sh', 'a/b/c/two.sh', '.dorkos/tools/t.mjs'])
    writeFileSync(join(workspace, file), '')
  symlinkSync('/etc', join(workspace, 'a', 'link'))
  const also = ['a/b/one.sh', 'a/b/c', 'a/b/c/two.sh', '.dorkos/tools/t.mjs', 'a/link/passwd', 'gone/x', '']
  const absolute = [...also.map((path) => join(workspace, path)), '/etc/passwd', join(workspace, '..', 'x')]
  expect(await found(absolute)).toEqual([
    '.dorkos',
    'a may be written to',
    'a/b may be written to',
    'a/b/c',
    'a/b/one.sh',
  ])
})

it('closes what git obeys, also what was not there', async () => {
  mkdirSync(join(workspace, '.git'))
  await prepareGit(workspace)
  await prepareGit(workspace)
  expect(await found()).toEqual(['.git may be written to', '.git/commondir', '.git/hooks'])
  expect(readFileSync(join(workspace, '.git', 'commondir'), 'utf8')).toBe('.\n')
})

it('closes `.git` where it is a file, and makes nothing there', async () => {
  writeFileSync(join(workspace, '.git'), 'gitdir: /elsewhere')
  await prepareGit(workspace)
  expect(await found()).toEqual(['.git'])
})
