import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareHome, prepareSharedFolder } from './prepare-home.ts'

let root: string
let warnings: string[]
const logger = { warn: (_fields: object, message: string) => void warnings.push(message) }
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-home-')))
  warnings = []
})
afterEach(() => rm(root, { recursive: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

it('makes ~/.dorkos, or the folder that DORKOS_HOME names, for the owner only', async () => {
  expect(await prepareHome({ HOME: root }, logger)).toBe(join(root, '.dorkos'))
  expect(await modeOf(join(root, '.dorkos'))).toBe(0o700)
  expect(await prepareHome({ HOME: root, DORKOS_HOME: join(root, 'a/b') }, logger)).toBe(join(root, 'a/b'))
  expect(warnings).toEqual([])
})

it('gives the real path of a folder behind a link', async () => {
  await mkdir(join(root, 'real'), { mode: 0o700 })
  await symlink(join(root, 'real'), join(root, 'link'))
  expect(await prepareHome({ HOME: root, DORKOS_HOME: join(root, 'link') }, logger)).toBe(join(root, 'real'))
})

it('closes a folder of its own that is open to others, and says so', async () => {
  const home = join(root, 'state')
  await mkdir(home)
  await writeFile(join(home, 'config.jsonc'), '{}')
  await chmod(home, 0o755)
  await prepareHome({ HOME: root, DORKOS_HOME: home }, logger)
  expect(await modeOf(home)).toBe(0o700)
  expect(warnings).toHaveLength(1)
})

it('leaves an open folder with other files alone', async () => {
  const home = join(root, 'shared')
  await mkdir(home)
  await writeFile(join(home, 'letters'), '')
  await chmod(home, 0o777)
  await expect(prepareHome({ HOME: root, DORKOS_HOME: home }, logger)).rejects.toThrow('contains other files')
  expect(await modeOf(home)).toBe(0o777)
})

it('refuses a file, the owner’s home, and the root', async () => {
  await writeFile(join(root, 'file'), '')
  await expect(prepareHome({ HOME: root, DORKOS_HOME: join(root, 'file') }, logger)).rejects.toThrow(
    'isn’t a folder',
  )
  await expect(prepareHome({ HOME: root, DORKOS_HOME: join(root, 'file/x') }, logger)).rejects.toThrow(
    'isn’t a folder',
  )
  await expect(prepareHome({ HOME: root, DORKOS_HOME: root }, logger)).rejects.toThrow(
    'a folder just for this',
  )
  await expect(prepareHome({ HOME: root, DORKOS_HOME: '/' }, logger)).rejects.toThrow(
    'a folder just for this',
  )
})

it.runIf(process.getuid?.() === 0)('refuses a folder of another user', async () => {
  const home = join(root, 'theirs')
  await mkdir(home, { mode: 0o700 })
  const { chown } = await import('node:fs/promises')
  await chown(home, 12345, 12345)
  await expect(prepareHome({ HOME: root, DORKOS_HOME: home }, logger)).rejects.toThrow('another user')
})

it('wants a folder that servers share to be as private', async () => {
  const folder = join(root, 'shared')
  expect(await prepareSharedFolder(folder, { HOME: root }, logger)).toBe(folder)
  expect(await modeOf(folder)).toBe(0o700)
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'letters'), '')
  await expect(prepareSharedFolder(folder, { HOME: root }, logger)).rejects.toThrow(
    `The shared folder ${folder} is open to other users and contains other files. Set shared.folder to a folder just for this.`,
  )
})
