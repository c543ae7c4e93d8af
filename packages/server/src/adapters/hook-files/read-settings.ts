/** One settings file as the CLI reads it: strict JSON that holds one object. */
import { type HookFault, isRecord } from '@dorkos/shared'
import { readSourceFile } from '../mcp-files/read-source-file.ts'
import { MAX_BYTES } from '../mcp-files/source-files.ts'

/** Undefined where there is no such file, or one that cannot be used: then `faults` says why. */
export async function readSettings(
  file: string,
  faults: HookFault[],
  within?: string,
): Promise<Record<string, unknown> | undefined> {
  const read = await readSourceFile(file, { maxBytes: MAX_BYTES, ...(within !== undefined && { within }) })
  if (read.state === 'refused') faults.push({ file, reason: `The file ${read.reason}.` })
  // Sandboxes keep the place of what is not there with an empty file.
  if (read.state !== 'read' || read.bytes.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(read.text)
    if (isRecord(value)) return value
    faults.push({ file, reason: 'The file must hold one object: { … }. Claude Code skips it.' })
  } catch {
    faults.push({
      file,
      reason: 'The file is not JSON (comments and trailing commas are not). Claude Code skips it.',
    })
  }
  return undefined
}
