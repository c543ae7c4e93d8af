/**
 * The one connection of the database thread. SQL is written in this folder only, as constants. libsql 0.5.29 aborts the
 * process on a boolean, cuts text at a NUL and takes any number of parameters, so all three are refused here.
 */
import Database from 'libsql'

export type SqlValue = string | number | null
/** A row by column name. `R` is what the statement's columns say; libsql adds a `_metadata` that nobody reads. */
export type Row = Record<string, SqlValue>

interface Prepared {
  statement: Database.Statement
  parameters: number
}

export class WorkerDatabase {
  readonly path: string
  readonly #connection: Database.Database
  readonly #statements = new Map<string, Prepared>()
  #synchronous: 'normal' | 'full' | undefined

  constructor(path: string) {
    this.path = path
    this.#connection = new Database(path, { timeout: busyTimeoutMs })
  }

  get<R extends Row>(sql: string, ...values: SqlValue[]): R | undefined {
    return this.#prepare(sql, values).get(values) as R | undefined
  }

  all<R extends Row>(sql: string, ...values: SqlValue[]): R[] {
    return this.#prepare(sql, values).all(values) as R[]
  }

  /** Answers with how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql, values).run(values).changes
  }

  /** Several statements, without parameters. */
  exec(sql: string): void {
    this.#connection.exec(sql)
  }

  /** Runs `work` in a transaction. `full` waits until the disk has it. */
  transaction<T>(commit: 'normal' | 'full', work: () => T): T {
    if (this.#synchronous !== commit) {
      this.exec(commit === 'full' ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL')
      this.#synchronous = commit
    }
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      // SQLite ends the transaction itself on some errors, such as a full disk.
      if (this.#connection.inTransaction) this.exec('ROLLBACK')
      throw error
    }
  }

  /** Part of a transaction: undone alone when `work` throws. */
  savepoint<T>(work: () => T): T {
    this.exec('SAVEPOINT part')
    try {
      const result = work()
      this.exec('RELEASE part')
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.exec('ROLLBACK TO part; RELEASE part')
      throw error
    }
  }

  close(): void {
    this.#statements.clear()
    this.#connection.close()
  }

  #prepare(sql: string, values: SqlValue[]): Database.Statement {
    let prepared = this.#statements.get(sql)
    if (!prepared) {
      prepared = { statement: this.#connection.prepare(sql), parameters: sql.split('?').length - 1 }
      this.#statements.set(sql, prepared)
    }
    if (values.length !== prepared.parameters)
      throw new TypeError(`${values.length} values for ${prepared.parameters} parameters`)
    for (const value of values) checkValue(value)
    return prepared.statement
  }
}

/** How long a write waits for another process that holds the file. */
const busyTimeoutMs = 5000

function checkValue(value: unknown): void {
  if (value === null) return
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new TypeError('text in the database must not hold a NUL')
  } else if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    Math.abs(value) > Number.MAX_SAFE_INTEGER
  )
    throw new TypeError(`a ${typeof value} cannot be stored`)
}
