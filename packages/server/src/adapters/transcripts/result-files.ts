/**
 * Whole results and messages, from the files of their session: its transcript, those of its subagents, and what the CLI kept in
 * `<session id>/tool-results` (2.1.325).
 */
import { readdir } from 'node:fs/promises'
import { isRecord } from '@dorkos/shared'
import type { ByteSource, ResultFiles, SoughtEntry } from '../../core/ports/transcripts.ts'
import { openPlainFile } from '../system/open-plain-file.ts'
import { linesWith, parseLine } from './find-line.ts'
import { ownPath } from './own-file.ts'

/** One line is parsed at a time; a result with more pictures than this is a stub. */
const maxLineBytes = 32 * 1024 * 1024
const chunkBytes = 256 * 1024
/** Of one session. */
const maxSubagents = 2000
/** Files of which it is known where something was found last. */
const maxOffsets = 500

/** `pathOf`: where the transcript of a session is. */
export function createResultFiles(pathOf: (cliId: string) => Promise<string | undefined>): ResultFiles {
  /** Results are mostly asked for in the order of the file, so a search goes on where the last one ended. */
  const offsets = new Map<string, number>()

  async function findIn(path: string, sought: SoughtEntry): Promise<Record<string, unknown> | undefined> {
    const opened = await openPlainFile(path)
    if (opened === undefined) return undefined
    const { file, size } = opened
    const offset = Math.min(offsets.get(path) ?? 0, size)
    try {
      for (const [start, end] of [
        [offset, size],
        [0, offset],
      ] as const)
        for await (const line of linesWith(file, needleOf(sought), { start, end, maxLineBytes })) {
          const entry = line.text === undefined ? stub(line.bytes) : parseLine(line.text)
          if (entry === undefined || !(line.text === undefined || holds(entry, sought))) continue
          if (offsets.size >= maxOffsets) offsets.clear()
          offsets.set(path, line.offset)
          return entry
        }
      return undefined
    } finally {
      await file.close()
    }
  }

  return {
    async find(cliId, sought, where) {
      const path = await pathOf(cliId)
      if (path === undefined) return undefined
      for (const file of where === 'session' ? [path] : await subagentFiles(path)) {
        const found = await findIn(file, sought)
        if (found) return found
      }
      return undefined
    },
    async saved(cliId, name) {
      const transcript = await pathOf(cliId)
      const path = transcript && (await ownPath(transcript, 'tool-results', name))
      return path ? sourceOf(path) : undefined
    },
  }
}

async function subagentFiles(transcriptPath: string): Promise<string[]> {
  const folder = await ownPath(transcriptPath, 'subagents')
  if (folder === undefined) return []
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => /^agent-[A-Za-z0-9_-]{1,64}\.jsonl$/.test(name))
  return files.slice(0, maxSubagents).map((name) => `${folder}/${name}`)
}

/** As the CLI writes it; text that quotes it has its quotes escaped. */
function needleOf(sought: SoughtEntry): string {
  if ('toolCallId' in sought) return `"tool_use_id":${JSON.stringify(sought.toolCallId)}`
  // Also `source_uuid`, of what was said into a running turn.
  return `uuid":${JSON.stringify(sought.messageId)}`
}

/** Other lines can name it too: what was sent to the model, hooks, what a tool returned. */
function holds(entry: Record<string, unknown>, sought: SoughtEntry): boolean {
  if ('messageId' in sought) {
    const { attachment } = entry
    if (isRecord(attachment)) return attachment.source_uuid === sought.messageId
    return entry.type === 'user' && entry.uuid === sought.messageId
  }
  const content = isRecord(entry.message) ? entry.message.content : undefined
  if (entry.type !== 'user' || !Array.isArray(content)) return false
  return content.some(
    (block) => isRecord(block) && block.type === 'tool_result' && block.tool_use_id === sought.toolCallId,
  )
}

const stub = (bytes: number) => ({ truncated: true, bytes })

async function sourceOf(path: string): Promise<ByteSource | undefined> {
  const opened = await openPlainFile(path)
  if (opened === undefined) return undefined
  await opened.file.close()
  const { size, isLinked } = opened
  if (isLinked) return undefined
  return { bytes: size, read: (start = 0, end = size) => readRange(path, start, Math.min(end, size)) }
}

async function* readRange(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  const opened = await openPlainFile(path)
  if (opened === undefined) throw new Error('a file of the CLI went away while it was read')
  try {
    if (opened.isLinked) throw new Error('a file of the CLI lies elsewhere too')
    for (let at = start; at < end; ) {
      const length = Math.min(chunkBytes, end - at)
      const { buffer, bytesRead } = await opened.file.read(Buffer.allocUnsafe(length), 0, length, at)
      if (bytesRead === 0) throw new Error('a file of the CLI became shorter while it was read')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await opened.file.close()
  }
}
