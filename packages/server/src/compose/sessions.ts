/** What sessions are made of: the agent behind them, what people do with them, and what the permission gateway is given of each. */
import type { Config } from '@dorkos/shared'
import { deleteSession, renameSession } from 'claude-code-agent'
import { createClaudeAgent } from '../adapters/claude/agent.ts'
import { createTranscriptFolders } from '../adapters/claude/transcript-folders.ts'
import type { Containers } from '../adapters/container/containers.ts'
import { ownerPrincipal, serverActor } from '../core/actor.ts'
import type { Costs } from '../core/costs/costs.ts'
import type { SessionHooks } from '../core/hooks/session-hooks.ts'
import type { Logger } from '../core/logger.ts'
import type { Mcp } from '../core/mcp/mcp.ts'
import { SessionOutputs } from '../core/outputs/session-outputs.ts'
import type { Audit } from '../core/permissions/audit.ts'
import type { PermissionGateway } from '../core/permissions/permission-gateway.ts'
import type { SessionContext } from '../core/permissions/session-permissions.ts'
import type { Agent, ContainerSpec } from '../core/ports/agent.ts'
import type { SessionRecord, SessionStore } from '../core/ports/records.ts'
import { profileRules } from '../core/profiles/apply-profile.ts'
import type { Profiles } from '../core/profiles/profile-service.ts'
import type { AgentManager } from '../core/sessions/agent-manager.ts'
import type { ChangeNotifier } from '../core/sessions/change-notifier.ts'
import type { ProcessSources } from '../core/sessions/process-session.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import { SessionHistory } from '../core/sessions/session-history.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import { Sessions } from '../core/sessions/session-service.ts'
import { Spares } from '../core/sessions/spares.ts'
import { type Visibility, visibilityOf } from '../core/tools/visibility.ts'
import type { ProcessTrust } from '../core/trust/process-trust.ts'
import type { TrustKeeper } from '../core/trust/workspace-trust.ts'
import type { Workspaces } from '../core/workspaces.ts'
import type { ChangeParts } from './changes.ts'
import type { ComposeInput } from './compose-input.ts'
import { type ContainerSources, claimContainer } from './containers.ts'
import type { HookParts } from './hooks.ts'
import { cliConfigDir } from './launch.ts'

export function openAgent(
  input: ComposeInput,
  containers: Containers,
  { sessionOf, onCommands }: { sessionOf(cliId: string): string; onCommands(commands: unknown[]): void },
) {
  const { cli, logger, store } = input
  const configDirOf = createTranscriptFolders({
    configDir: cliConfigDir(input),
    containerOf: async (cliId) => {
      const record = await store.records.sessions.get(sessionOf(cliId))
      return containers.configDirOf(record?.workspaceId)
    },
  })
  const contain = (spec: ContainerSpec) => containers.wrap(spec)
  return {
    agent: createClaudeAgent({ cliPath: cli.path, logger, configDirOf, contain, onCommands }),
    configDirOf,
  }
}

export function openSpares(
  { config, clock, logger }: ComposeInput,
  manager: AgentManager,
  hooks: Pick<HookParts, 'open'>,
): Spares {
  const most = () => config.current().sessions.spareProcesses
  return new Spares({ manager, clock, logger, most, hooks: hooks.open })
}

export function processLimits({ sessions }: Config): {
  maxLive: number
  maxMemoryMb: number
  idleMs: number
} {
  return {
    maxLive: sessions.maxLive,
    maxMemoryMb: sessions.maxMemoryMb,
    idleMs: sessions.idleMinutes * 60_000,
  }
}

const firstVisitMs = 10 * 60_000

/** Somebody opens the page soon after a start, most likely. */
export function readyForFirstVisit(sessions: Sessions, logger: Logger): void {
  sessions
    .prepareNew(serverActor(ownerPrincipal, ['chat']), { unattended: false }, firstVisitMs)
    .catch((error: unknown) => logger.warn({ err: error }, 'no process is ready for the main workspace'))
}

export interface SessionsParts extends ContainerSources {
  manager: AgentManager
  spares: Spares
  directory: SessionDirectory
  workspaces: Workspaces
  agent: Agent
  audit: Audit
  costs: Costs
  configDirOf: ReturnType<typeof createTranscriptFolders>
  notifier: ChangeNotifier
  changes: ChangeParts
  profiles: Profiles
}

