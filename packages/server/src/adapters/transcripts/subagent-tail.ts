/**
 * The newest words of a subagent. The CLI (2.1.325) keeps each in a file of its own beside the session's:
 * `<session id>/subagents/agent-<agent id>.jsonl`. No more than the end of such a file is read.
 */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { TranscriptEntry } from '../../core/ports/transcripts.ts'

/** With every request the CLI notes what it sent, so much of a file is not words. */
const maxBytes = 1024 * 1024
/** Ids become file names. */
const agentIdPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Oldest first. Empty where there is no such file. */
export async function readSubagentTail(
  transcriptPath: string,
  agentId: string,
  limit: number,
): Promise<TranscriptEntry[]> {
  if (!agentIdPattern.test(agentId)) return []
  const folder = await realpath(dirname(transcriptPath)).catch(() => undefined)
  if (folder === undefined) return []
  const path = join(folder, basename(transcriptPath, '.jsonl'), 'subagents', `agent-${agentId}.jsonl`)
  // Links are not followed: what is behind one is no transcript.
  if ((await realpath(path).catch(() => undefined)) !== path) return []
  return wordsOf(await readTail(path)).slice(-limit)
}

async function readTail(path: string): Promise<{ bytes: Buffer; offset: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) return { bytes: Buffer.alloc(0), offset: 0 }
    const offset = Math.max(0, stat.size - maxBytes)
    const bytes = Buffer.alloc(Math.min(stat.size, maxBytes))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
    return { bytes: bytes.subarray(0, bytesRead), offset }
  } finally {
    await file.close()
  }
}

function wordsOf({ bytes, offset }: { bytes: Buffer; offset: number }): TranscriptEntry[] {
  const entries: TranscriptEntry[] = []
  // The first line may lack its beginning.
  let start = offset === 0 ? 0 : bytes.indexOf(newline) + 1
  for (let end = bytes.indexOf(newline, start); end !== -1; end = bytes.indexOf(newline, start)) {
    const entry = isRequestNote(bytes, start) ? undefined : parse(bytes.toString('utf8', start, end))
    if (entry) entries.push({ offset: offset + start, entry })
    start = end + 1
  }
  return entries
}

const newline = 0x0a
const requestNote = Buffer.from('{"type":"api-request')

/** Long, and no words. */
function isRequestNote(bytes: Buffer, start: number): boolean {
  return bytes.subarray(start, start + requestNote.length).equals(requestNote)
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
    return value.type === 'user' || value.type === 'assistant' ? { ...value } : undefined
  } catch {
    return undefined
  }
}
