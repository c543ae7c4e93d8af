import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { canonicalDirectory, configFolder, projectFolderName } from './project-folder.ts'

// The expected names are folders that the CLI 2.1.325 made for these working directories.
describe('projectFolderName', () => {
  it('puts a dash for everything that is no ASCII letter or digit', () => {
    expect(projectFolderName('/tmp/tlab-qjZqei/proj/sub')).toBe('-tmp-tlab-qjZqei-proj-sub')
    expect(projectFolderName('/tmp/tlab-DC2TLG/été 日本 😀 a.b_c-D')).toBe(
      '-tmp-tlab-DC2TLG--t--------a-b-c-D',
    )
    expect(projectFolderName('/tmp/tlab-DC2TLG/cafe\u0301')).toBe('-tmp-tlab-DC2TLG-cafe-')
  })

  it('keeps a name of 200 characters, and cuts and hashes a longer one', () => {
    const base = '/tmp/tlab-DC2TLG/'
    const fits = base + 'q'.repeat(183)
    expect(projectFolderName(fits)).toBe(`-tmp-tlab-DC2TLG-${'q'.repeat(183)}`)
    expect(projectFolderName(`${fits}q`)).toBe(`-tmp-tlab-DC2TLG-${'q'.repeat(183)}-pacjie`)
    const deep = `${base}${'x'.repeat(90)}/${'y'.repeat(90)}/${'z'.repeat(60)}`
    expect(projectFolderName(deep)).toBe(`-tmp-tlab-DC2TLG-${'x'.repeat(90)}-${'y'.repeat(90)}-z-1pwo5i`)
    const accents = `${base}${'é'.repeat(60)}/${'y_.-'.repeat(20)}/${'z'.repeat(60)}`
    expect(projectFolderName(accents)).toMatch(/^.{200}-itkohu$/)
  })
})

describe('configFolder', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('is the one given, else CLAUDE_CONFIG_DIR, else in the home', () => {
    vi.stubEnv('CLAUDE_CONFIG_DIR', '/elsewhere')
    expect(configFolder('/given')).toBe('/given')
    expect(configFolder(undefined)).toBe('/elsewhere')
    vi.stubEnv('CLAUDE_CONFIG_DIR', '')
    expect(configFolder(undefined)).toBe(join(homedir(), '.claude'))
  })
})

describe('canonicalDirectory', () => {
  it('resolves links, and leaves a directory that is gone as it was', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'project-folder-')))
    await mkdir(join(root, 'real'))
    await symlink(join(root, 'real'), join(root, 'link'))
    expect(await canonicalDirectory(join(root, 'link/'))).toBe(join(root, 'real'))
    await rm(root, { recursive: true })
    expect(await canonicalDirectory(join(root, 'link'))).toBe(join(root, 'link'))
  })
})
