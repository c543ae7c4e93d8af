/** Writing to transcripts: appended in one write, or made aside and moved into place. Private to the owner. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TranscriptEntry } from './transcript-entry.ts'

const privateFile = 0o600
const privateFolder = 0o700
const newline = 0x0a

/** Appends entries in one write, after ending a last line that was torn. Never through a link. */
export async function appendEntries(path: string, entries: readonly TranscriptEntry[]): Promise<void> {
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW)
  try {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    await writeAll(handle, Buffer.from((await endsInLine(handle)) ? `\n${lines}` : lines))
  } finally {
    await handle.close()
  }
}

async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== newline
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
  }
}

/** Fills a new file beside `path` and moves it there; nothing is left behind if `fill` throws. */
export async function createFile(path: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateFolder })
  const aside = `${path}.${randomUUID()}.tmp`
  try {
    const handle = await open(aside, 'wx', privateFile)
    try {
      await fill(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}
