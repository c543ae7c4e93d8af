/** What the database thread can be asked: a closed list of named operations, each with what its commit must survive. */
import type { WorkerStore } from './worker-store.ts'

/** `none` only reads. `normal` survives a crash of the process, `full` also a power cut. One that throws is undone. */
export type Commit = 'none' | 'normal' | 'full'

export interface Operation<Input, Output> {
  readonly commit: Commit
  run(store: WorkerStore, input: Input): Output
}

export function operation<Input, Output>(
  commit: Commit,
  run: (store: WorkerStore, input: Input) => Output,
): Operation<Input, Output> {
  return { commit, run }
}

export interface Condition {
  /** A constant with one `?`. */
  sql: string
  /** Undefined leaves the condition out. */
  value: string | number | null | undefined
}

/** A WHERE clause of those constants that have a value. */
export function where(...conditions: Condition[]): { sql: string; values: (string | number)[] } {
  const parts: string[] = []
  const values: (string | number)[] = []
  for (const { sql, value } of conditions) {
    if (value === undefined || value === null) continue
    parts.push(sql)
    values.push(value)
  }
  return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values }
}
