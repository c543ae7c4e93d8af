import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Where an absolute path leads: links are followed as far as the path exists, and the rest is kept as it is. Throws when a
 * folder on the way cannot be looked at, since nobody knows then where it leads.
 */
export async function realPathOf(path: string): Promise<string> {
  const missing: string[] = []
  let existing = path
  for (;;) {
    try {
      return join(await realpath(existing), ...missing)
    } catch (error) {
      if (!isMissing(error) || existing === dirname(existing)) throw error
      missing.unshift(basename(existing))
      existing = dirname(existing)
    }
  }
}

/** ENOTDIR: a file stands where a folder is meant; nothing can be beyond it. */
function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}
