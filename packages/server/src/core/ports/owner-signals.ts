/**
 * Reaches the process that owns a session. A request and its answer are JSON: they travel. Whoever asks learns within the deadline
 * what came of it, or that nobody answered; then it may have been done or not.
 */
import type { LeaseOwner } from './coordination.ts'

export interface OwnerSignals {
  /** Answers with what the owner said. Rejects with its `AppError`, or with `OwnerUnreachableError`. */
  ask(owner: LeaseOwner, request: unknown, deadlineMs: number): Promise<unknown>
  /** From when the promise resolves on, `handle` gets what is asked of this owner. The function ends that. */
  serve(owner: LeaseOwner, handle: (request: unknown) => Promise<unknown>): Promise<() => void>
}

/** Nobody answers for this owner, or not in time. */
export class OwnerUnreachableError extends Error {
  override readonly name = 'OwnerUnreachableError'

  constructor(owner: LeaseOwner) {
    super(`the process ${owner} does not answer`)
  }
}
