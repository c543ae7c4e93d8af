/** What every keeper of snapshots holds to. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileSnapshots, FileVersion } from './file-snapshots.ts'

export interface SnapshotsFixture {
  snapshots: FileSnapshots
  directory: string
  /** Another on what this one has kept, as after a restart. */
  reopen(): FileSnapshots
  /** Bytes that are kept. */
  size(): number
}

export function fileSnapshotsConformance(name: string, get: () => SnapshotsFixture): void {
  const use = usesOf(get)
  describe(`${name}, snapshots`, () => keepingTests(get, use))
  describe(`${name}, snapshots`, () => writingTests(get, use))
}

function usesOf(get: () => SnapshotsFixture) {
  const holder = (sessionId = 'one') => ({ directory: get().directory, sessionId })
  const write = (path: string, text: string) => {
    const file = join(get().directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const remove = (path: string) => rmSync(join(get().directory, path), { recursive: true })
  const take = async (sessionId?: string) => (await get().snapshots.take(holder(sessionId), [])).tree
  const textOf = async (snapshots: FileSnapshots, version: FileVersion | undefined) =>
    version && (await snapshots.read(get().directory, version))?.toString()

  /** Path, before and after, as texts. */
  async function changes(before: string, after: string, snapshots = get().snapshots) {
    const found = await snapshots.changed(get().directory, before, after)
    return Promise.all(
      found.map(async (change) => [
        change.path,
        await textOf(snapshots, change.before),
        await textOf(snapshots, change.after),
      ]),
    )
  }

  return { holder, write, remove, take, textOf, changes }
}

type Uses = ReturnType<typeof usesOf>

function keepingTests(
  get: () => SnapshotsFixture,
  { holder, write, remove, take, textOf, changes }: Uses,
): void {
  it('find what was made, changed and removed between two', async () => {
    write('a.txt', 'a')
    write('deep/down/b.txt', 'b')
    write('deep/same.txt', 'same')
    write('gone/c.txt', 'c')
    const before = await take()
    expect(await take()).toBe(before)
    write('a.txt', 'A')
    write('new/d.txt', 'd')
    write('deep/down/b.txt', '')
    remove('gone')
    const after = await take()
    const expected = [
      ['a.txt', 'a', 'A'],
      ['deep/down/b.txt', 'b', ''],
      ['gone/c.txt', 'c', undefined],
      ['new/d.txt', undefined, 'd'],
    ]
    expect(await changes(before, after)).toEqual(expected)
    expect(await changes(before, after, get().reopen())).toEqual(expected)
    const versions = await get().snapshots.inTree(get().directory, after, ['a.txt', 'gone/c.txt', 'x/y'])
    expect(await Promise.all(versions.map((one) => textOf(get().snapshots, one)))).toEqual([
      'A',
      undefined,
      undefined,
    ])
    expect(await get().snapshots.now(get().directory, ['a.txt', 'gone/c.txt', 'x/y'])).toEqual(versions)
  })

  it('keep bytes that are no text, links, rights, and names that objects have', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0, 128])
    writeFileSync(join(get().directory, 'raw.bin'), bytes)
    write('__proto__', 'p')
    write('constructor/__proto__', 'q')
    write('run.sh', 'x')
    symlinkSync('nowhere', join(get().directory, 'link'))
    const before = await take()
    rmSync(join(get().directory, 'link'))
    symlinkSync('elsewhere', join(get().directory, 'link'))
    chmodSync(join(get().directory, 'run.sh'), 0o755)
    write('constructor/__proto__', 'Q')
    const after = await take()
    const found = await get().snapshots.changed(get().directory, before, after)
    expect(found.map(({ path, before: from, after: to }) => [path, from?.kind, to?.kind])).toEqual([
      ['constructor/__proto__', 'file', 'file'],
      ['link', 'link', 'link'],
      ['run.sh', 'file', 'executable'],
    ])
    const [raw] = await get().snapshots.inTree(get().directory, after, ['raw.bin'])
    expect(raw && (await get().snapshots.read(get().directory, raw))).toEqual(bytes)
  })

  it('a file that is too large is known to have changed, and its content is not kept', async () => {
    write('large.bin', 'x'.repeat(5 * 1024 * 1024 + 1))
    const before = await take()
    expect(await take()).toBe(before)
    write('large.bin', 'y'.repeat(5 * 1024 * 1024 + 2))
    const [change] = await get().snapshots.changed(get().directory, before, await take())
    expect(change).toMatchObject({ path: 'large.bin', before: { kind: 'large' }, after: { kind: 'large' } })
    expect(change?.before && (await get().snapshots.read(get().directory, change.before))).toBeUndefined()
    const { directory, snapshots } = get()
    expect(await snapshots.write(directory, 'large.bin', change?.before, change?.after)).toBe(false)
    expect(readFileSync(join(directory, 'large.bin'), 'utf8')[0]).toBe('y')
  })

  it('another tree is made of one, with other files', async () => {
    write('a.txt', 'a')
    write('b/c.txt', 'c')
    const tree = await take()
    const { snapshots } = get()
    const kept = await snapshots.keep(holder(), Buffer.from('other'), 'file')
    const other = await snapshots.withFiles(holder(), tree, [
      { path: 'a.txt', version: kept },
      { path: 'b/c.txt', version: undefined },
    ])
    expect(await changes(tree, other)).toEqual([
      ['a.txt', 'a', 'other'],
      ['b/c.txt', 'c', undefined],
    ])
  })
}

