/** What the server is put together from. */
import type { Saying } from '@dorkos/shared'
import type { FoundContainerTools } from '../adapters/container/find-container-tools.ts'
import type { FollowingReader } from '../adapters/transcripts/transcript-reader.ts'
import type { LiveConfig } from '../config/config-service.ts'
import type { Logger } from '../core/logger.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Coordination } from '../core/ports/coordination.ts'
import type { EventBus } from '../core/ports/event-bus.ts'
import type { OwnerSignals } from '../core/ports/owner-signals.ts'
import type { Records } from '../core/ports/records.ts'
import type { ModelSource } from '../credentials/find-model-source.ts'

/** What servers that work together share; each may lie in another engine. */
export interface SharedStores {
  coordination: Coordination
  records: Records
  bus: EventBus
  signals: OwnerSignals
}

export interface ComposeInput {
  env: Readonly<Record<string, string | undefined>>
  home: string
  /** Where the configuration and the owner's own tools are: the state folder, or one that this server shares with others. */
  settingsFolder: string
  config: LiveConfig
  store: SharedStores
  /** Names this server over its restarts, among those that share its stores. */
  node: string
  /** How long a server that does not answer is waited for; default: 15 s. */
  leaseMs?: number
  transcripts: FollowingReader
  clock: Clock
  logger: Logger
  version: string
  modelSource: ModelSource
  cli: { path: string; version: string | undefined }
  sandbox: { enabled: boolean; reason: Saying | undefined }
  containerTools: FoundContainerTools
  defaultCwd: string
  /** Where the server listens; known once it does. */
  address: () => { host: string; port: number }
}

/** No agent may read or write in these. */
export function closedFolders({
  home,
  settingsFolder,
}: Pick<ComposeInput, 'home' | 'settingsFolder'>): string[] {
  return [...new Set([home, settingsFolder])]
}
