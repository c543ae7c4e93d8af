/** What the server is put together from. */
import type { SqliteStore } from './adapters/sqlite/open-sqlite-store.ts'
import type { LiveConfig } from './config/config-service.ts'
import type { Logger } from './core/logger.ts'
import type { Clock } from './core/ports/clock.ts'
import type { TranscriptReader } from './core/ports/transcripts.ts'
import type { ModelSource } from './credentials/find-model-source.ts'

export interface ComposeInput {
  env: Readonly<Record<string, string | undefined>>
  home: string
  config: LiveConfig
  store: SqliteStore
  transcripts: TranscriptReader
  clock: Clock
  logger: Logger
  version: string
  modelSource: ModelSource
  cli: { path: string; version: string | undefined }
  sandbox: { enabled: boolean; reason: string | undefined }
  defaultCwd: string
  /** Where the server listens; known once it does. */
  address: () => { host: string; port: number }
}
