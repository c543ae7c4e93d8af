/** Puts the server together. Its larger parts are wired in the files beside it. */
import { randomUUID } from 'node:crypto'
import type { Saying, ServerEvent, ServerSnapshot } from '@dorkos/shared'
import { createDorkOsToolServer } from '../adapters/claude/dorkos-tool-server.ts'
import type { Containers } from '../adapters/container/containers.ts'
import { processMemoryMb } from '../adapters/system/process-memory.ts'
import type { Actor } from '../core/actor.ts'
import { auditedAuth, auditedConfig } from '../core/audited-services.ts'
import { type Auth, createAuth } from '../core/auth.ts'
import { BuiltInCommands } from '../core/commands/built-in-commands.ts'
import { Costs } from '../core/costs/costs.ts'
import { createDrafts } from '../core/drafts.ts'
import { createEventHub } from '../core/events/event-hub.ts'
import { EventPipeline } from '../core/events/event-pipeline.ts'
import { resolvedEvent } from '../core/permissions/approval-events.ts'
import { type Audit, createAudit } from '../core/permissions/audit.ts'
import { createPermissionGateway, type PermissionGateway } from '../core/permissions/permission-gateway.ts'
import { createRules, type Rules } from '../core/permissions/rules.ts'
import type { Agent } from '../core/ports/agent.ts'
import { isoTime } from '../core/ports/clock.ts'
import type { ApprovalStore, EventLog, LeaseOwner } from '../core/ports/coordination.ts'
import { isInside } from '../core/real-path.ts'
import type { Services } from '../core/services.ts'
import { AgentManager, defaultLeaseMs } from '../core/sessions/agent-manager.ts'
import { agentSpec } from '../core/sessions/agent-spec.ts'
import { atOwner } from '../core/sessions/at-owner.ts'
import { createChangeNotifier } from '../core/sessions/change-notifier.ts'
import { processCosts } from '../core/sessions/process-costs.ts'
import { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { SessionRunner } from '../core/sessions/session-runner.ts'
import type { SignInWithoutTerminal } from '../core/sign-in-without-terminal.ts'
import { createStatus, type StatusParts } from '../core/status.ts'
import { dorkosServerName } from '../core/tools/tool-definitions.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { changeService, createProposals, openChanges, processChanges } from './changes.ts'
import { commandService } from './commands.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { openContainers } from './containers.ts'
import { openFiles } from './files.ts'
import { hookService, openHooks } from './hooks.ts'
import { specParts } from './launch.ts'
import { mcpService, openMcp } from './mcp.ts'
import { openGateway } from './model-gateway.ts'
import { openProfiles } from './profiles.ts'
import {
  createSessions,
  createVisibilityOf,
  openAgent,
  openSpares,
  processLimits,
  processSources,
  readyForFirstVisit,
} from './sessions.ts'
import { agentsHaveActed, openSignIn } from './sign-in.ts'
import { createStatusParts } from './status.ts'
import { openTrust } from './trust.ts'
import { watchChanges } from './watch-changes.ts'
import { openWorkspaces, workspaceService } from './workspaces.ts'

export interface Composed {
  services: Services
  auth: Auth
  signIn: SignInWithoutTerminal
  manager: AgentManager
  events: EventLog
  statusParts: StatusParts
  /** Repairs what an earlier run left; runs what was accepted and never sent. */
  start(): Promise<void>
  /** Gives running turns `graceMs`, then ends every process and everything else. */
  close(graceMs: number): Promise<void>
}

export async function compose(input: ComposeInput): Promise<Composed> {
  const { store, clock, logger } = input
  const { coordination, records } = store
  const parts = await openParts(input)
  const { hub, auth, transcripts, directory, manager, gateway } = parts
  const statusParts = createStatusParts(input, parts)
  const sessions = createSessions(input, parts)
  const config = auditedConfig(input.config, parts.audit)
  const local = localServices(input, parts, { sessions, config, status: createStatus(statusParts) })
  const { services, close: stopAnswering } = await atOwner(local, {
    owner: parts.owner,
    leases: coordination.leases,
    approvals: coordination.approvals,
    signals: store.signals,
    owns: (id) => manager.peek(id) !== undefined,
  })
  const tools = createDorkOsToolServer({
    transcriptReader: transcripts,
    defaultCwd: input.defaultCwd,
    server: {
      sessions: services.sessions,
      config,
      costs: services.costs,
      proposeCommit: createProposals(input, manager),
      visibilityOf: createVisibilityOf(parts, input.store.records.sessions),
      serverInfo: () => ({ port: input.address().port || undefined, version: input.version }),
      now: () => clock.now(),
    },
  })
  const stopWatching = watchChanges(input, parts)
  return {
    services,
    auth,
    signIn: openSignIn(input, parts),
    manager,
    events: coordination.events,
    statusParts,
    async start() {
      await hub.ready
      await directory.cliSessions.load()
      await parts.mcp.mcp.start()
      await manager.setMcpServers({ [dorkosServerName]: tools })
      await manager.start()
      readyForFirstVisit(sessions, logger)
      trimEvents(input, coordination.events)
    },
    async close(graceMs) {
      for (const stop of stopWatching) stop()
      await manager.stop(graceMs)
      stopAnswering()
      await parts.mcp.mcp.close()
      await gateway?.close()
      await transcripts.close()
      auth.close()
      await records.setValue('stopped_at', isoTime(clock.now()))
      hub.close()
      logger.info({}, 'stopped')
    },
  }
}

/** What this process does itself, for sessions that are its own. */
function localServices(
  input: ComposeInput,
  parts: Awaited<ReturnType<typeof openParts>>,
  made: Pick<Services, 'sessions' | 'config' | 'status'>,
): Services {
  const { store, clock } = input
  const { hub, auth, audit, rules, costs, permissions, workspaces } = parts
  return {
    ...made,
    drafts: createDrafts({
      store: store.records.drafts,
      clock,
      publish: store.bus.publishServer.bind(store.bus),
      sessions: made.sessions,
    }),
    approvals: permissions.approvals,
    rules,
    audit,
    costs: costs.service,
    workspaces: workspaceService(input, workspaces, audit),
    profiles: parts.profiles,
    hooks: hookService(input, parts.hooks, parts),
    commands: parts.commands,
    files: openFiles(input, parts),
    changes: changeService(input, parts),
    mcp: mcpService(input, parts.mcp, parts),
    auth,
    hub,
  }
}

interface Faults {
  /** Why the disk does not take events. */
  storage: Saying | undefined
}

async function openParts(input: ComposeInput) {
  const { store, transcripts, clock, logger } = input
  const { coordination, records, bus } = store
  const config = () => input.config.current()
  const faults: Faults = { storage: undefined }
  const owner: LeaseOwner = `${input.node}/${randomUUID()}`
  // The hub's snapshot and the manager need the directory, which needs both: they ask for it only later.
  const hub = createEventHub(bus, (actor) => serverSnapshot(actor, coordination.approvals, directory))
  const publishServer = bus.publishServer.bind(bus)
  const publish = (event: ServerEvent) => publishServer(event, null)
  const audit = createAudit({ log: records.audit, clock })
  const rules = createRules({ store: records.rules, audit, clock, config, publish: publishServer })
  const auth = auditedAuth(openAuth(input), audit)
  const containers = openContainers(input)
  const { trust, processTrust } = await openTrust(input, { audit, publish, runners: () => manager.runners() })
  const workspaces = await openWorkspaces(input, publish, containers, trust)
  const hooks = await openHooks(input, containers, workspaces)
  const mcp = await openMcp(input, { workspaces, hooks, publish })
  const { ledger, sessions } = records
  const { leases, runningCosts } = coordination
  const costs = new Costs({ ledger, leases, owner, runningCosts, sessions, config, clock, logger })
  const permissions = openPermissions(input, { rules, audit })
  const builtIn = new BuiltInCommands()
  const commands = commandService(input, { workspaces, hooks, builtIn })
  const profiles = openProfiles(input, { workspaces, audit, mcp: mcp.mcp, commands })
  const changes = openChanges(input, containers)
  const { agent, configDirOf } = openAgent(input, containers, {
    sessionOf: (cliId) => directory.cliSessions.sessionOf(cliId),
    onCommands: (commands) => builtIn.learn(commands),
  })
  const gateway = await openGateway(input, costs, (id) => manager.peek(id))
  const notifier = createChangeNotifier({ clock, publish: publishServer, sessions: () => directory })
  const specs = specParts(input, { workspaces, gateway, agent, containers, configDirOf })
  const ground = { coordination, sessions: records.sessions, agent, clock, logger, owner }
  const manager: AgentManager = new AgentManager({
    ...ground,
    pipeline: createPipeline(input, faults),
    leaseMs: input.leaseMs ?? defaultLeaseMs,
    limits: () => processLimits(config()),
    memoryOf: processMemoryMb,
    sourcesOf: (runner) =>
      processSources(runner, {
        hooks,
        permissions,
        workspaces,
        trust,
        processTrust,
        mcp: mcp.mcp,
        costs: () => processCosts(costs, runner, gateway),
        changes: () => processChanges(changes.keeper, runner),
        spec(record, sessionHooks) {
          if (manager.peek(record.id)) directory.cliSessions.note(record)
          return agentSpec(specs, record, sessionHooks)
        },
      }),
    voidApprovals: (runner, reason) => voidApprovals(permissions, runner, reason),
    changed: notifier.changed,
  })
  const directory = openDirectory(input, { manager, workspaces, agent, containers })
  return {
    owner,
    hub,
    notifier,
    faults,
    audit,
    rules,
    auth,
    workspaces,
    costs,
    permissions,
    transcripts,
    agent,
    gateway,
    mcp,
    manager,
    spares: openSpares(input, manager, hooks),
    directory,
    containers,
    hooks,
    commands,
    profiles,
    configDirOf,
    files: changes.files,
    changes,
  }
}

function openPermissions(input: ComposeInput, parts: { rules: Rules; audit: Audit }) {
  const { store, clock, logger } = input
  return createPermissionGateway({
    ...parts,
    approvals: store.coordination.approvals,
    clock,
    config: () => input.config.current(),
    publish: store.bus.publishServer.bind(store.bus),
    logger,
    protectedFolders: closedFolders(input),
  })
}

/** What an earlier owner of the session left open. */
async function voidApprovals(permissions: PermissionGateway, runner: SessionRunner, reason: Saying) {
  for (const approval of await permissions.voidOpen(runner.id, runner.grant.epoch, reason))
    runner.events.emit(resolvedEvent(approval))
}

/** What of the server's topic a page needs that knows nothing of it. */
async function serverSnapshot(
  actor: Actor,
  approvals: ApprovalStore,
  directory: SessionDirectory,
): Promise<ServerSnapshot> {
  return {
    approvals: await approvals.list({ principal: actor.principal, state: 'pending', limit: 500 }),
    sessions: (await directory.list(actor, { limit: 50 })).sessions,
  }
}

function openDirectory(
  { store, transcripts }: ComposeInput,
  parts: { manager: AgentManager; workspaces: Workspaces; agent: Agent; containers: Containers },
): SessionDirectory {
  const { coordination, records } = store
  const { manager, workspaces, agent, containers } = parts
  return new SessionDirectory({
    sessions: records.sessions,
    transcripts,
    approvals: coordination.approvals,
    turns: coordination.turns,
    events: coordination.events,
    leases: coordination.leases,
    ledger: records.ledger,
    runner: (id) => manager.peek(id),
    workspaceFor: (path) => workspaces.forPath(path),
    pathOf: async (id) => (await workspaces.get(id)).path,
    inUseElsewhere: (id) => agent.inUseElsewhere(id),
    isOwnFolder: (path) => isInside(containers.folder, path),
  })
}

function openAuth(input: ComposeInput): Auth {
  const { store, clock, logger } = input
  return createAuth({
    tokens: store.records.tokens,
    shortLived: store.coordination.shortLived,
    agentsHaveActed: () => agentsHaveActed(input),
    clock,
    logger,
    onChange: ({ id, principal }) =>
      store.bus.publishServer({ type: 'token_changed', time: isoTime(clock.now()), token_id: id }, principal),
  })
}

function createPipeline({ store, clock, logger }: ComposeInput, faults: Faults): EventPipeline {
  const { bus } = store
  return new EventPipeline({
    log: store.coordination.events,
    publish: (events) => bus.publish(events),
    clock,
    logger,
    onStorage: (fault) => {
      faults.storage = fault
      bus.publishServer({ type: 'status_changed', time: isoTime(clock.now()) }, null)
    },
  })
}

/** Old events go once a day; what was said stays in the transcripts, what happened in the records. */
function trimEvents(input: Pick<ComposeInput, 'config' | 'clock' | 'logger'>, events: EventLog): void {
  const { config, clock, logger } = input
  const before = isoTime(clock.now() - config.current().events.keepDays * 86_400_000)
  events
    .trim(before)
    .catch((error: unknown) => logger.warn({ err: error }, 'old events could not be removed'))
  clock.after(86_400_000, () => trimEvents(input, events))
}
