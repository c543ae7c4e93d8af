/** What the injected tools need of the server: small interfaces that its services fit as they are. */
import type { CostTotal, Session } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { Visibility } from './visibility.ts'

export interface McpToolDeps {
  transcriptReader: { listSessions(cwd: string): Promise<readonly unknown[]> }
  /** The directory of the main workspace. */
  defaultCwd: string
  /** Of a server that runs. Without it there are the tools that need no more than the two above. */
  server?: ServerToolDeps
}

export interface ServerToolDeps {
  sessions: ToolSessions
  config: ToolConfig
  costs: ToolCosts
  /** Keeps a message for the next commit of a session. */
  proposeCommit(sessionId: string, message: string): Promise<void>
  /** What the session that calls may know. */
  visibilityOf(sessionId: string): Promise<Visibility>
  /** The port that is bound and the version that runs; undefined as long as they are not known. */
  serverInfo(): { port: number | undefined; version: string | undefined }
  /** Wall time in milliseconds. Default: Date.now. */
  now?: () => number
}

export interface ToolSessions {
  list(
    actor: Actor,
    query: { limit: number; live?: boolean; archived?: boolean; workspace_id?: string },
  ): Promise<{ sessions: Session[] }>
  /** Rejects for one that is not there. */
  get(actor: Actor, id: string): Promise<Session>
}

export interface ToolConfigKey {
  key: string
  value: unknown
  writable: boolean
  description: string
  expects: string
}

export interface ToolConfig {
  /** Only the keys that agents may see. */
  agentKeys(actor: Actor): ToolConfigKey[]
  /** Rejects for a key that agents may not change, and for a value that does not fit. */
  changeFromAgent(actor: Actor, key: string, value: unknown): Promise<ToolConfigKey>
}

export type CostGroup = 'day' | 'workspace' | 'model' | 'session'

export interface ToolCosts {
  report(
    actor: Actor,
    query: { group: CostGroup; from?: string },
  ): Promise<{ totals: CostTotal[]; total: Omit<CostTotal, 'key'> }>
}
