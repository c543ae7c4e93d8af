/**
 * Contents by their hash. What is kept together is written as one file, with a list of what is where beside it: thousands of small
 * files would take seconds.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

export interface BlobStore {
  has(hash: string): boolean
  /** Undefined for what is not kept. */
  get(hash: string): Promise<Buffer | undefined>
  /** What is put is there for others once `commit` has resolved. */
  writer(): BlobWriter
  /** Removes what is in none of these. May keep more. */
  retain(hashes: ReadonlySet<string>): Promise<void>
}

export interface BlobWriter {
  put(hash: string, bytes: Buffer): Promise<void>
  commit(): Promise<void>
  /** After `commit` it does nothing. */
  abort(): Promise<void>
}

interface Location {
  pack: string
  offset: number
  length: number
  deflated: boolean
}

/** As it is in the list of a pack. */
type Listed = [hash: string, offset: number, length: number, deflated: 0 | 1]

const deflate = promisify(deflateRaw) as (bytes: Buffer, options: { level: number }) => Promise<Buffer>
const inflate = promisify(inflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>

/** The list of a folder's files may be longer than any file that is kept. */
const maxBlobBytes = 64 * 1024 * 1024
const bufferedBytes = 4 * 1024 * 1024

export async function openBlobStore(folder: string): Promise<BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const blobs = new Map<string, Location>()
  const names = await readdir(folder)
  for (const name of names.filter((one) => one.endsWith('.list'))) {
    const pack = name.slice(0, -'.list'.length)
    for (const [hash, location] of await readList(folder, pack)) blobs.set(hash, location)
  }
  // What a crash left is in no list.
  const isLeft = (name: string) => name.endsWith('.pack') && !names.includes(name.replace(/pack$/, 'list'))
  for (const name of names.filter(isLeft)) await rm(join(folder, name))
  const get = (hash: string) => readBlob(folder, blobs.get(hash))
  return {
    has: (hash) => blobs.has(hash),
    get,
    writer: () => createWriter(folder, blobs),
    async retain(hashes) {
      for (const pack of new Set([...blobs.values()].map((location) => location.pack))) {
        const all = [...blobs].filter(([, location]) => location.pack === pack)
        const kept = all.filter(([hash]) => hashes.has(hash))
        // A pack is written anew once most of it is of no use.
        if (bytesOf(kept) * 2 > bytesOf(all)) continue
        const anew = new Map<string, Location>()
        const writer = createWriter(folder, anew)
        for (const [hash] of kept) await writer.put(hash, (await get(hash)) ?? Buffer.alloc(0))
        await writer.commit()
        for (const [hash] of all) blobs.delete(hash)
        for (const [hash, location] of anew) blobs.set(hash, location)
        await rm(join(folder, `${pack}.list`))
        await rm(join(folder, `${pack}.pack`))
      }
    },
  }
}

const bytesOf = (blobs: readonly (readonly [string, Location])[]) =>
  blobs.reduce((sum, [, { length }]) => sum + length + 1, 0)

async function readList(folder: string, pack: string): Promise<[string, Location][]> {
  const listed = JSON.parse(await readFile(join(folder, `${pack}.list`), 'utf8')) as Listed[]
  return listed.map(([hash, offset, length, deflated]) => [
    hash,
    { pack, offset, length, deflated: deflated === 1 },
  ])
}

async function readBlob(folder: string, location: Location | undefined): Promise<Buffer | undefined> {
  if (!location) return undefined
  const { pack, offset, length, deflated } = location
  const handle = await open(join(folder, `${pack}.pack`), 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
    if (bytesRead !== length) throw new Error(`a snapshot is cut off: ${pack}`)
    return deflated ? await inflate(buffer, { maxOutputLength: maxBlobBytes }) : buffer
  } finally {
    await handle.close()
  }
}

function createWriter(folder: string, blobs: Map<string, Location>): BlobWriter {
  const pack = randomUUID()
  const path = (ending: string) => join(folder, `${pack}.${ending}`)
  const written = new Map<string, Location>()
  let handle: FileHandle | undefined
  let waiting: Buffer[] = []
  let offset = 0
  let flushed = 0
  let isDone = false
  let flushing = Promise.resolve()
  const append = async () => {
    if (waiting.length === 0) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    handle ??= await open(path('pack'), 'wx', 0o600)
    await handle.appendFile(bytes)
    flushed += bytes.length
  }
  const flush = () => {
    flushing = flushing.then(append)
    return flushing
  }
  return {
    async put(hash, bytes) {
      if (blobs.has(hash) || written.has(hash)) return
      const small = await deflate(bytes, { level: 1 })
      const deflated = small.length < bytes.length
      const stored = deflated ? small : bytes
      written.set(hash, { pack, offset, length: stored.length, deflated })
      waiting.push(stored)
      offset += stored.length
      if (offset - flushed > bufferedBytes) await flush()
    },
    async commit() {
      isDone = true
      if (written.size === 0) return
      await flush()
      await handle?.close()
      const list = [...written].map(([hash, at]): Listed => [hash, at.offset, at.length, at.deflated ? 1 : 0])
      await writeFile(path('new'), JSON.stringify(list), { mode: 0o600 })
      await rename(path('new'), path('list'))
      for (const [hash, location] of written) blobs.set(hash, location)
    },
    async abort() {
      if (isDone) return
      isDone = true
      await flushing.catch(() => undefined)
      await handle?.close()
      await rm(path('pack'), { force: true })
    },
  }
}