function writingTests(get: () => SnapshotsFixture, { holder, write, remove, take, textOf }: Uses): void {
  it('put a file back as it was, and never over what is not expected there', async () => {
    write('a.txt', 'a')
    write('deep/b.txt', 'b')
    symlinkSync('there', join(get().directory, 'link'))
    const { snapshots, directory } = get()
    const before = await take()
    write('a.txt', 'A')
    remove('deep')
    remove('link')
    write('new.txt', 'n')
    const found = await snapshots.changed(directory, before, await take())
    const changeOf = (path: string) => found.find((one) => one.path === path)
    const a = changeOf('a.txt')
    write('a.txt', 'by a person')
    expect(await snapshots.write(directory, 'a.txt', a?.before, a?.after)).toBe(false)
    expect(await snapshots.write(directory, 'a.txt', a?.before, undefined)).toBe(false)
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('by a person')
    write('a.txt', 'A')
    for (const { path, before: from, after: to } of found)
      expect(await snapshots.write(directory, path, from, to)).toBe(true)
    expect(readlinkSync(join(directory, 'link'))).toBe('there')
    expect(await take()).toBe(before)
  })

  it('a file that is put back keeps its rights, and may be run if it could be', async () => {
    write('private.txt', 'a')
    chmodSync(join(get().directory, 'private.txt'), 0o600)
    write('run.sh', 'x')
    chmodSync(join(get().directory, 'run.sh'), 0o755)
    const { snapshots, directory } = get()
    const before = await take()
    write('private.txt', 'b')
    remove('run.sh')
    for (const { path, before: from, after: to } of await snapshots.changed(directory, before, await take()))
      expect(await snapshots.write(directory, path, from, to)).toBe(true)
    expect(statSync(join(directory, 'private.txt')).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'run.sh')).mode & 0o111).not.toBe(0)
  })

  it('what is kept for one session stays when another is dropped', async () => {
    write('a.txt', `a${Math.random()}`.repeat(1000))
    const mine = await take('mine')
    write('a.txt', 'second')
    const theirs = await take('theirs')
    write('b.txt', `b${Math.random()}`.repeat(1000))
    await take('theirs')
    await get().snapshots.drop(holder('theirs'))
    const snapshots = get().reopen()
    expect(await snapshots.changed(get().directory, mine, mine)).toEqual([])
    const [kept] = await snapshots.inTree(get().directory, mine, ['a.txt'])
    expect(await textOf(snapshots, kept)).toMatch(/^a0/)
    await expect(snapshots.changed(get().directory, mine, theirs)).rejects.toThrow('not kept')
    await snapshots.drop(holder('mine'))
    expect(get().size()).toBe(0)
  })

  it('go on after what they had was dropped', async () => {
    write('a.txt', 'a')
    const { snapshots } = get()
    await take()
    await snapshots.drop(holder())
    const tree = await take()
    const [a] = await snapshots.inTree(get().directory, tree, ['a.txt'])
    expect(await textOf(snapshots, a)).toBe('a')
  })
}
