/**
 * What goes between the main thread and the database thread. Requests travel in groups, one group at a time; while one is
 * worked on the next gathers, and becomes one commit.
 */
import type { Failure } from './failure.ts'
import type { OperationName } from './operations.ts'

export interface DatabaseSetup {
  path: string
}

export interface Request {
  name: OperationName
  input: unknown
}

export type OperationReply = { value: unknown } | { failure: Failure }

/** `close` ends the thread after what came before it. */
export type ToDatabase = { requests: Request[] } | { close: true }

/**
 * `replies` are to the group in work, by index in the group; `wrote` when they answer writes. After `done` the next group
 * may come.
 */
export type FromDatabase =
  | { opened: { logId: string } }
  | { refused: Failure }
  | { replies: [index: number, reply: OperationReply][]; wrote: boolean; done: boolean }
