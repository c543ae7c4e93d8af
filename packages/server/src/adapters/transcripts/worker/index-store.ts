/** What is written to and read from the index. */
import type { SearchedTranscripts, SearchHit } from '../../../core/ports/transcripts.ts'
import type { Row, WorkerDatabase } from '../../sqlite/worker/database.ts'
import { type IndexedTranscript, storable, type TextState } from './indexed-transcript.ts'

export interface IndexedMessage {
  messageId: string
  role: string
  timeMs: number
  /** False when the message does not say, and the time is that of its file. */
  isTimeKnown: boolean
  text: string
}

const snippetWords = 24
/** A word can be of any length. */
const snippetCharacters = 1000
const idsPerSecond = 256
/** Where an id is taken already, one is looked for within the same second, minute, hour, at last within some days. */
const idSpreads = [1, 1, 60, 3600, 86_400, 864_000, 864_000].map((seconds) => seconds * idsPerSecond)
const lastSecond = Date.parse('9999-12-31T00:00:00Z') / 1000

export class IndexStore {
  readonly #database: WorkerDatabase
  constructor(database: WorkerDatabase) {
    this.#database = database
  }

  /** Newest first. */
  load(): IndexedTranscript[] {
    const rows = this.#database.all<Row>('SELECT * FROM transcripts ORDER BY mtime_ms DESC')
    return rows.map(toTranscript)
  }

  /** Writes all but how far the text was read. */
  save(transcripts: readonly IndexedTranscript[]): void {
    this.#database.transaction('normal', () => {
      for (const { sessionId, path, size, mtimeMs, headline } of transcripts) {
        this.#database.run(
          `INSERT INTO transcripts
             (session_id, path, size, mtime_ms, shown, cwd, title, first_prompt, model, branch, created_ms,
              text_position, text_mark, text_size, text_mtime_ms, message_count)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', -1, -1, 0)
           ON CONFLICT (session_id) DO UPDATE SET
             path = excluded.path, size = excluded.size, mtime_ms = excluded.mtime_ms, shown = excluded.shown,
             cwd = excluded.cwd, title = excluded.title, first_prompt = excluded.first_prompt,
             model = excluded.model, branch = excluded.branch, created_ms = excluded.created_ms`,
          sessionId,
          storable(path),
          size,
          mtimeMs,
          headline ? 1 : 0,
          headline?.cwd ?? null,
          headline?.title ?? null,
          headline?.firstPrompt ?? null,
          headline?.model ?? null,
          headline?.branch ?? null,
          headline?.createdMs ?? null,
        )
      }
    })
  }

  /** What was said, and how far that is, in one commit: after a crash reading goes on where the rows end. */
  addText(sessionId: string, messages: readonly IndexedMessage[], state: TextState): void {
    const id = this.#idOf(sessionId)
    if (id === undefined) return
    this.#database.transaction('normal', () => {
      for (const message of messages) this.#addMessage(id, message)
      this.#saveTextState(id, state)
    })
  }

  clearText(sessionId: string, state: TextState): void {
    const id = this.#idOf(sessionId)
    if (id === undefined) return
    this.#database.transaction('normal', () => {
      this.#deleteText(id)
      this.#saveTextState(id, state)
    })
  }

  remove(sessionIds: readonly string[]): void {
    this.#database.transaction('normal', () => {
      for (const sessionId of sessionIds) {
        const id = this.#idOf(sessionId)
        if (id === undefined) continue
        this.#deleteText(id)
        this.#database.run('DELETE FROM transcripts WHERE id = ?', id)
      }
    })
  }

  /** `match` is an expression of FTS5. Newest first; all words must match, so none is much better than another. */
  search(match: string, which: SearchedTranscripts): SearchHit[] {
    const [some, ids] = 'only' in which ? ['IN', which.only] : ['NOT IN', which.except]
    const rows = this.#database.all<Row>(
      `SELECT session_id, message_id, role, time, snippet(message_text, 0, '', '', '…', ${snippetWords}) AS snippet
       FROM message_text
       CROSS JOIN messages ON messages.time_id = message_text.rowid
       CROSS JOIN transcripts ON transcripts.id = messages.transcript_id
       WHERE message_text MATCH ? AND transcripts.shown = 1
         AND session_id ${some} (SELECT value FROM json_each(?))
       ORDER BY message_text.rowid DESC LIMIT ?`,
      match,
      JSON.stringify(ids),
      which.limit,
    )
    return rows.map((row) => ({
      sessionId: String(row.session_id),
      messageId: textOf(row.message_id),
      role: String(row.role),
      snippet: String(row.snippet).slice(0, snippetCharacters),
      time: textOf(row.time),
    }))
  }

  close(): void {
    this.#database.close()
  }

  #addMessage(transcriptId: number, { messageId, role, timeMs, isTimeKnown, text }: IndexedMessage): void {
    const time = isTimeKnown ? new Date(timeMs).toISOString() : null
    for (const spread of idSpreads) {
      const row = this.#database.get<{ time_id: number }>(
        `INSERT INTO messages (time_id, transcript_id, message_id, role, time, text) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING RETURNING time_id`,
        timeIdAt(timeMs) + Math.floor(Math.random() * spread),
        transcriptId,
        storable(messageId),
        role,
        time,
        storable(text),
      )
      if (!row) continue
      this.#database.run('INSERT INTO message_text (rowid, text) VALUES (?, ?)', row.time_id, storable(text))
      return
    }
  }

  #idOf(sessionId: string): number | undefined {
    return this.#database.get<{ id: number }>('SELECT id FROM transcripts WHERE session_id = ?', sessionId)
      ?.id
  }

  #deleteText(id: number): void {
    this.#database.run(
      `INSERT INTO message_text (message_text, rowid, text)
       SELECT 'delete', time_id, text FROM messages WHERE transcript_id = ?`,
      id,
    )
    this.#database.run('DELETE FROM messages WHERE transcript_id = ?', id)
  }

  #saveTextState(id: number, state: TextState): void {
    this.#database.run(
      `UPDATE transcripts SET text_position = ?, text_mark = ?, text_size = ?, text_mtime_ms = ?,
         message_count = ?, last_message_id = ? WHERE id = ?`,
      state.position,
      state.mark,
      state.size,
      state.mtimeMs,
      state.messageCount,
      state.lastMessageId === undefined ? null : storable(state.lastMessageId),
      id,
    )
  }
}

/** Ids grow with the time of messages, in whatever order those are indexed: the search goes by them. */
function timeIdAt(timeMs: number): number {
  return Math.min(Math.max(0, Math.floor(timeMs / 1000)), lastSecond) * idsPerSecond
}

function toTranscript(row: Row): IndexedTranscript {
  return {
    sessionId: String(row.session_id),
    path: String(row.path),
    size: Number(row.size),
    mtimeMs: Number(row.mtime_ms),
    headline:
      row.shown === 1
        ? {
            cwd: textOf(row.cwd),
            title: textOf(row.title),
            firstPrompt: textOf(row.first_prompt),
            model: textOf(row.model),
            branch: textOf(row.branch),
            createdMs: typeof row.created_ms === 'number' ? row.created_ms : undefined,
          }
        : undefined,
    text: {
      position: Number(row.text_position),
      mark: String(row.text_mark),
      size: Number(row.text_size),
      mtimeMs: Number(row.text_mtime_ms),
      messageCount: Number(row.message_count),
      lastMessageId: textOf(row.last_message_id),
    },
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
