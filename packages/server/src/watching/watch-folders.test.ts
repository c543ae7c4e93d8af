import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WatchedFolders } from './watch-folders.ts'

let folder: string
const open: WatchedFolders[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-folders-'))
})
afterEach(() => {
  for (const watched of open.splice(0)) watched.close()
  rmSync(folder, { recursive: true })
})

/** Counts how often it is notified that something may have changed. */
function watch(options?: { isShared: boolean }) {
  const notified = { times: 0 }
  const watched = new WatchedFolders(() => {
    notified.times += 1
  }, options)
  open.push(watched)
  watched.watch(new Set([folder]))
  return notified
}

it('reports what happens in a folder, several things at once as one', async () => {
  const notified = watch()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '')
  await expect.poll(() => notified.times).toBe(1)
})

it('has a folder that other machines write looked at again and again, and no other', async () => {
  const [own, shared] = [watch(), watch({ isShared: true })]
  await expect.poll(() => shared.times, { timeout: 20_000 }).toBe(2)
  expect(own.times).toBe(0)
})
