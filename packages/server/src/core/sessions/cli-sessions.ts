/**
 * Which session an id of the CLI's belongs to, and whose that is. A cache of the records, which other servers change as
 * well: they say so, and where that may have been missed, all is read anew. What is not in here was said in a terminal
 * and is the owner's, so whoever shows anybody a transcript waits for `load()` first.
 */
import { type Actor, ownerPrincipal } from '../actor.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'

export interface CliSessionsParts {
  sessions: Pick<SessionStore, 'get' | 'getMany' | 'list'>
  /** Of this server; its session may not be stored yet. */
  runner(sessionId: string): unknown
}

const pageSize = 1000

export class CliSessions {
  readonly #parts: CliSessionsParts
  readonly #byCliId = new Map<string, { id: string; principal: string }>()
  /** Transcripts that were deleted: the index hears of it a little later. */
  readonly #deleted = new Set<string>()
  /** Of all, since something may have been missed; undefined while nobody has begun. */
  #reading: Promise<void> | undefined

  constructor(parts: CliSessionsParts) {
    this.#parts = parts
  }

  /** Reads all, once until `reread()`. After a fault, whoever asks next tries again. */
  load(): Promise<void> {
    if (this.#reading) return this.#reading
    const reading = this.#readAll().catch((error: unknown) => {
      if (this.#reading === reading) this.#reading = undefined
      throw error
    })
    this.#reading = reading
    return reading
  }

  /** What other servers changed may have been missed. */
  reread(): Promise<void> {
    this.#reading = undefined
    return this.load()
  }

  /** Remembers the CLI ids of a record that was made or changed. */
  note(record: SessionRecord): void {
    const { id, principal } = record
    for (const cliId of [id, ...record.cliSessionIds]) this.#byCliId.set(cliId, { id, principal })
  }

  /** A session was changed, perhaps by another server: its process may go by another id of the CLI's now. */
  async noteChanged(sessionId: string): Promise<void> {
    const record = this.#parts.runner(sessionId) ? undefined : await this.#parts.sessions.get(sessionId)
    if (record) this.note(record)
  }

  forget(sessionId: string): void {
    for (const [cliId, { id }] of this.#byCliId) {
      if (id !== sessionId) continue
      this.#byCliId.delete(cliId)
      this.#deleted.add(cliId)
    }
  }

  /** It belongs to a session of ours, and not to a terminal's. */
  isOurs(cliSessionId: string): boolean {
    return this.#byCliId.has(cliSessionId)
  }

  isDeleted(cliSessionId: string): boolean {
    return this.#deleted.has(cliSessionId)
  }

  /** The session that a transcript belongs to: its own, or ours that the CLI gave another id on the way. */
  sessionOf(cliSessionId: string): string {
    return this.#byCliId.get(cliSessionId)?.id ?? cliSessionId
  }

  /** Whose it is. What was said in a terminal is the owner's. */
  principalOf(cliSessionId: string): string {
    return this.#byCliId.get(cliSessionId)?.principal ?? ownerPrincipal
  }

  /** Which transcripts are the actor's: the owner has all that are nobody else's. */
  async transcriptsOf({ principal }: Actor): Promise<{ except: string[] } | { only: string[] }> {
    await this.load()
    const isOwner = principal === ownerPrincipal
    const known = [...this.#byCliId].filter(([, one]) => (one.principal === principal) !== isOwner)
    const ids = known.map(([cliId]) => cliId)
    return isOwner ? { except: ids } : { only: ids }
  }

  async #readAll(): Promise<void> {
    const read = new Set<string>()
    let before: SessionRecord | undefined
    for (;;) {
      const page = await this.#parts.sessions.list({
        principal: null,
        limit: pageSize,
        ...(before && { before: { updatedAt: before.updatedAt, id: before.id } }),
      })
      for (const record of page) {
        this.note(record)
        read.add(record.id)
      }
      before = page.at(-1)
      if (page.length < pageSize || !before) break
    }
    await this.#forgetGone(read)
  }

  /** Others than those that were read are gone, unless they are not stored yet, or were made meanwhile. */
  async #forgetGone(read: ReadonlySet<string>): Promise<void> {
    const known = new Set([...this.#byCliId.values()].map(({ id }) => id))
    const others = [...known].filter((id) => !read.has(id) && !this.#parts.runner(id))
    if (others.length === 0) return
    const stored = await this.#parts.sessions.getMany(others)
    for (const id of others) if (!stored.has(id)) this.forget(id)
  }
}
