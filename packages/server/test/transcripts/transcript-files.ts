/** A configuration folder with transcripts of our making in it, and readers over it. */
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { openTranscriptReader } from '../../src/adapters/transcripts/transcript-reader.ts'
import type { TranscriptReader } from '../../src/core/ports/transcripts.ts'

export type Line = Record<string, unknown>

export interface Logged {
  level: string
  message: string
  fields: object
}

export class TranscriptFiles implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-transcripts-')))
  readonly configDir = join(this.root, 'claude')
  readonly indexPath = join(this.root, 'state', 'index.db')
  readonly logged: Logged[] = []
  readonly #readers: TranscriptReader[] = []

  path(sessionId: string, project = 'p'): string {
    return join(this.configDir, 'projects', `-${project}`, `${sessionId}.jsonl`)
  }

  /** Writes a transcript; `text` is put into its file as it is. */
  add(
    text: string,
    {
      sessionId = randomUUID(),
      project = 'p',
      time,
    }: { sessionId?: string; project?: string; time?: string } = {},
  ): string {
    mkdirSync(join(this.configDir, 'projects', `-${project}`), { recursive: true })
    const path = this.path(sessionId, project)
    writeFileSync(path, text)
    if (time !== undefined) utimesSync(path, new Date(time), new Date(time))
    return sessionId
  }

  append(sessionId: string, text: string): void {
    appendFileSync(this.path(sessionId), text)
  }

  async open(): Promise<TranscriptReader> {
    const log = (level: string) => (fields: object, message: string) =>
      void this.logged.push({ level, fields, message })
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
    const { configDir, indexPath } = this
    const reader = await openTranscriptReader({
      configDirs: [configDir],
      indexPath,
      logger,
      clock: systemClock,
    })
    this.#readers.push(reader)
    return reader
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.#readers) await reader.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

let clock = Date.parse('2026-01-01T00:00:00.000Z')

/** One line as the CLI writes it. */
export function said(role: 'user' | 'assistant', text: string, more: Line = {}): string {
  clock += 1000
  const message =
    role === 'user'
      ? { role, content: text }
      : { role, id: `msg_${randomUUID()}`, model: 'claude-test-1', content: [{ type: 'text', text }] }
  const entry = {
    parentUuid: null,
    isSidechain: false,
    type: role,
    message,
    uuid: randomUUID(),
    timestamp: new Date(clock).toISOString(),
    cwd: '/p',
    gitBranch: 'main',
    ...more,
  }
  return `${JSON.stringify(entry)}\n`
}

/** Resolves when everything is read and searchable. */
export async function indexed(reader: TranscriptReader): Promise<void> {
  await eventually(async () => (await reader.search('anything', { limit: 1, except: [] })).complete)
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('not yet')
    },
    { timeout: 50_000, interval: 20 },
  )
}
