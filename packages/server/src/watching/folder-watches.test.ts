import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderWatches } from './folder-watches.ts'

let root: string
let watches: FolderWatches
const folder = (name: string) => join(root, name)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-watches-'))
  for (const name of ['a', 'b']) mkdirSync(folder(name))
  watches = new FolderWatches({ onEvent: () => {}, onFault: () => {} })
})
afterEach(() => {
  watches.close()
  rmSync(root, { recursive: true })
})

it('says which folders it watches anew, and leaves out those that are not there', () => {
  const wanted = new Set([folder('a'), folder('c')])
  expect(watches.watch(wanted)).toEqual({ opened: [folder('a')], lost: [] })
  expect(watches.watch(wanted)).toEqual({ opened: [], lost: [] })
  mkdirSync(folder('c'))
  expect(watches.watch(wanted)).toEqual({ opened: [folder('c')], lost: [] })
})

it('says which folders are gone, wanted or not: what happened in them last may never be reported', () => {
  watches.watch(new Set([folder('a'), folder('b')]))
  rmSync(folder('b'), { recursive: true })
  expect(watches.watch(new Set([folder('a')]))).toEqual({ opened: [], lost: [folder('b')] })
  // One that is there and merely not wanted any more is not lost.
  expect(watches.watch(new Set())).toEqual({ opened: [], lost: [] })
})

it('takes one that was made again under its name for another', () => {
  const wanted = new Set([folder('a')])
  watches.watch(wanted)
  rmSync(folder('a'), { recursive: true })
  mkdirSync(folder('other'))
  mkdirSync(folder('a'))
  expect(watches.watch(wanted)).toEqual({ opened: [folder('a')], lost: [folder('a')] })
})
