/** Between which snapshots of its directory a session's work lies, stretch by stretch. They go with their session. */

/** `reverted`: a person put something back in DorkOS. */
type TurnTreesKind = 'turn' | 'background' | 'reverted'

export interface TurnTrees {
  id: string
  sessionId: string
  kind: TurnTreesKind
  /** Of a turn. */
  turnId?: string
  directory: string
  /** Undefined where none could be taken. */
  before: string | undefined
  /** Undefined as long as it goes on, and where none could be taken. */
  after: string | undefined
  /** What file tools wrote; `mixed` where something else wrote it too. */
  named: { path: string; mixed: boolean }[]
  /** What they wrote outside of the directory. Absolute. */
  outside: string[]
  complete: boolean
  at: string
}

export interface TurnTreeStore {
  /** Adds it, or replaces the one with its id, which keeps its position. Throws for a session that is not there. */
  put(trees: TurnTrees): Promise<void>
  remove(id: string): Promise<void>
  /** Oldest first. */
  list(sessionId: string): Promise<TurnTrees[]>
}
