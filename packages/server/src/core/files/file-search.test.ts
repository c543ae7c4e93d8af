import type { ParsedQuery } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import type { FileListing, WorkspaceFiles } from '../ports/workspace-files.ts'
import { createFileSearch } from './file-search.ts'

interface Disk extends WorkspaceFiles {
  /** Directories that were listed, in their order. */
  listed: string[]
  /** Files by path, with the time of their last change. */
  files: Map<string, number>
  atOnce: number
  /** What listings wait for. */
  gate: Promise<void>
}

function disk(files: Record<string, number>, directories: string[] = []): Disk {
  let running = 0
  const self: Disk = {
    listed: [],
    files: new Map(Object.entries(files)),
    atOnce: 0,
    gate: Promise.resolve(),
    async list(directory): Promise<FileListing> {
      self.listed.push(directory)
      self.atOnce = Math.max(self.atOnce, ++running)
      const listing = { files: [...self.files.keys()], directories, complete: true }
      await self.gate
      running--
      return listing
    },
    inspect: async (_directory, paths) =>
      paths.map((path) => {
        const changedAt = self.files.get(path)
        if (changedAt !== undefined) return { kind: 'file', changedAt }
        return directories.includes(path) ? { kind: 'directory', changedAt: 0 } : undefined
      }),
    read: async () => undefined,
  }
  return self
}

function searchIn(files: WorkspaceFiles) {
  const time = { now: 0 }
  const service = createFileSearch({
    files,
    clock: { monotonic: () => time.now },
    directoryOfSession: async (_actor, id) => `/sessions/${id}`,
    directoryOfWorkspace: async (id) => `/workspaces/${id}`,
  })
  const search = async (q: string, more: Partial<ParsedQuery<'searchSessionFiles'>> = {}, id = 'a') =>
    (await service.ofSession(owner(), id, { q, limit: 20, ...more })).files.map(({ path }) => path)
  return { service, search, time }
}

it('finds files and directories, and says which is which', async () => {
  const { service } = searchIn(disk({ 'src/app.ts': 1, 'docs/a.md': 1 }, ['src', 'docs']))
  expect(await service.ofWorkspace(owner(), 'w', { q: 'src', limit: 20 })).toEqual({
    files: [
      { path: 'src', kind: 'directory' },
      { path: 'src/app.ts', kind: 'file' },
    ],
    complete: true,
  })
})

it('without a query shows what was changed last', async () => {
  const { search } = searchIn(disk({ 'old.ts': 1, 'new.ts': 3, 'deep/newest.ts': 4, 'b.ts': 2 }, ['deep']))
  expect(await search('', { limit: 3 })).toEqual(['deep/newest.ts', 'new.ts', 'b.ts'])
  expect(await search(' / ')).toHaveLength(4)
})

it('among very many files looks at those highest up', async () => {
  const many = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`a/b/${index}.ts`, 9]))
  const { search } = searchIn(disk({ ...many, 'top.ts': 10, 'a/second.ts': 10 }))
  expect(await search('', { limit: 2 })).toEqual(['a/second.ts', 'top.ts'])
})

it('does not show what is gone since it was listed', async () => {
  const files = disk({ 'one.ts': 1, 'two.ts': 1 })
  const { search } = searchIn(files)
  expect(await search('ts')).toEqual(['one.ts', 'two.ts'])
  files.files.delete('one.ts')
  expect(await search('ts', { limit: 1 })).toEqual(['two.ts'])
  expect(files.listed).toHaveLength(1)
})

it('lists a directory once while somebody types, and again after a while', async () => {
  const files = disk({ 'a.ts': 1 })
  const { search, time } = searchIn(files)
  await Promise.all([search('a'), search('t'), search('s')])
  time.now = 9_000
  await search('a')
  expect(files.listed).toEqual(['/sessions/a'])
  time.now = 20_000
  files.files.set('later.ts', 1)
  expect(await search('later')).toEqual(['later.ts'])
  expect(files.listed).toHaveLength(2)
})

it('lists one directory at a time, and keeps only a few', async () => {
  const files = disk({ 'a.ts': 1 })
  const { search } = searchIn(files)
  const ids = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(ids.map((id) => search('a', {}, id)))
  expect([files.listed.length, files.atOnce]).toEqual([5, 1])
  await search('a', {}, 'e')
  expect(files.listed).toHaveLength(5)
  await search('a', {}, 'a')
  expect(files.listed).toHaveLength(6)
})

