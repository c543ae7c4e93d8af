/** The bytes of a file that was listed as a plain one; by now it may be anything. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export async function readBytes(real: string, maxBytes: number): Promise<Buffer> {
  // Should it be a named pipe by now, opening it would wait for ever without O_NONBLOCK.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size, ...stats } = await handle
      .stat()
      .then((found) => ({ size: found.size, plain: found.isFile() }))
    if (!stats.plain) throw Object.assign(new Error('not a plain file'), { code: 'EINVAL' })
    const chunks: Buffer[] = []
    for (let length = 0; ; ) {
      const buffer = Buffer.allocUnsafe(Math.min(Math.max(size + 1 - length, 4096), maxBytes + 1 - length))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) return Buffer.concat(chunks)
      length += bytesRead
      if (length > maxBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' })
      chunks.push(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}
