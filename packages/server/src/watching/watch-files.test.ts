import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FileWatch, type WatchFilesOptions, watchFiles } from './watch-files.ts'

let home: string
let watching: FileWatch | undefined
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-watch-')))
})
afterEach(async () => {
  watching?.close()
  await rm(home, { recursive: true })
})

/** Each call of `next` waits for one change more than was waited for before. */
function start(files: string[], options: WatchFilesOptions = {}) {
  let calls = 0
  let waitedFor = 0
  let wake = () => {}
  const begun = watchFiles(
    files,
    () => {
      calls++
      wake()
    },
    { settleMs: 100, ...options },
  )
  watching = begun
  return {
    watch: begun,
    calls: () => calls,
    async next() {
      waitedFor++
      while (calls < waitedFor) {
        await new Promise<void>((done) => {
          wake = done
        })
      }
      waitedFor = calls
    },
  }
}

/** Something that is always reported, so that what was not reported before it never will be. */
async function afterA(mark: string, started: ReturnType<typeof start>) {
  const before = started.calls()
  await writeFile(mark, String(before))
  await started.next()
  return started.calls() - before
}

it('reports when a file appears, is written, replaced and removed', async () => {
  const file = join(home, 'a.json')
  // A file is emptied, then written: on a busy machine that takes a while.
  const started = start([file], { settleMs: 300 })
  await writeFile(file, '1')
  await started.next()
  await writeFile(file, '22')
  await started.next()
  await writeFile(`${file}.new`, '333')
  await rename(`${file}.new`, file)
  await started.next()
  await rm(file)
  await started.next()
  expect(started.calls()).toBe(4)
})

it('reports a file whose folders do not exist yet, and again after they were removed and made anew', async () => {
  const file = join(home, 'x', 'y', 'z', 'settings.json')
  const started = start([file])
  for (let round = 0; round < 3; round++) {
    await mkdir(join(home, 'x', 'y', 'z'), { recursive: true })
    await writeFile(file, `round ${round}`)
    await started.next()
    await writeFile(file, `round ${round}, again`)
    await started.next()
    await rm(join(home, 'x'), { recursive: true })
    await started.next()
  }
})

it('follows the name, not the folder that had it', async () => {
  const file = join(home, 'x', 'settings.json')
  await mkdir(join(home, 'x'))
  const started = start([file])
  await rename(join(home, 'x'), join(home, 'y'))
  await mkdir(join(home, 'x'))
  await writeFile(file, '1')
  await started.next()
  await writeFile(file, '22')
  await started.next()
})

it('reports nothing of neighbours, nor of folders on the way that bring no file', async () => {
  const mark = join(home, 'mark')
  const started = start([mark, join(home, 'x', 'settings.json')])
  await writeFile(join(home, 'other.json'), '1')
  await mkdir(join(home, 'x'))
  await writeFile(join(home, 'x', 'other.json'), '1')
  expect(await afterA(mark, started)).toBe(1)
})

it('sees what a link leads to, however many links are on the way', async () => {
  await mkdir(join(home, 'dotfiles'))
  await writeFile(join(home, 'dotfiles', 'real.json'), '1')
  await symlink(join(home, 'dotfiles', 'real.json'), join(home, 'dotfiles', 'link.json'))
  await symlink(join('dotfiles', 'link.json'), join(home, 'settings.json'))
  const started = start([join(home, 'settings.json')])
  await writeFile(join(home, 'dotfiles', 'real.json'), '22')
  await started.next()
})

it('does not miss what happened to a known file while the files were read again', async () => {
  const file = join(home, 'a.json')
  const started = start([file])
  await writeFile(file, '1')
  started.watch.update([file, join(home, 'b.json')])
  await started.next()
  await writeFile(join(home, 'b.json'), '1')
  await started.next()
})

it('reports a new file that was written while it was read, and of no older one', async () => {
  const mark = join(home, 'mark')
  await writeFile(join(home, 'old.json'), '1')
  const started = start([mark])
  const longAgo = 0
  const later = Date.now() + 60_000
  started.watch.update([mark, join(home, 'old.json')], later)
  expect(await afterA(mark, started)).toBe(1)
  await writeFile(join(home, 'new.json'), '1')
  started.watch.update([mark, join(home, 'old.json'), join(home, 'new.json')], longAgo)
  await started.next()
})

it('reports nothing of a file that is no longer among them, and nothing at all once closed', async () => {
  const [a, b] = [join(home, 'a.json'), join(home, 'b.json')]
  const started = start([a, b])
  started.watch.update([b])
  await writeFile(a, '1')
  expect(await afterA(b, started)).toBe(1)
  started.watch.close()
  const other = start([a])
  await writeFile(b, 'closed')
  await writeFile(a, '22')
  await other.next()
  expect(started.calls()).toBe(1)
})

it('looks at the files now and then where there are too many folders to watch, and says so', async () => {
  const files = Array.from({ length: 200 }, (_, index) => join(home, `folder${index}`, 'a.json'))
  await Promise.all(files.map((file) => mkdir(join(file, '..'))))
  const said: unknown[] = []
  const started = start(files, { pollMs: 50, onFallback: (error) => said.push(error) })
  expect(said).toHaveLength(1)
  await writeFile(files.at(-1) ?? '', '1')
  await started.next()
})
