/** The list of what may be loaded: SHA-256 in hex by real path, in a JSON file that is ours. */
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** What cannot be read approves nothing. */
export async function readApprovedList(file: string): Promise<Record<string, string>> {
  const approved: Record<string, string> = Object.create(null)
  try {
    const listed: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) return approved
    for (const [path, digest] of Object.entries(listed)) {
      if (isAbsolute(path) && typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))
        approved[path] = digest
    }
  } catch {
    // As if it were empty.
  }
  return approved
}
