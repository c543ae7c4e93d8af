/**
 * Has what is being written follow the person: to the server a moment after it was written, and from there to their other devices. What was
 * written here meanwhile, without a network too, is never lost to what comes: both stay.
 */
import {
  type ApiClient,
  ApiError,
  maxDraftText,
  type Draft as ServerDraft,
  type ServerEvent,
} from '@dorkos/shared'
import { clearDraft, draftKeys, messageDraftOf, onDraftChange, saveDrafts, setDraft } from './drafts.ts'

const restMs = 1000
const retryMs = 5000
/** What browsers send of a page that is being left. */
const keptAliveBytes = 60_000

interface DraftSyncParts {
  client: Pick<ApiClient, 'listDrafts' | 'saveDraft'>
  onServerEvent(listener: (event: ServerEvent) => void): () => void
  /** The whole state of the server came: events may have been missed before. */
  onServerSnapshot(listener: () => void): () => void
  /** The person looks elsewhere, or leaves. */
  onHidden(listener: () => void): () => void
}

/** To be called when signed in. The returned function ends it; what was not sent by then is sent when it begins again. */
export function startDraftSync(parts: DraftSyncParts): () => void {
  const sync = new DraftSync(parts.client)
  const stops = [
    onDraftChange((key) => sync.changed(key)),
    parts.onServerSnapshot(() => sync.catchUp()),
    parts.onServerEvent((event) => {
      if (event.type === 'session_deleted') sync.drop(event.session_id)
      if (event.type === 'draft_changed') sync.heard(event.draft)
    }),
    parts.onHidden(() => sync.saveNow()),
  ]
  sync.catchUp()
  return () => {
    for (const stop of stops) stop()
    sync.stop()
  }
}

class DraftSync {
  readonly #client: DraftSyncParts['client']
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #underWay = new Set<string>()
  /** Came while one of this page was under way, whose answer says what to do with it. */
  readonly #early = new Map<string, ServerDraft>()
  /** The newest of each draft that the server reported. */
  readonly #seen = new Map<string, number>()
  /** The server takes these not, until they are changed. */
  readonly #refused = new Map<string, string>()
  #stopped = false

  constructor(client: DraftSyncParts['client']) {
    this.#client = client
  }

  stop(): void {
    this.#stopped = true
    this.#clearTimers()
  }

  /** One of them, or any. */
  changed(key?: string): void {
    for (const each of key === undefined ? draftKeys() : [key]) this.#plan(each)
  }

  /** The server reports one: of another device or of this page, and perhaps late. */
  heard(draft: ServerDraft): void {
    if (this.#underWay.has(draft.key)) this.#early.set(draft.key, draft)
    else if (draft.revision > (this.#seen.get(draft.key) ?? 0)) this.#take(draft)
  }

  /** Its session is gone. */
  drop(key: string): void {
    if (!draftKeys().includes(key)) return
    clearDraft(key)
    setDraft(key, { revision: 0, isSynced: true })
    saveDrafts()
  }

  saveNow(): void {
    for (const key of draftKeys()) void this.#save(key, true)
  }

  catchUp(): void {
    this.#compare().catch(() => undefined)
  }

  async #compare(): Promise<void> {
    const { drafts } = await this.#client.listDrafts()
    if (this.#stopped) return
    const there = new Set<string>(drafts.map(({ key }) => key))
    for (const draft of drafts) this.#take(draft)
    for (const key of draftKeys()) {
      const { isSynced, revision } = messageDraftOf(key)
      // Sent or thrown away on another device.
      if (!there.has(key) && revision > 0) setDraft(key, { revision: 0, ...(isSynced && { text: '' }) })
    }
    this.#clearTimers()
    this.changed()
  }

  #isDue(key: string): boolean {
    const { text, isSynced } = messageDraftOf(key)
    const isTaken = text.length <= maxDraftText && this.#refused.get(key) !== text
    return !this.#stopped && !isSynced && isTaken && !this.#underWay.has(key)
  }

  #plan(key: string, wait = restMs): void {
    if (!this.#isDue(key)) return
    // One that was sent is gone elsewhere at once.
    const isUrgent = messageDraftOf(key).text === '' && wait === restMs
    if (this.#timers.has(key) && !isUrgent) return
    clearTimeout(this.#timers.get(key))
    this.#timers.set(
      key,
      setTimeout(() => void this.#save(key), isUrgent ? 0 : wait),
    )
  }

  #clearTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  async #save(key: string, isLeaving = false): Promise<void> {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    if (!this.#isDue(key)) return
    const { text, revision } = messageDraftOf(key)
    if (text === '' && revision === 0) return setDraft(key, { isSynced: true })
    this.#underWay.add(key)
    let wait = restMs
    try {
      const saved = await this.#client.saveDraft({
        params: { key },
        body: { text, base_revision: revision },
        keepalive: isLeaving && text.length * 3 < keptAliveBytes,
      })
      this.#note(saved)
      if (!this.#stopped)
        setDraft(key, { revision: baseOf(saved), isSynced: messageDraftOf(key).text === text })
    } catch (error) {
      if (this.#stopped) return
      const current = error instanceof ApiError && error.code === 'conflict' && draftIn(error.details)
      if (current) this.#take(current)
      else if (isForNow(error)) wait = retryMs
      else this.#refused.set(key, text)
    } finally {
      this.#underWay.delete(key)
      const other = this.#early.get(key)
      this.#early.delete(key)
      if (!this.#stopped && other) this.heard(other)
      this.#plan(key, wait)
    }
  }

  #note({ key, revision }: ServerDraft): void {
    this.#seen.set(key, Math.max(revision, this.#seen.get(key) ?? 0))
  }

  /** The server has this one now. */
  #take(draft: ServerDraft): void {
    this.#note(draft)
    const local = messageDraftOf(draft.key)
    if (draft.revision === local.revision) return
    const text = local.isSynced ? draft.text : mergedText(draft.text, local.text)
    setDraft(draft.key, { text, revision: baseOf(draft), isSynced: text === draft.text })
  }
}

/** What the next change is made from: where nothing is stored, from nothing. */
const baseOf = ({ text, revision }: ServerDraft): number => (text === '' ? 0 : revision)

/** Two that were written apart: one of them where it has the other in it, else one after the other. */
export function mergedText(theirs: string, ours: string): string {
  if (ours.includes(theirs)) return ours
  if (theirs.includes(ours)) return theirs
  return `${theirs}\n\n${ours}`
}

/** Another try may do. */
function isForNow(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'unavailable' || error.code === 'rate_limited'
}

function draftIn(details: unknown): ServerDraft | undefined {
  return (details as { draft?: ServerDraft } | undefined)?.draft
}
