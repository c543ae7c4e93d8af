/** What is kept of each session so that a program which was killed can find it again. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TurnOutcome } from '../session/messages.ts'
import type { SessionState } from '../session/state-machine.ts'

export interface StoredSession {
  sessionId: string
  state: SessionState
  cwd: string
  keepAlive: boolean
  /** The program that runs the session, to distinguish a crash from a session that is alive. */
  owner: { pid: number; startTime: string | undefined }
  startedAt: string
  updatedAt: string
  lastOutcome: TurnOutcome | undefined
  /** The ids that the CLI has used for the conversation, oldest first; it begins a new one with `/clear`. */
  cliSessionIds: string[]
  /** Messages that were sent and not finished. */
  unfinishedMessages: string[]
}

/** Implement this to keep records elsewhere. All methods may be called concurrently for different sessions. */
export interface StateStore {
  save(record: StoredSession): Promise<void>
  list(): Promise<StoredSession[]>
  delete(sessionId: string): Promise<void>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** One JSON file a session, written whole and renamed into place, readable by the owner only. */
export class FileStateStore implements StateStore {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  async save(record: StoredSession): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.directory, `.${record.sessionId}.${randomUUID()}.tmp`)
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(record)}\n`)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.#path(record.sessionId))
  }

  /** A file that cannot be read as a record is left alone and left out. */
  async list(): Promise<StoredSession[]> {
    const names = await readdir(this.directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const records = await Promise.all(
      names.filter((name) => uuid.test(name.replace(/\.json$/, ''))).map((name) => this.#read(name)),
    )
    return records.filter((record) => record !== undefined)
  }

  async delete(sessionId: string): Promise<void> {
    await rm(this.#path(sessionId), { force: true })
  }

  #path(sessionId: string): string {
    if (!uuid.test(sessionId)) throw new TypeError(`not a session id: ${sessionId}`)
    return join(this.directory, `${sessionId}.json`)
  }

  async #read(name: string): Promise<StoredSession | undefined> {
    try {
      const record = JSON.parse(await readFile(join(this.directory, name), 'utf8')) as StoredSession
      return typeof record?.sessionId === 'string' && typeof record.owner?.pid === 'number'
        ? record
        : undefined
    } catch {
      return undefined
    }
  }
}
