/** What the CLI's own files say about a session: its transcript, and which CLI works on it now. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readSessionPage } from 'claude-code-agent'
import { findTranscriptFile, isSessionId } from '../transcripts/find-transcript-file.ts'
import { findMessageIds } from './find-message-ids.ts'
import { runningClis } from './running-clis.ts'

/** Older CLIs do not say that they run: one that wrote within this time does. */
const freshMs = 10_000

export class TranscriptFacts {
  readonly #configDir: string

  constructor(configDir: string) {
    this.#configDir = configDir
  }

  /** Whether there is a conversation to resume. A file without one, as a crash can leave it, is none to the CLI either. */
  async exists(cliSessionId: string): Promise<boolean> {
    const path = await this.#path(cliSessionId)
    if (path === undefined) return false
    const page = await readSessionPage(cliSessionId, { path, limit: 1 }).catch(() => undefined)
    return page !== undefined && page.messages.length > 0
  }

  /** Whether the CLI refuses to begin a session under this id: there is a file, even one without a conversation. */
  async isTaken(cliSessionId: string): Promise<boolean> {
    return (await this.#path(cliSessionId)) !== undefined
  }

  /** Those of the ids under which a person's message is in the transcript. */
  async recorded(cliSessionId: string, messageIds: readonly string[]): Promise<Set<string>> {
    const path = await this.#path(cliSessionId)
    return path === undefined ? new Set() : await findMessageIds(path, messageIds)
  }

  /** Whether a CLI that is none of ours works on the session. */
  async inUseElsewhere(cliSessionId: string, ownPids: readonly number[]): Promise<boolean> {
    if (!isSessionId(cliSessionId)) return false
    const clis = await runningClis(join(this.#configDir, 'sessions'))
    if (clis === undefined) return await this.#isFresh(cliSessionId)
    for (const { pid, sessionId, state } of clis) {
      if (sessionId !== cliSessionId || (pid !== undefined && ownPids.includes(pid))) continue
      if (state === 'running') return true
      if (state === 'unknown' && (await this.#isFresh(cliSessionId))) return true
    }
    return false
  }

  async #isFresh(cliSessionId: string): Promise<boolean> {
    const path = await this.#path(cliSessionId)
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
    return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < freshMs
  }

  async #path(cliSessionId: string): Promise<string | undefined> {
    return (await findTranscriptFile([this.#configDir], cliSessionId))?.path
  }
}
