/**
 * The conversation in a transcript from its end backwards, as far as somebody reads: the way of `messageChain`, found
 * without knowing what came before. It differs from that only where a file is not as the CLI writes it: an entry counts as
 * the last leaf though an earlier line names it as its parent; a parent, or the result of a parallel tool call,
 * that was written after what follows it is found within one reading alone, and so is a second answer to a tool call.
 */
import type { FileHandle } from 'node:fs/promises'
import { scanObject, stringAt } from './json-scan.ts'
import { type FileLine, readLinesBackward } from './line-reader.ts'
import { linkIn, scanLine, wantedForLinks } from './long-line.ts'
import { withSiblings } from './message-chain.ts'
import { linkOf, type TranscriptLink } from './transcript-link.ts'

/** Longer lines are not held, but gone through. */
const heldLineBytes = 1024 * 1024
const chunkBytes = 128 * 1024

/** Where to go on: with the entry `wanted`, which is before `end`; with the last leaf if there is none. */
export interface ChainPosition {
  readonly end: number
  readonly wanted: string | undefined
}

export interface ChainLink extends TranscriptLink {
  /** Set for what a person said into a turn that ran: the id under which that was sent, where it had one. */
  readonly said: { readonly uuid: string | undefined } | undefined
}

/** Links that stay together: the blocks of one message of the model and the results of its tool calls; or one other. */
export interface ChainGroup {
  /** In order. */
  readonly links: readonly ChainLink[]
  /** Where to go on before this group; nothing at the beginning of the conversation. */
  readonly next: ChainPosition | undefined
}

/** Ends early when `isEnough` says so of the bytes gone through; a group that may lack something then is left out. */
export async function* chainBackward(
  file: FileHandle,
  from: ChainPosition,
  isEnough: (bytes: number) => boolean,
): AsyncGenerator<ChainGroup> {
  const walk = new Walk(from.wanted)
  const lines = readLinesBackward(file, { end: from.end, chunkBytes, maxLineBytes: heldLineBytes })
  for await (const line of lines) {
    if (isEnough(from.end - line.offset)) return yield* walk.interrupt()
    const link = await linkOn(file, line)
    if (link !== undefined) yield* walk.take(link)
    if (walk.isOver) return
  }
  yield* walk.end()
}

async function linkOn(file: FileHandle, line: FileLine): Promise<ChainLink | undefined> {
  if (line.bytes === undefined) {
    const scanner = await scanLine(file, line, wantedForLinks)
    const link = linkIn(scanner, line)
    const isSaid =
      scanner.text('attachment.type') === 'queued_command' &&
      isOfPerson(scanner.text('attachment.commandMode'))
    return link && { ...link, said: isSaid ? { uuid: scanner.text('attachment.source_uuid') } : undefined }
  }
  const link = linkOf(line)
  return link && { ...link, said: link.type === 'attachment' ? saidOn(line.bytes) : undefined }
}

function saidOn(bytes: Buffer): ChainLink['said'] {
  if (!bytes.includes('"queued_command"')) return undefined
  const span = scanObject(bytes)?.get('attachment')
  const fields = span && scanObject(bytes, span.start)
  const text = (name: string) => stringAt(bytes, fields?.get(name))
  if (text('type') !== 'queued_command' || !isOfPerson(text('commandMode'))) return undefined
  return { uuid: text('source_uuid') }
}

/** The CLI queues notices of its own as well. */
function isOfPerson(commandMode: string | undefined): boolean {
  return commandMode === undefined || commandMode === 'prompt'
}

/** Takes links last one first, and puts together those of the conversation. */
class Walk {
  isOver = false
  readonly #passed = new Map<string, ChainLink>()
  readonly #seen = new Set<string>()
  /** The group under way, last one first. */
  #group: ChainLink[] = []
  #wanted: string | undefined

  constructor(wanted: string | undefined) {
    this.#wanted = wanted
  }

  *take(link: ChainLink): Generator<ChainGroup> {
    // An entry that was written twice counts where it was written last.
    if (this.#seen.has(link.uuid) || this.#passed.has(link.uuid)) return
    if (this.#wanted !== undefined && link.uuid !== this.#wanted)
      return void this.#passed.set(link.uuid, link)
    for (let at: ChainLink | undefined = link; at !== undefined; at = this.#passed.get(this.#wanted ?? '')) {
      const newer = this.#group.at(-1)
      if (newer && !belongsTo(at, newer)) yield this.#close(positionBetween(at, newer))
      this.#passed.delete(at.uuid)
      this.#seen.add(at.uuid)
      this.#group.push(at)
      this.#wanted = at.parent ?? at.logicalParent
      if (this.#wanted === undefined || this.#seen.has(this.#wanted)) return yield* this.end()
    }
  }

  *interrupt(): Generator<ChainGroup> {
    const oldest = this.#group.at(-1)
    // Blocks and results may belong to what was not read.
    if (!oldest || oldest.messageId !== undefined || oldest.answers.length > 0) return
    yield this.#close({ end: oldest.offset, wanted: this.#wanted })
  }

  /** There is nothing more: what was wanted does not exist. */
  *end(): Generator<ChainGroup> {
    this.isOver = true
    if (this.#group.length > 0) yield this.#close(undefined)
  }

  #close(next: ChainPosition | undefined): ChainGroup {
    const chain = this.#group.reverse()
    this.#group = []
    if (this.#passed.size === 0) return { links: chain, next }
    const around = [...this.#passed.values(), ...chain].sort((a, b) => a.offset - b.offset)
    return { links: withSiblings(chain, around), next }
  }
}

/** A result belongs to its tool call, a block to its message. */
function belongsTo(older: ChainLink, newer: ChainLink): boolean {
  if (newer.answers.length > 0) return true
  return newer.messageId !== undefined && newer.messageId === older.messageId
}

function positionBetween(older: ChainLink, newer: ChainLink): ChainPosition {
  const isInOrder = older.offset < newer.offset
  return { end: isInOrder ? newer.offset : older.offset + older.length + 1, wanted: older.uuid }
}
