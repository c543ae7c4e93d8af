/** What is known of all transcripts: in memory, in the index's file, and sent to the main thread. */
import type { TranscriptInfo } from '../../../core/ports/transcripts.ts'
import type { Changes, IndexProgress } from '../protocol.ts'
import { ChangeFeed } from './change-feed.ts'
import type { IndexStore } from './index-store.ts'
import {
  type FileState,
  type Headline,
  type IndexedTranscript,
  noText,
  toTranscriptInfo,
  wantsText,
} from './indexed-transcript.ts'
import { TextQueue } from './text-queue.ts'

export interface ReadFile {
  file: FileState
  headline: Headline | undefined
}

export class TranscriptTable {
  readonly store: IndexStore
  readonly texts = new TextQueue()
  readonly #transcripts = new Map<string, IndexedTranscript>()
  readonly #feed: ChangeFeed
  readonly #send: (changes: Changes, progress: IndexProgress) => void
  #shown = 0

  constructor(store: IndexStore, send: (changes: Changes, progress: IndexProgress) => void) {
    this.store = store
    this.#send = send
    this.#feed = new ChangeFeed(
      (sessionId) => this.infoOf(sessionId),
      (changes) => this.#send(changes, this.progress),
    )
  }

  /** Takes over what the index's file knows of transcripts under these folders, and forgets others. Newest first. */
  load(folders: readonly string[]): TranscriptInfo[] {
    const known: TranscriptInfo[] = []
    const others: string[] = []
    for (const transcript of this.store.load()) {
      if (!folders.some((folder) => transcript.path.startsWith(folder))) {
        others.push(transcript.sessionId)
        continue
      }
      this.#transcripts.set(transcript.sessionId, transcript)
      const info = toTranscriptInfo(transcript)
      if (!info) continue
      this.#shown += 1
      known.push(info)
      if (wantsText(transcript)) this.texts.add(transcript.sessionId, false)
    }
    if (others.length > 0) this.store.remove(others)
    return known
  }

  get progress(): IndexProgress {
    return { transcripts: this.#shown, indexed: Math.max(0, this.#shown - this.texts.size) }
  }

  get(sessionId: string): IndexedTranscript | undefined {
    return this.#transcripts.get(sessionId)
  }

  all(): IndexedTranscript[] {
    return [...this.#transcripts.values()]
  }

  infoOf(sessionId: string): TranscriptInfo | undefined {
    const transcript = this.#transcripts.get(sessionId)
    return transcript && toTranscriptInfo(transcript)
  }

  /** `live`: it changes now, so it is read whole before others. */
  apply(read: readonly ReadFile[], { live, announce }: { live: boolean; announce: boolean }): void {
    const changed: IndexedTranscript[] = []
    for (const { file, headline } of read) {
      const { sessionId, path, size, mtimeMs } = file
      const known = this.#transcripts.get(sessionId)
      // Two reads of one file can cross; the later state stays.
      if (known && known.path === path && known.mtimeMs > mtimeMs) continue
      const transcript = known ?? { sessionId, path, size, mtimeMs, headline: undefined, text: noText }
      const wasShown = transcript.headline !== undefined
      Object.assign(transcript, { path, size, mtimeMs, headline })
      this.#transcripts.set(sessionId, transcript)
      this.#shown += (headline ? 1 : 0) - (wasShown ? 1 : 0)
      changed.push(transcript)
      if (headline || wasShown) this.#feed.add(sessionId, announce)
      if (wantsText(transcript)) this.texts.add(sessionId, live)
    }
    if (changed.length > 0) this.store.save(changed)
  }

  remove(sessionIds: readonly string[]): void {
    if (sessionIds.length === 0) return
    this.store.remove(sessionIds)
    for (const sessionId of sessionIds) {
      const known = this.#transcripts.get(sessionId)
      this.#transcripts.delete(sessionId)
      this.texts.delete(sessionId)
      if (!known?.headline) continue
      this.#shown -= 1
      this.#feed.add(sessionId, true)
    }
  }

  textChanged(sessionId: string, announce: boolean): void {
    this.#feed.add(sessionId, announce)
  }

  /** Sends at once what waits to be sent, and how far the index is. */
  flush(): void {
    this.#feed.flush()
    this.#send({ changed: [], removed: [], announce: false }, this.progress)
  }
}
