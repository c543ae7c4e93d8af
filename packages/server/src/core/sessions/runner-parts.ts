/** What a runner needs of the server around it. */
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import type { Agent, AgentSpec } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Coordination, LeaseGrant } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { PermissionHandlers, ProcessCosts, ProcessMcp } from './session-host.ts'
import type { SessionRunner } from './session-runner.ts'

export interface RunnerParts {
  agent: Agent
  coordination: Coordination
  clock: Clock
  logger: Logger
  costs(runner: SessionRunner): ProcessCosts
  /** The hooks of a process that is about to start. */
  hooks(record: SessionRecord): Promise<SessionHooks>
  permissions(runner: SessionRunner, hooks: SessionHooks): Promise<PermissionHandlers>
  /** What the CLI is started with but for MCP servers, made anew each time. */
  spec(record: SessionRecord, hooks: SessionHooks): Promise<Omit<AgentSpec, 'mcpServers'>>
  /** Before each message and after each turn: whether the place is still as it was. May ask for a restart. */
  lookAtPlace(record: SessionRecord): Promise<void>
  mcp(runner: SessionRunner): ProcessMcp
  /** The MCP servers that every session gets. */
  injected(): Record<string, unknown>
  /** Waits for a free place among the live processes; the returned function gives it back. Rejects when the signal says so. */
  takePlace(runner: SessionRunner, signal: AbortSignal): Promise<() => void>
  /** Gives the lease back. */
  release(grant: LeaseGrant): Promise<void>
  change(id: string, change: Partial<SessionRecord>): Promise<SessionRecord | undefined>
  /** Something that a list of sessions shows has changed. */
  changed(sessionId: string): void
  /** The session turned out to belong to another process. */
  lost(runner: SessionRunner): void
}
