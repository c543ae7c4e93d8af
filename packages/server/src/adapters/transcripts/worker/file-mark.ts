/** Shows whether a file is still the one that was read up to a position, or was replaced or written anew. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const markedBytes = 1024

/** Which file it is, and its last bytes before the position. Undefined when they cannot be read. */
export async function fileMark(path: string, position: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    () => undefined,
  )
  if (file === undefined) return undefined
  try {
    const { ino } = await file.stat({ bigint: true })
    const length = Math.min(position, markedBytes)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position - length)
    if (bytesRead < length) return undefined
    return `${ino}-${createHash('sha256').update(buffer).digest('base64url').slice(0, 16)}`
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
