/** Which transcripts are to be read whole: those that change now first, then the others, newest first. */
export class TextQueue {
  readonly #live = new Set<string>()
  readonly #backlog = new Set<string>()
  #inWork: { sessionId: string; live: boolean } | undefined

  get size(): number {
    return (
      this.#live.size +
      this.#backlog.size +
      (this.#inWork && !this.#isWaiting(this.#inWork.sessionId) ? 1 : 0)
    )
  }

  /** The backlog keeps the order in which it was filled. */
  add(sessionId: string, live: boolean): void {
    if (live) {
      this.#backlog.delete(sessionId)
      this.#live.add(sessionId)
    } else if (!this.#live.has(sessionId)) this.#backlog.add(sessionId)
  }

  delete(sessionId: string): void {
    this.#live.delete(sessionId)
    this.#backlog.delete(sessionId)
  }

  take(): { sessionId: string; live: boolean } | undefined {
    const [live] = this.#live
    const [sessionId = live] = live === undefined ? this.#backlog : []
    if (sessionId === undefined) return undefined
    this.delete(sessionId)
    this.#inWork = { sessionId, live: live !== undefined }
    return this.#inWork
  }

  /** What was taken is read. */
  done(): void {
    this.#inWork = undefined
  }

  #isWaiting(sessionId: string): boolean {
    return this.#live.has(sessionId) || this.#backlog.has(sessionId)
  }
}
