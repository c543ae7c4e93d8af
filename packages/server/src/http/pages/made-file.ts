/** A file that the server makes itself. */
import { createHash } from 'node:crypto'
import type { PageFile } from '../../core/ports/page-files.ts'

/** Made when it is first asked for: a start must not wait for documentation. */
export function madeFile(text: () => string): PageFile {
  const content = once(async () => {
    const bytes = Buffer.from(text())
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
  })
  return { encodings: new Set(['identity']), read: content }
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
