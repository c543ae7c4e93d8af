/** The transcripts on this machine: lists from memory, pages from the end of a file, search and news from the index. */

import { mkdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { say } from '@dorkos/shared'
import { InvalidOptionsError, readSessionPage, type SessionPageMessage } from 'claude-code-agent'
import { AppError } from '../../core/app-error.ts'
import type { Logger } from '../../core/logger.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type {
  ResultFiles,
  TranscriptEntry,
  TranscriptPage,
  TranscriptReader,
} from '../../core/ports/transcripts.ts'
import { findTranscriptFile, isSessionId } from './find-transcript-file.ts'
import { type IndexNews, IndexThread } from './index-thread.ts'
import type { IndexProgress } from './protocol.ts'
import { createResultFiles } from './result-files.ts'
import { readSubagentTail } from './subagent-tail.ts'
import { TranscriptList } from './transcript-list.ts'

/** Longer lines come as stubs; a page goes through no more of the file than this. */
const maxLineBytes = 8 * 1024 * 1024
const maxPageBytes = 16 * 1024 * 1024

export interface TranscriptReaderSetup {
  /** The CLI's configuration folders (`~/.claude`), which hold `projects`. The first one's transcripts hide others of the same id. */
  configDirs: string[]
  /** The index's file. It can be deleted at any time that the server does not run. */
  indexPath: string
  logger: Logger
  clock: Clock
}

export interface FollowingReader extends TranscriptReader {
  readonly results: ResultFiles
  /** Another of the CLI's configuration folders is there. It may be reported twice. */
  follow(configDir: string): void
}

/**
 * The index's thread starts when something is first asked of it: a server that nobody uses does without. The first answer waits
 * for what the index knew from before; the rest follows in the background.
 */
export async function openTranscriptReader(setup: TranscriptReaderSetup): Promise<FollowingReader> {
  const configDirs = setup.configDirs.map((dir) => resolve(dir))
  const path = resolve(setup.indexPath)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const state = new ReaderState(setup.logger)
  const thread = new IndexThread({
    configDirs,
    path,
    logger: setup.logger,
    clock: setup.clock,
    onStart: () => state.threadStarted(),
    onNews: (news) => state.take(news),
  })
  let starting: Promise<void> | undefined
  const listed = async () => {
    starting ??= thread.start().catch((error: unknown) => {
      starting = undefined
      throw error
    })
    await starting
    return state.list
  }

  const pathOf = async (sessionId: string) =>
    state.list.get(sessionId)?.path ?? (await findTranscriptFile(configDirs, sessionId))?.path

  async function get(sessionId: string) {
    const known = (await listed()).get(sessionId)
    if (known || !isSessionId(sessionId)) return known
    // Without the thread there is no index for now; the files are still there, and a list is asked for again.
    return await thread.request('refresh', { sessionId }).catch(() => undefined)
  }

  return {
    results: createResultFiles(pathOf),
    async listSessions(cwd) {
      const known = await listed()
      if (cwd === undefined) return known.list({ limit: Number.POSITIVE_INFINITY })
      const directory = resolve(cwd)
      const real = await realpath(directory).catch(() => directory)
      return known.list({ cwds: [directory, real], limit: Number.POSITIVE_INFINITY })
    },
    list: async (filter) => (await listed()).list(filter),
    get,
    async getMany(sessionIds) {
      const known = await listed()
      const found = sessionIds.flatMap((sessionId) => known.get(sessionId) ?? [])
      return new Map(found.map((info) => [info.sessionId, info]))
    },
    page: async (sessionId, options) => readPage(await pathOf(sessionId), sessionId, options),
    async subagent(sessionId, agentId, limit) {
      const path = await pathOf(sessionId)
      return path === undefined ? [] : readSubagentTail(path, agentId, limit)
    },
    async search(text, which) {
      await listed()
      return thread.request('search', { text, which })
    },
    onChange: (listener) => state.onChange(listener),
    progress: () => ({ ...state.progress }),
    follow: (configDir) => thread.follow(resolve(configDir)),
    close: () => thread.close(),
  }
}

async function readPage(
  path: string | undefined,
  sessionId: string,
  { before, limit }: { before?: string; limit: number },
): Promise<TranscriptPage> {
  if (path === undefined) return { entries: [], before: undefined }
  try {
    const page = await readSessionPage(sessionId, {
      path,
      limit,
      maxLineBytes,
      maxBytes: maxPageBytes,
      ...(before !== undefined && { before }),
    })
    return { entries: page.messages.map(toEntry), before: page.before }
  } catch (error) {
    if (error instanceof InvalidOptionsError)
      throw new AppError('invalid_request', say('cursor_foreign'), {
        cause: error,
      })
    if (isMissing(error)) return { entries: [], before: undefined }
    throw error
  }
}

function toEntry({ entry, offset, bytes, type, uuid, timestamp }: SessionPageMessage): TranscriptEntry {
  return { offset, entry: entry ?? { type, uuid, timestamp, truncated: true, bytes } }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** What the thread has reported so far, and who wants to hear of changes. */
class ReaderState {
  readonly list = new TranscriptList()
  progress: IndexProgress = { transcripts: 0, indexed: 0 }
  readonly #logger: Logger
  readonly #listeners = new Set<(sessionId: string) => void>()
  /** Reported by the thread that runs now. */
  #reported = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  threadStarted(): void {
    this.#reported = new Set()
  }

  take(news: IndexNews): void {
    if ('known' in news) for (const info of news.known) this.#set(info)
    else if ('ready' in news) this.progress = news.ready
    else if ('scanned' in news) this.#prune()
    else {
      const { changed, removed, announce } = news.changes
      this.progress = news.progress
      for (const info of changed) this.#set(info)
      for (const sessionId of removed) this.list.delete(sessionId)
      if (announce) this.#announce([...changed.map(({ sessionId }) => sessionId), ...removed])
    }
  }

  onChange(listener: (sessionId: string) => void): () => void {
    // Two listeners may be the same function.
    const own = (sessionId: string) => listener(sessionId)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  #set(info: Parameters<TranscriptList['set']>[0]): void {
    this.#reported.add(info.sessionId)
    this.list.set(info)
  }

  /** After the thread was started again: what it did not find any more is gone. */
  #prune(): void {
    const gone = this.list.ids().filter((sessionId) => !this.#reported.has(sessionId))
    for (const sessionId of gone) this.list.delete(sessionId)
    this.#announce(gone)
  }

  #announce(sessionIds: string[]): void {
    for (const sessionId of sessionIds)
      for (const listener of [...this.#listeners]) {
        try {
          listener(sessionId)
        } catch (error) {
          this.#logger.error({ error, sessionId }, 'a listener for transcripts failed')
        }
      }
  }
}
