import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPrivateFile, writePrivateFile } from './write-private-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('replaces a file, for its owner alone, and not what a link leads to', async () => {
  const file = join(folder, 'one')
  writeFileSync(file, 'old', { mode: 0o644 })
  await writePrivateFile(file, 'new')
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  symlinkSync(file, join(folder, 'link'))
  await expect(writePrivateFile(join(folder, 'link'), 'other')).rejects.toThrow('symbolic link')
  expect(readFileSync(file, 'utf8')).toBe('new')
})

it('makes a file once: who comes later, or at the same time, finds the first one’s', async () => {
  const file = join(folder, 'one')
  await createPrivateFile(file, 'first')
  await createPrivateFile(file, 'second')
  expect(readFileSync(file, 'utf8')).toBe('first')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
  await createPrivateFile(join(folder, 'link'), 'third')
  expect(readdirSync(folder).toSorted()).toEqual(['link', 'one'])
})