it('forgets a listing that failed, and the next one works', async () => {
  const files = disk({ 'a.ts': 1 })
  const { search } = searchIn(files)
  files.gate = Promise.reject(new Error('disk'))
  await expect(search('a')).rejects.toThrow('disk')
  files.gate = Promise.resolve()
  expect(await search('a')).toEqual(['a.ts'])
  expect(files.listed).toHaveLength(2)
})

it('lists a folder by what lies directly in it: folders first, then by name, without what is gone', async () => {
  const files = disk({ 'b10.ts': 1, 'b9.ts': 1, 'src/a.ts': 1, 'src/deep/c.ts': 1, 'srcs/x': 1 }, [
    'src',
    'src/deep',
    'srcs',
  ])
  const { service, time } = searchIn(files)
  const names = async (path: string) =>
    (await service.folder(owner(), 'a', path)).entries.map(({ name, kind }) => `${kind} ${name}`)
  expect(await names('')).toEqual(['directory src', 'directory srcs', 'file b9.ts', 'file b10.ts'])
  expect(await names('src')).toEqual(['directory deep', 'file a.ts'])
  files.files.delete('src/a.ts')
  expect(await names('src')).toEqual(['directory deep'])
  expect(files.listed).toHaveLength(1)
  // What was made since is seen soon, while a search goes on with what it has.
  time.now += 2000
  files.files.set('src/new.ts', 1)
  expect(await service.ofSession(owner(), 'a', { q: 'new', limit: 5 })).toMatchObject({ files: [] })
  expect(await names('src')).toEqual(['directory deep', 'file new.ts'])
  for (const path of ['nowhere', '..', 'sr', 'src/', '/'])
    await expect(names(path)).rejects.toThrow('no file')
})

it('says when a folder holds more than it lists', async () => {
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`f${at}`, 1]))
  const { entries, complete } = await searchIn(disk(many)).service.folder(owner(), 'a', '')
  expect([entries.length, complete]).toEqual([2000, false])
})

it('tells text, pictures and other bytes apart by what they are', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
  const contents: Record<string, Buffer> = {
    'a.ts': Buffer.from('const a = "€"'),
    empty: Buffer.alloc(0),
    'notes.png': Buffer.from('no picture'),
    'picture.ts': png,
    'latin1.txt': Buffer.from([0x66, 0xfc, 0x72]),
    zero: Buffer.from('a\0b'),
    'huge.txt': Buffer.concat([Buffer.alloc(1024 * 1024 - 1, 'a'), Buffer.from('€ and more')]),
  }
  const service = searchIn({
    ...disk({}),
    async read(_directory, path, { start, end }) {
      const all = contents[path]
      return (
        all && { data: all.subarray(start, end), bytes: all.length, changedAt: 5, version: `${all.length}` }
      )
    },
  }).service
  const read = (path: string) => service.read(owner(), 'a', path)
  const changed_at = '1970-01-01T00:00:00.005Z'
  expect(await read('a.ts')).toEqual({ bytes: 15, changed_at, text: 'const a = "€"', complete: true })
  expect(await read('empty')).toEqual({ bytes: 0, changed_at, text: '', complete: true })
  expect(await read('notes.png')).toEqual({ bytes: 10, changed_at, text: 'no picture', complete: true })
  expect(await read('picture.ts')).toEqual({ bytes: 18, changed_at, picture: 'image/png', complete: true })
  for (const name of ['latin1.txt', 'zero']) expect(await read(name)).not.toHaveProperty('text')
  const huge = await read('huge.txt')
  expect([huge.text?.length, huge.text?.endsWith('a'), huge.complete]).toEqual([1024 * 1024 - 1, true, false])
  await expect(read('nowhere')).rejects.toMatchObject({ code: 'not_found' })

  const piece = await service.piece(owner(), 'a', 'picture.ts', { start: 0 })
  expect(piece).toEqual({ base64: png.toString('base64'), bytes: 18, version: '18', picture: 'image/png' })
  const other = service.piece(owner(), 'a', 'picture.ts', { start: 1, version: '17' })
  await expect(other).rejects.toMatchObject({ code: 'conflict' })
})
