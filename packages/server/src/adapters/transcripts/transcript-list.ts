/** What the index knows of each transcript, in memory and in order: lists are answered from here, whatever their number. */
import type { TranscriptInfo } from '../../core/ports/transcripts.ts'

interface ListPosition {
  updatedAt: string
  sessionId: string
}

interface ListFilter {
  cwds?: string[]
  before?: ListPosition
  limit: number
}

export class TranscriptList {
  readonly #byId = new Map<string, TranscriptInfo>()
  /** Newest first. */
  readonly #all: TranscriptInfo[] = []
  readonly #byCwd = new Map<string, TranscriptInfo[]>()

  get(sessionId: string): TranscriptInfo | undefined {
    return this.#byId.get(sessionId)
  }

  ids(): string[] {
    return [...this.#byId.keys()]
  }

  set(info: TranscriptInfo): void {
    this.delete(info.sessionId)
    this.#byId.set(info.sessionId, info)
    insert(this.#all, info)
    if (info.cwd === undefined) return
    const sameCwd = this.#byCwd.get(info.cwd)
    if (sameCwd) insert(sameCwd, info)
    else this.#byCwd.set(info.cwd, [info])
  }

  delete(sessionId: string): boolean {
    const info = this.#byId.get(sessionId)
    if (!info) return false
    this.#byId.delete(sessionId)
    remove(this.#all, info)
    const sameCwd = info.cwd === undefined ? undefined : this.#byCwd.get(info.cwd)
    if (sameCwd) remove(sameCwd, info)
    if (info.cwd !== undefined && sameCwd?.length === 0) this.#byCwd.delete(info.cwd)
    return true
  }

  list({ cwds, before, limit }: ListFilter): TranscriptInfo[] {
    const lists = cwds ? [...new Set(cwds)].map((cwd) => this.#byCwd.get(cwd) ?? []) : [this.#all]
    const pages = lists.map((infos) => {
      const start = before ? firstOlder(infos, before) : 0
      return infos.slice(start, start + limit)
    })
    const [only = []] = pages
    if (pages.length <= 1) return only
    return pages
      .flat()
      .sort((a, b) => compare(b, a))
      .slice(0, limit)
  }
}

function compare(a: ListPosition, b: ListPosition): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? -1 : 1
  if (a.sessionId === b.sessionId) return 0
  return a.sessionId < b.sessionId ? -1 : 1
}

/** The index of the first that is older than the position, in a list that begins with the newest. */
function firstOlder(infos: readonly ListPosition[], position: ListPosition): number {
  let low = 0
  let high = infos.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const info = infos[middle]
    if (info && compare(info, position) >= 0) low = middle + 1
    else high = middle
  }
  return low
}

function insert(infos: TranscriptInfo[], info: TranscriptInfo): void {
  infos.splice(firstOlder(infos, info), 0, info)
}

function remove(infos: TranscriptInfo[], info: TranscriptInfo): void {
  const index = firstOlder(infos, info) - 1
  if (infos[index] === info) infos.splice(index, 1)
}
