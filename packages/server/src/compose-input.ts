/** What the server is put together from. */
import type { FoundContainerTools } from './adapters/container/find-container-tools.ts'
import type { SqliteStore } from './adapters/sqlite/open-sqlite-store.ts'
import type { FollowingReader } from './adapters/transcripts/transcript-reader.ts'
import type { LiveConfig } from './config/config-service.ts'
import type { Logger } from './core/logger.ts'
import type { Clock } from './core/ports/clock.ts'
import type { ModelSource } from './credentials/find-model-source.ts'

export interface ComposeInput {
  env: Readonly<Record<string, string | undefined>>
  home: string
  config: LiveConfig
  store: SqliteStore
  transcripts: FollowingReader
  clock: Clock
  logger: Logger
  version: string
  modelSource: ModelSource
  cli: { path: string; version: string | undefined }
  sandbox: { enabled: boolean; reason: string | undefined }
  containerTools: FoundContainerTools
  defaultCwd: string
  /** Where the server listens; known once it does. */
  address: () => { host: string; port: number }
}
