/** Looks from the end of a transcript for messages that were sent under certain ids. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isRecord } from '@dorkos/shared'
import { parseLine } from '../transcripts/find-line.ts'

const chunkBytes = 1024 * 1024
/** What is further from the end is not read. */
const maxBytes = 256 * 1024 * 1024
/** Longer lines are not read: a message in one counts as not found. */
const maxLineBytes = 64 * 1024 * 1024
const maxIds = 10_000
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function findMessageIds(path: string, messageIds: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(messageIds.filter((messageId) => id.test(messageId)).slice(0, maxIds))
  const found = new Set<string>()
  if (wanted.size === 0) return found
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  if (!file) return found
  try {
    for await (const { messageId, offset } of mentions(file, wanted)) {
      if (found.has(messageId) || !(await isSent(file, offset, messageId))) continue
      found.add(messageId)
      if (found.size === wanted.size) break
    }
  } finally {
    await file.close()
  }
  return found
}

/** Where an id is the value of a field with the right name, last one first. In text quotes are escaped, so such places are few. */
async function* mentions(
  file: FileHandle,
  wanted: ReadonlySet<string>,
): AsyncGenerator<{ messageId: string; offset: number }> {
  const { size } = await file.stat()
  const first = Math.max(0, size - maxBytes)
  const pattern = /"(?:uuid|source_uuid)":"([0-9a-fA-F-]{36})"/g
  const overlap = `"source_uuid":"${' '.repeat(36)}"`.length - 1
  for (let end = size; end > first; end -= chunkBytes) {
    const start = Math.max(first, end - chunkBytes)
    const text = (await readAt(file, start, end - start + overlap)).toString('latin1')
    for (const match of [...text.matchAll(pattern)].reverse()) {
      const [, messageId = ''] = match
      // What begins in the overlap was seen with the chunk after this one.
      if (start + match.index < end && wanted.has(messageId)) yield { messageId, offset: start + match.index }
    }
  }
}

/** Whether the line around this place is a person's message with this id: its own, or one put into a running turn. */
async function isSent(file: FileHandle, offset: number, messageId: string): Promise<boolean> {
  const line = await lineAround(file, offset)
  const entry = line && parseLine(line)
  if (!entry) return false
  if (entry.type === 'user') return entry.uuid === messageId
  const { attachment } = entry
  return (
    entry.type === 'attachment' &&
    isRecord(attachment) &&
    attachment.type === 'queued_command' &&
    attachment.source_uuid === messageId
  )
}

async function lineAround(file: FileHandle, offset: number): Promise<string | undefined> {
  let start = offset
  let end = offset
  for (let isBegun = false; !isBegun && start > 0; ) {
    const from = Math.max(0, start - chunkBytes)
    const newline = (await readAt(file, from, start - from)).lastIndexOf('\n')
    isBegun = newline >= 0
    start = isBegun ? from + newline + 1 : from
    if (end - start > maxLineBytes) return undefined
  }
  for (let isEnded = false; !isEnded; ) {
    const chunk = await readAt(file, end, chunkBytes)
    const newline = chunk.indexOf('\n')
    isEnded = newline >= 0 || chunk.length < chunkBytes
    end += newline >= 0 ? newline : chunk.length
    if (end - start > maxLineBytes) return undefined
  }
  return (await readAt(file, start, end - start)).toString('utf8')
}

/** Less where the file ends. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
