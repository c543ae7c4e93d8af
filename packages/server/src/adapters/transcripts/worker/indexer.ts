/**
 * Keeps the index in step with the files. What lists show is read from the beginning and the end of each file that is new
 * or changed, newest first; what was said, from whole files, comes after that.
 */
import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { readSessionInfo, sessionFiles } from 'claude-code-agent'
import type { SearchedTranscripts, TranscriptInfo } from '../../../core/ports/transcripts.ts'
import { findTranscriptFile, sessionIdOf, statTranscript } from '../find-transcript-file.ts'
import type { FromIndex, SearchResult } from '../protocol.ts'
import type { IndexStore } from './index-store.ts'
import { type FileState, type Headline, headlineOf, isSameFile } from './indexed-transcript.ts'
import { matchExpression } from './match-expression.ts'
import { TextLoop } from './text-loop.ts'
import { type ReadFile, TranscriptTable } from './transcript-table.ts'
import { Wake } from './wake.ts'

/** How many files are read at a time for what lists show. */
const batchSize = 32
/** On a machine that is new to the index all transcripts are new; only as many are announced as a page shows. */
const announcedAtFirst = 200

export interface IndexerSetup {
  configDirs: string[]
  store: IndexStore
  send(message: FromIndex): void
}

export class Indexer {
  readonly table: TranscriptTable
  readonly #setup: IndexerSetup
  readonly #textLoop: TextLoop
  /** Paths that the watch saw change. */
  readonly #changed = new Set<string>()
  readonly #wake = new Wake()
  #scanWanted = true
  #scanned = false
  #closed = false
  #lastScanMs = 0

  constructor(setup: IndexerSetup) {
    this.#setup = setup
    this.table = new TranscriptTable(setup.store, (changes, progress) => setup.send({ changes, progress }))
    this.#textLoop = new TextLoop(this.table, setup.send)
  }

  /** How long it took to check all files. */
  get lastScanMs(): number {
    return this.#lastScanMs
  }

  /** Runs until it is closed; rejects when the index cannot be used any more. */
  async run(): Promise<void> {
    await Promise.all([this.#followFiles(), this.#textLoop.run()])
  }

  close(): void {
    this.#closed = true
    this.#textLoop.close()
    this.#wake.call()
  }

  /** Checks all files again. */
  rescan(): void {
    this.#scanWanted = true
    this.#wake.call()
  }

  filesChanged(paths: Iterable<string>): void {
    for (const path of paths) this.#changed.add(path)
    this.#wake.call()
  }

  search(text: string, which: SearchedTranscripts): SearchResult {
    const complete = this.#scanned && this.table.texts.size === 0 && this.#changed.size === 0
    const match = matchExpression(text)
    return { hits: match === undefined ? [] : this.#setup.store.search(match, which), complete }
  }

  /** A session that the watch has not reported yet: its file alone is looked for and read. */
  async refresh(sessionId: string): Promise<TranscriptInfo | undefined> {
    const known = this.table.infoOf(sessionId)
    if (known) return known
    const file = await findTranscriptFile(this.#setup.configDirs, sessionId)
    if (!file || this.#closed) return undefined
    this.table.apply([{ file, headline: await readHeadline(file.path) }], { live: true, announce: true })
    this.#textLoop.wake()
    return this.table.infoOf(sessionId)
  }

  async #followFiles(): Promise<void> {
    while (!this.#closed) {
      if (this.#changed.size > 0) await this.#takeChanged()
      else if (this.#scanWanted) await this.#scan()
      else await this.#wake.sleep()
    }
  }

  async #takeChanged(): Promise<void> {
    const paths = [...this.#changed]
    for (let at = 0; at < paths.length && !this.#closed; at += batchSize) {
      const batch = paths.slice(at, at + batchSize)
      for (const path of batch) this.#changed.delete(path)
      const found = await Promise.all(batch.map((path) => this.#recheck(path)))
      const read = found.filter((file) => file !== undefined)
      this.table.apply(read, { live: true, announce: true })
    }
    this.#textLoop.wake()
  }

  async #recheck(path: string): Promise<ReadFile | undefined> {
    const sessionId = sessionIdOf(basename(path))
    if (sessionId === undefined) return undefined
    const here = await statTranscript(path, sessionId)
    const known = this.table.get(sessionId)
    if (known && known.path !== path && !(here && this.#replaces(here, known))) return undefined
    const file = here ?? (await findTranscriptFile(this.#setup.configDirs, sessionId))
    if (file) return { file, headline: await readHeadline(file.path) }
    if (known && (await isGone(path))) this.table.remove([sessionId])
    return undefined
  }

  async #scan(): Promise<void> {
    this.#scanWanted = false
    const start = performance.now()
    const found = await this.#findAll()
    await this.#removeGone(found)
    const changed = [...found.values()].filter((file) => {
      const known = this.table.get(file.sessionId)
      return !known || !isSameFile(known, file)
    })
    this.#lastScanMs = performance.now() - start
    changed.sort((a, b) => b.mtimeMs - a.mtimeMs)
    for (let at = 0; at < changed.length && !this.#closed; at += batchSize) {
      const batch = changed.slice(at, at + batchSize)
      const read = batch.map(async (file) => ({ file, headline: await readHeadline(file.path) }))
      const announce = this.#scanned || at < announcedAtFirst
      this.table.apply(await Promise.all(read), { live: this.#scanned, announce })
      if (this.#changed.size > 0) await this.#takeChanged()
    }
    this.#textLoop.wake()
    if (this.#scanned || this.#closed) return
    this.#scanned = true
    this.table.flush()
    this.#setup.send({ scanned: true })
    this.#textLoop.release()
  }

  async #findAll(): Promise<Map<string, FileState>> {
    const found = new Map<string, FileState>()
    for (const configDir of this.#setup.configDirs) {
      for await (const { sessionId, path, size, mtimeMs } of sessionFiles({ configDir })) {
        const other = found.get(sessionId)
        const file = { sessionId, path, size, mtimeMs: Number.isFinite(mtimeMs) ? mtimeMs : 0 }
        if (!other || this.#replaces(file, other)) found.set(sessionId, file)
      }
    }
    return found
  }

  /**
   * Copies of one transcript in the folders of several projects: the newest counts. Between configurations the first one's does,
   * and else the one that was there before: agents can write under any name to those of containers.
   */
  #replaces(file: FileState, other: FileState): boolean {
    const [here, there] = [this.#laterDirOf(file.path), this.#laterDirOf(other.path)]
    if (here === there) return file.mtimeMs >= other.mtimeMs
    if (here === undefined || there === undefined) return here === undefined
    return this.table.get(file.sessionId)?.path === file.path
  }

  /** Undefined for the first. */
  #laterDirOf(path: string): string | undefined {
    return this.#setup.configDirs.slice(1).find((dir) => path.startsWith(`${dir}/`))
  }

  /** A folder that cannot be read for a moment does not make its transcripts go: only what is certainly not there does. */
  async #removeGone(found: ReadonlyMap<string, FileState>): Promise<void> {
    const gone: string[] = []
    for (const { sessionId, path } of this.table.all())
      if (!found.has(sessionId) && (await isGone(path))) gone.push(sessionId)
    this.table.remove(gone)
  }
}

/** Undefined when there is nothing to show, or the file cannot be read. */
async function readHeadline(path: string): Promise<Headline | undefined> {
  const info = await readSessionInfo(path).catch(() => undefined)
  return info && headlineOf(info)
}

async function isGone(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}
