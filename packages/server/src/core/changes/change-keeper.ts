/** The sessions whose changes are followed now. */
import type { TurnTrees } from '../ports/turn-trees.ts'
import type { ProcessChanges } from '../sessions/process-session.ts'
import { TrackedChanges, type TrackedSession, type TrackingParts } from './tracked-changes.ts'

export class ChangeKeeper {
  readonly #parts: TrackingParts
  readonly #tracked = new Map<string, TrackedChanges>()

  constructor(parts: TrackingParts) {
    this.#parts = parts
  }

  /** For one process of a session, until it is closed. */
  open(session: Omit<TrackedSession, 'closed'>): ProcessChanges {
    const { sessionId } = session
    const tracked: TrackedChanges = new TrackedChanges(this.#parts, {
      ...session,
      closed: () => {
        if (this.#tracked.get(sessionId) === tracked) this.#tracked.delete(sessionId)
      },
    })
    this.#tracked.set(sessionId, tracked)
    return tracked
  }

  /** What has changed so far in what goes on; undefined when nothing does. All that ended is stored. */
  async running(sessionId: string): Promise<TurnTrees | undefined> {
    return this.#tracked.get(sessionId)?.running()
  }

  /** The session is deleted: nothing is kept for it. */
  async drop(sessionId: string, directory: string): Promise<void> {
    const { trees, snapshots } = this.#parts
    if ((await trees.list(sessionId)).length > 0) await snapshots.drop({ directory, sessionId })
  }
}
