import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInside, realPath } from './real-path.ts'

let base = ''
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'real-path-')))
  await mkdir(join(base, 'workspace/folder'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(base, 'workspace/file'), '')
  const links = [
    ['../outside', 'out'],
    [join(base, 'outside/new'), 'dangling'],
    ['dangling', 'twice'],
    ['folder/../../outside', 'winding'],
    ['out/../workspace/out', 'detour'],
    ['loop', 'loop'],
    ['/proc/self/cwd', 'here'],
    ['/proc/self/root', 'root'],
  ] as const
  for (const [target, name] of links) await symlink(target, join(base, 'workspace', name))
})
afterAll(() => rm(base, { recursive: true }))

const from = (path: string) => realPath(join(base, 'workspace', path))

describe('a real path', () => {
  it.each([
    ['file', 'workspace/file'],
    ['new/file', 'workspace/new/file'],
    ['file/beyond', 'workspace/file/beyond'],
    ['folder/../file', 'workspace/file'],
    ['out', 'outside'],
    ['out/new', 'outside/new'],
    ['winding/x', 'outside/x'],
    ['detour/x', 'outside/x'],
    // Whoever writes there makes the file outside.
    ['dangling', 'outside/new'],
    ['dangling/deeper', 'outside/new/deeper'],
    ['twice', 'outside/new'],
  ])('of %s is %s', async (path, expected) => {
    expect(await from(path)).toBe(join(base, expected))
  })

  it('is not known in a circle', async () => {
    await expect(from('loop')).rejects.toMatchObject({ name: 'AppError' })
    await expect(from('loop/x')).rejects.toMatchObject({ name: 'AppError' })
  })

  it.runIf(process.platform === 'linux')('is not known where it leads each process elsewhere', async () => {
    for (const path of ['/proc/self/cwd/x', '/proc/self/fd/0', '/proc/thread-self/cwd', '/proc/1/root/etc'])
      await expect(realPath(path), path).rejects.toMatchObject({ name: 'AppError' })
    await expect(from('here/x')).rejects.toMatchObject({ name: 'AppError' })
    expect(await realPath(`/proc/self/root${base}/workspace/out`)).toBe(join(base, 'outside'))
    expect(await from(`root${base}/workspace/dangling`)).toBe(join(base, 'outside/new'))
    expect(await realPath('/proc/cpuinfo')).toBe('/proc/cpuinfo')
  })
})

it('inside is the folder and what is below it', () => {
  expect(isInside('/a', '/a')).toBe(true)
  expect(isInside('/a', '/a/..b')).toBe(true)
  expect(isInside('/', '/a')).toBe(true)
  expect(isInside('/a', '/ab')).toBe(false)
  expect(isInside('/a/b', '/a')).toBe(false)
})
