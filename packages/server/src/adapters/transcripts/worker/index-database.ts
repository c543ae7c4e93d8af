/** The index's file. It is made from the transcripts: one that is damaged or of another version is made anew. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { WorkerDatabase } from '../../sqlite/worker/database.ts'

/** Marks a file as ours ("DIDX"). */
const applicationId = 0x44494458
/** Raise it with every change of the schema, or of what is read from transcripts. */
const schemaVersion = 2

const schema = `
  CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    shown INTEGER NOT NULL,
    cwd TEXT,
    title TEXT,
    first_prompt TEXT,
    model TEXT,
    branch TEXT,
    created_ms REAL,
    text_position INTEGER NOT NULL,
    text_mark TEXT NOT NULL,
    text_size INTEGER NOT NULL,
    text_mtime_ms REAL NOT NULL,
    message_count INTEGER NOT NULL,
    last_message_id TEXT
  );
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    time_id INTEGER NOT NULL UNIQUE,
    transcript_id INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL,
    time TEXT,
    text TEXT NOT NULL
  );
  CREATE INDEX messages_by_transcript ON messages (transcript_id);
  CREATE VIRTUAL TABLE message_text USING fts5 (
    text, content='messages', content_rowid='time_id', tokenize='unicode61 remove_diacritics 2'
  );
`

/** `discarded`: why what was there had to go. */
export function openIndexDatabase(
  path: string,
  rebuild: boolean,
): { database: WorkerDatabase; discarded: string | undefined } {
  if (rebuild) removeIndex(path)
  makePrivate(path)
  try {
    const database = new WorkerDatabase(path)
    try {
      const discarded = prepare(database)
      if (discarded === undefined) return { database, discarded: rebuild ? 'it was damaged' : undefined }
      database.close()
      return { database: openNew(path), discarded }
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { database: openNew(path), discarded: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether an error of the database says that its file cannot be trusted. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : ''
  return (
    /^SQLITE_(CORRUPT|NOTADB)/.test(code) ||
    /malformed|corrupt|not a database|no such (table|column)/i.test(message)
  )
}

function openNew(path: string): WorkerDatabase {
  removeIndex(path)
  makePrivate(path)
  const database = new WorkerDatabase(path)
  prepare(database)
  return database
}

/** Answers with why the file cannot be used, if so. */
function prepare(database: WorkerDatabase): string | undefined {
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA trusted_schema = OFF')
  database.exec('PRAGMA cell_size_check = ON')
  const isEmpty = database.get('SELECT 1 AS found FROM sqlite_schema LIMIT 1') === undefined
  if (!isEmpty) {
    const id = database.get<{ application_id: number }>('PRAGMA application_id')?.application_id
    const version = database.get<{ user_version: number }>('PRAGMA user_version')?.user_version
    return id === applicationId && version === schemaVersion ? undefined : 'it is of another version'
  }
  database.transaction('normal', () => {
    database.exec(schema)
    database.exec(`PRAGMA application_id = ${applicationId}`)
    database.exec(`PRAGMA user_version = ${schemaVersion}`)
  })
  return undefined
}

function removeIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(path + suffix, { force: true, recursive: true })
}

/** Conversations are in it. SQLite gives its side files the same rights. */
function makePrivate(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  chmodSync(path, 0o600)
}
