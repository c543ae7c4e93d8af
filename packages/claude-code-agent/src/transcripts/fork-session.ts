/** A copy of a session under a new id, whole or up to a message, that goes its own way from there. */

import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord } from '@dorkos/processes'
import { InvalidOptionsError } from '../errors.ts'
import type { SessionMutationOptions } from './edit-session.ts'
import { readLines } from './line-reader.ts'
import { describeSession } from './session-info.ts'
import { cleanTitle } from './session-note.ts'
import { parseEntry, type TranscriptEntry, textField } from './transcript-entry.ts'
import { isUuid, openTranscript, requireTranscript, type TranscriptFile } from './transcript-location.ts'
import { createFile } from './transcript-write.ts'

const chunkBytes = 1024 * 1024
const maxLineBytes = 256 * 1024 * 1024
const flushBytes = 1024 * 1024

export interface ForkSessionOptions extends SessionMutationOptions {
  /** Copy up to and with the message of this `uuid`; a compaction boundary itself is left out. */
  upToMessageId?: string
  /** The copy's title; the original's with “(fork)” by default. */
  title?: string
}

export interface ForkSessionResult {
  sessionId: string
}

/**
 * Copies a session beside the original: same order, new uuids, each entry naming the one it came from. Costs, undo
 * history and the records of subagents are not copied. Throws `SessionNotFoundError`, or `InvalidOptionsError` if the
 * message is not in the session.
 */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions = {},
): Promise<ForkSessionResult> {
  const source = await requireTranscript(sessionId, options)
  const title = await forkTitle(source, options.title)
  const fork = new Fork(sessionId, options.upToMessageId)
  const handle = await openTranscript(source.path)
  try {
    await createFile(join(dirname(source.path), `${fork.sessionId}.jsonl`), async (target) => {
      await copyEntries(handle, target, fork)
      await writeLines(target, fork.closing(title))
    })
  } finally {
    await handle.close()
  }
  return { sessionId: fork.sessionId }
}

async function forkTitle(source: TranscriptFile, title: string | undefined): Promise<string> {
  if (title !== undefined) return cleanTitle(title)
  const original = (await describeSession(source))?.info.summary ?? 'Session'
  // Cut before the suffix is added, so that a long title does not lose it.
  return `${[...cleanTitle(original)].slice(0, 190).join('').trimEnd()} (fork)`
}

async function copyEntries(source: FileHandle, target: FileHandle, fork: Fork): Promise<void> {
  let lines: string[] = []
  let waiting = 0
  for await (const line of readLines(source, { chunkBytes, maxLineBytes })) {
    const entry = parseEntry(line)
    const copy = entry && fork.copy(entry)
    if (copy !== undefined) {
      lines.push(JSON.stringify(copy))
      waiting += line.length
    }
    if (waiting > flushBytes) {
      await writeLines(target, lines)
      lines = []
      waiting = 0
    }
    if (fork.isDone) break
  }
  if (!fork.isDone && fork.upTo !== undefined) {
    throw new InvalidOptionsError(`Message ${fork.upTo} is not in session ${fork.origin}.`)
  }
  await writeLines(target, lines)
}

async function writeLines(target: FileHandle, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await target.writeFile(`${lines.join('\n')}\n`)
}

/** Entries without a uuid that a copy needs as well: the last of each. */
const carriedTypes = new Set(['atis-latch', 'tools-used'])

class Fork {
  readonly sessionId = randomUUID()
  readonly origin: string
  readonly upTo: string | undefined
  isDone = false
  readonly #ids = new Map<string, string>()
  readonly #carried = new Map<string, TranscriptEntry>()

  constructor(origin: string, upTo: string | undefined) {
    this.origin = origin
    this.upTo = upTo
  }

  /** The copy of an entry; nothing for one that is not copied. Entries must come in the order of the file. */
  copy(entry: TranscriptEntry): TranscriptEntry | undefined {
    const { uuid, type } = entry
    if (typeof uuid !== 'string' || entry.parentUuid === undefined) {
      if (typeof type === 'string' && carriedTypes.has(type)) this.#carried.set(type, entry)
      return undefined
    }
    if (entry.isSidechain === true) return undefined
    this.isDone = uuid === this.upTo
    // A boundary alone would cut off all that came before it and put nothing in its place.
    if (this.isDone && entry.subtype === 'compact_boundary') return undefined
    const { slug: _, ...rest } = entry
    return {
      ...rest,
      uuid: this.#newId(uuid),
      ...this.#references(entry),
      sessionId: this.sessionId,
      forkedFrom: { sessionId: this.origin, messageUuid: uuid },
    }
  }

  #references(entry: TranscriptEntry): TranscriptEntry {
    const references: Record<string, unknown> = {}
    for (const name of ['parentUuid', 'logicalParentUuid', 'sourceToolAssistantUUID']) {
      const value = textField(entry, name)
      if (value !== undefined) references[name] = this.#newId(value)
    }
    const metadata = entry.compactMetadata
    if (isRecord(metadata)) references.compactMetadata = this.#compaction(metadata)
    return references
  }

  #compaction(metadata: TranscriptEntry): unknown {
    const kept = metadata.preservedMessages
    if (isRecord(kept) && kept.anchorUuid === this.upTo && this.upTo !== undefined) {
      // The copy ends with the summary, so what was kept after it stays behind.
      const { preservedMessages: _messages, preservedSegment: _segment, ...rest } = metadata
      return rest
    }
    return this.#renamed(metadata)
  }

  /** The value with every uuid in it replaced. */
  #renamed(value: unknown): unknown {
    // Not only those seen already: a boundary names its summary, which comes after it in the file.
    if (typeof value === 'string') return isUuid(value) ? this.#newId(value) : value
    if (Array.isArray(value)) return value.map((item) => this.#renamed(item))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#renamed(item)]))
  }

  #newId(uuid: string): string {
    const known = this.#ids.get(uuid)
    if (known !== undefined) return known
    const created = randomUUID()
    this.#ids.set(uuid, created)
    return created
  }

  /** The lines that end the copy. */
  closing(title: string): string[] {
    const carried = [...this.#carried.values()].map((entry) => ({ ...entry, sessionId: this.sessionId }))
    const name = { type: 'custom-title', customTitle: title, sessionId: this.sessionId }
    return [...carried, name].map((entry) => JSON.stringify(entry))
  }
}
