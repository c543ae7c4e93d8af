/**
 * The key for digests: without it nobody can infer secret values from what is stored. Servers that share records share
 * it, by a folder; it is not among the records, which it protects.
 */

import { createHmac, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { createPrivateFile } from '../../config/write-private-file.ts'
import { AppError } from '../../core/app-error.ts'
import type { Seal } from '../../core/trust/covered-item.ts'

const BYTES = 32

/**
 * Made on first use, by one of those who share the folder. Without the old key nothing that was trusted matches any
 * more, so a broken one is an error to be examined.
 */
export async function loadTrustKey(folder: string): Promise<Buffer> {
  const file = join(folder, 'trust-key')
  const known = await readKey(file)
  if (known) return known
  await createPrivateFile(file, `${randomBytes(BYTES).toString('hex')}\n`)
  const made = await readKey(file)
  if (!made) throw new AppError('unavailable', say('trust_key_unmade', { file }))
  return made
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
      const key = Buffer.from(buffer.toString('utf8', 0, bytesRead).trim(), 'hex')
      if (key.length === BYTES) return key
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new AppError('unavailable', say('trust_key_unreadable', { file }), { cause: error })
  }
  throw new AppError('unavailable', say('trust_key_invalid', { file }))
}

/** Digests under the key. */
export function createSeal(key: Buffer): Seal {
  return (...parts) => {
    const hmac = createHmac('sha256', key)
    // The length before each: no two lists of parts are the same bytes.
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}\0`).update(part)
    return hmac.digest('hex')
  }
}