export function createSessions(input: ComposeInput, parts: SessionsParts): Sessions {
  const { manager, spares, directory, workspaces, agent, audit, configDirOf, notifier, costs } = parts
  const { transcripts } = input
  const { coordination, records } = input.store
  const { clock } = input
  const folderOf = async (id: string) => ({ configDir: (await configDirOf(id)).configDir })
  return new Sessions({
    manager,
    spares,
    directory,
    transcripts,
    coordination,
    costs,
    clock,
    sessions: records.sessions,
    history: new SessionHistory({
      transcripts,
      coordination,
      directory,
      ledger: records.ledger,
      sessions: records.sessions,
    }),
    outputs: new SessionOutputs({
      results: transcripts.results,
      directory,
      sessions: records.sessions,
      turns: coordination.turns,
    }),
    resolveCwd: async (workspaceId, cwd) => {
      const resolved = await workspaces.resolveCwd(workspaceId, cwd)
      await claimContainer(resolved.workspace, parts)
      return { workspaceId: resolved.workspace?.id, cwd: resolved.cwd }
    },
    defaults: () => input.config.current().sessions,
    demo: () => input.modelSource.kind === 'demo',
    inUseElsewhere: (id) => agent.inUseElsewhere(id),
    profiles: parts.profiles,
    async deleteTranscripts(ids) {
      for (const id of ids) if (await agent.isTaken(id)) await deleteSession(id, await folderOf(id))
    },
    renameTranscript: async (id, title) => renameSession(id, title, await folderOf(id)),
    audit: (actor, action, sessionId, detail) => audit.record(actor, action, detail, sessionId),
    changed: notifier.changed,
    deleted: notifier.deleted,
    forgetChanges: (record) => parts.changes.keeper.drop(record.id, record.cwd),
  })
}

/** What the session behind a call of an injected tool may know. */
export function createVisibilityOf(
  { directory, workspaces }: { directory: SessionDirectory; workspaces: Workspaces },
  sessions: Pick<SessionStore, 'get'>,
) {
  return async (cliSessionId: string): Promise<Visibility> => {
    const sessionId = directory.cliSessions.sessionOf(cliSessionId)
    const record = await sessions.get(sessionId)
    const workspace = record?.workspaceId && (await workspaces.get(record.workspaceId).catch(() => undefined))
    return visibilityOf(sessionId, record, workspace || undefined)
  }
}

/** What the processes of a session are given. */
export function processSources(
  runner: SessionRunner,
  parts: Pick<ProcessSources, 'costs' | 'spec' | 'changes'> & {
    hooks: HookParts
    permissions: PermissionGateway
    workspaces: Workspaces
    trust: TrustKeeper
    processTrust: ProcessTrust
    mcp: Mcp
  },
): ProcessSources {
  const { costs, changes, hooks, permissions, workspaces, trust, processTrust, mcp } = parts
  const checked = async ({ workspaceId }: SessionRecord) =>
    workspaceId === undefined ? undefined : trust.check(workspaceId)
  return {
    costs,
    changes,
    async spec(record, sessionHooks) {
      processTrust.starts(runner, await checked(record))
      return parts.spec(record, sessionHooks)
    },
    hooks: hooks.open,
    permissions: async (sessionHooks) =>
      permissions.openFor(await permissionContext(runner, workspaces, sessionHooks)),
    mcp: () => mcp.forProcess(runner),
    async checkWorkspace() {
      await Promise.all([
        checked(runner.record).then((now) => processTrust.compare(runner, now)),
        runner.isReserved ? undefined : hooks.checkOutdated(runner),
      ])
    },
  }
}

async function permissionContext(
  runner: SessionRunner,
  workspaces: Workspaces,
  hooks: SessionHooks,
): Promise<SessionContext> {
  const { workspaceId, cwd, principal } = runner.record
  const workspace =
    workspaceId === undefined ? undefined : await workspaces.get(workspaceId).catch(() => undefined)
  return {
    sessionId: runner.id,
    epoch: runner.grant.epoch,
    cwd,
    principal,
    workspace: workspace && { id: workspace.id, name: workspace.name, path: workspace.path },
    unattended: () => runner.record.unattended,
    profileRules: profileRules(runner.record),
    folderConfirmed: () => runner.record.folderConfirmed,
    turnId: () => runner.runningTurnId,
    permissionMode: () => runner.record.permissionMode,
    hooks,
    emit: (event) => runner.publish(event),
  }
}
