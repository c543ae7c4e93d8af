import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolderName } from '../src/transcripts/project-folder.ts'

export type Entry = Record<string, unknown>

/** Entries named by short keys, in the shapes that the CLI writes. */
export class EntryMaker {
  readonly #ids = new Map<string, string>()
  #clock = Date.parse('2026-01-01T00:00:00.000Z')

  id(key: string): string {
    const known = this.#ids.get(key) ?? randomUUID()
    this.#ids.set(key, known)
    return known
  }

  key(uuid: string): string {
    for (const [key, id] of this.#ids) if (id === uuid) return key
    return '?'
  }

  entry(type: string, key: string, parent: string | null, more: Entry = {}): Entry {
    this.#clock += 1000
    return {
      parentUuid: parent === null ? null : this.id(parent),
      isSidechain: false,
      type,
      uuid: this.id(key),
      timestamp: new Date(this.#clock).toISOString(),
      cwd: '/p',
      gitBranch: 'main',
      ...more,
    }
  }

  user(key: string, parent: string | null = null, more: Entry = {}): Entry {
    return this.entry('user', key, parent, { message: { role: 'user', content: key }, ...more })
  }

  assistant(key: string, parent: string | null, more: Entry = {}): Entry {
    const message = { role: 'assistant', id: `msg_${key}`, content: [{ type: 'text', text: key }] }
    return this.entry('assistant', key, parent, { message, ...more })
  }

  toolUse(key: string, parent: string, messageId: string, call: string): Entry {
    const content = [{ type: 'tool_use', id: call, name: 'Tool', input: {} }]
    return this.entry('assistant', key, parent, { message: { role: 'assistant', id: messageId, content } })
  }

  toolResult(key: string, parent: string, call: string): Entry {
    const content = [{ type: 'tool_result', tool_use_id: call, content: 'done' }]
    return this.entry('user', key, parent, { message: { role: 'user', content } })
  }
}

/** A configuration folder with transcripts in it, in a temporary place. */
export class TranscriptFolder implements AsyncDisposable {
  readonly configDir: string

  private constructor(configDir: string) {
    this.configDir = configDir
  }

  static async create(): Promise<TranscriptFolder> {
    return new TranscriptFolder(await realpath(await mkdtemp(join(tmpdir(), 'transcripts-'))))
  }

  folder(directory = '/p'): string {
    return join(this.configDir, 'projects', projectFolderName(directory))
  }

  path(sessionId: string, directory?: string): string {
    return join(this.folder(directory), `${sessionId}.jsonl`)
  }

  /** Writes a transcript out of entries or raw text, and returns its session's id. */
  async add(
    content: readonly Entry[] | string | Buffer,
    { directory, modified }: { directory?: string; modified?: number } = {},
  ): Promise<string> {
    const sessionId = randomUUID()
    await mkdir(this.folder(directory), { recursive: true })
    const text = Array.isArray(content)
      ? content.map((entry) => `${JSON.stringify({ ...entry, sessionId })}\n`).join('')
      : (content as string | Buffer)
    await writeFile(this.path(sessionId, directory), text)
    if (modified !== undefined) await utimes(this.path(sessionId, directory), modified, modified)
    return sessionId
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.configDir, { recursive: true, force: true })
  }
}
