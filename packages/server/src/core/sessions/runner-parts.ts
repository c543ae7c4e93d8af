/** What runs sessions: what it needs of the server around it, and who decides which sessions it runs. */
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import type { Agent, AgentSpec } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Coordination } from '../ports/coordination.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'
import type { PermissionHandlers, ProcessCosts, ProcessMcp } from './process-session.ts'
import type { SessionRunner } from './session-runner.ts'

export interface RunnerParts {
  agent: Agent
  coordination: Coordination
  sessions: SessionStore
  clock: Clock
  logger: Logger
  costs(runner: SessionRunner): ProcessCosts
  /** The hooks of a process that is about to start. */
  hooks(record: SessionRecord): Promise<SessionHooks>
  permissions(runner: SessionRunner, hooks: SessionHooks): Promise<PermissionHandlers>
  /** What the CLI is started with but for MCP servers, made anew each time. */
  spec(record: SessionRecord, hooks: SessionHooks): Promise<Omit<AgentSpec, 'mcpServers'>>
  /** Before each message and after each turn: whether the session's workspace is still as it was. May ask for a restart. */
  checkWorkspace(record: SessionRecord): Promise<void>
  /** The MCP servers of a session's process, besides those that every session gets. */
  mcp(runner: SessionRunner): ProcessMcp
}

/** Of all sessions that this server runs. */
export interface RunnerOwner {
  /** The MCP servers that every session gets. */
  injected(): Record<string, unknown>
  /** Waits until one more process may live; the returned function ends that. Rejects when the signal says so. */
  acquireProcess(runner: SessionRunner, signal: AbortSignal): Promise<() => void>
  /** One more process may live, and nobody waits for that. */
  hasRoom(): boolean
  /** Gives the lease back. */
  release(runner: SessionRunner): Promise<void>
  /** Something that a list of sessions shows has changed. */
  changed(sessionId: string): void
  /** The session turned out to belong to another server. */
  lost(runner: SessionRunner): void
}
