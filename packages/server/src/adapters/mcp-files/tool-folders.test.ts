import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sessionWorkspaceOf } from '../../core/mcp/session-workspace.ts'
import type { ToolFolders } from '../../core/ports/tool-folders.ts'
import { openToolFolders } from './tool-folders.ts'

let home: string
let own: string
let folders: ToolFolders
let changes: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tool-folders-'))
  own = join(home, 'tools')
  changes = 0
  folders = openToolFolders({ home, own, isShared: false, env: {}, allowedEnv: () => [] })
  folders.onChange(() => {
    changes += 1
  })
})
afterEach(() => {
  folders.close()
  rmSync(home, { recursive: true })
})

const save = (name: string) => writeFileSync(join(own, name), '')
const found = async () =>
  (await folders.of(sessionWorkspaceOf(undefined, undefined))).map(({ folder }) => folder)

it('reports the first module and of the last one that goes', async () => {
  expect(await found()).toEqual([])
  save('notes.txt')
  save('one.mjs')
  await expect.poll(() => changes).toBe(1)
  expect(await found()).toEqual([own])
  save('two.js')
  rmSync(join(own, 'one.mjs'))
  rmSync(join(own, 'two.js'))
  await expect.poll(() => changes).toBe(2)
  expect(await found()).toEqual([])
})

it('reports modules in a folder that was removed and made anew', async () => {
  save('one.mjs')
  await expect.poll(() => changes).toBe(1)
  rmSync(own, { recursive: true })
  await expect.poll(() => changes, { timeout: 10_000 }).toBe(2)
  mkdirSync(own)
  save('one.mjs')
  await expect.poll(() => changes, { timeout: 10_000 }).toBe(3)
  expect(await found()).toEqual([own])
})
