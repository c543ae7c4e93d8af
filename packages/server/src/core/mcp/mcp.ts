/**
 * MCP servers in the server: which a session gets, from which file, whether they work. Joins the files, trust, switches
 * and pins with the supervisor, and notifies running sessions of every change.
 */
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { ServerEntry, Supervisor } from '@dorkos/mcp-gateway'
import { type Config, foldServerName, type ServerEvent, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { McpSources } from '../ports/mcp-sources.ts'
import type { McpStore } from '../ports/mcp-store.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { ToolFolders } from '../ports/tool-folders.ts'
import { isToolLeftOut } from '../profiles/apply-profile.ts'
import type { ProcessMcp } from '../sessions/process-session.ts'
import type { SessionRunner } from '../sessions/session-runner.ts'
import type { CheckedWorkspace } from '../trust/workspace-trust.ts'
import type { SourceReading } from './found-server.ts'
import type { LaunchParts } from './launch-server.ts'
import { createPinBoard, type PinBoard } from './pin-board.ts'
import { SessionServers } from './session-servers.ts'
import { type SessionWorkspace, sessionWorkspaceOf } from './session-workspace.ts'
import { SourceReadings } from './source-readings.ts'
import { McpSwitches } from './switches.ts'
import {
  foundEntries,
  onlyNamed,
  type WorkspaceServers,
  type WorkspaceServersInput,
  workspaceServers,
} from './workspace-servers.ts'

export interface McpParts {
  supervisor: Supervisor
  sources: McpSources
  store: McpStore
  toolFolders: ToolFolders
  config(): Pick<Config, 'mcp' | 'mcpServers'>
  /** After its files were compared with what was trusted. */
  workspaceOf(id: string): Promise<CheckedWorkspace | undefined>
  mainWorkspace(): Promise<CheckedWorkspace | undefined>
  allWorkspaces(): Promise<CheckedWorkspace[]>
  env: LaunchParts['env']
  ownerHome: string
  publish(event: ServerEvent): void
  clock: Clock
  logger: Logger
}

const compareAgainMs = 5000
/** After a change sessions let go of what they no longer have; a busy one takes longer. */
const endUnwantedAfterMs = [1000, 5000]

export class Mcp {
  readonly pins: PinBoard
  readonly switches: McpSwitches
  readonly #parts: McpParts
  readonly #readings: SourceReadings
  /** Of the servers that a workspace has (`servers`), and of the tools of a server that are offered (`offer`). */
  readonly #changes = new EventEmitter().setMaxListeners(0)
  /** By the supervisor's key. */
  readonly #entries = new Map<string, ServerEntry>()
  readonly #asking = new Set<string>()
  readonly #endTimers: (() => void)[] = []
  readonly #ends: (() => void)[]

  static async open(parts: McpParts): Promise<Mcp> {
    const mcp = new Mcp(parts)
    await mcp.switches.load()
    return mcp
  }

  private constructor(parts: McpParts) {
    this.#parts = parts
    const { store, clock, supervisor, toolFolders } = parts
    this.pins = createPinBoard({
      store,
      clock,
      policy: () => parts.config().mcp.changedTools,
      onChange: () => this.#notify('offer', 'stored'),
    })
    this.switches = new McpSwitches(store, clock, ({ tool }) =>
      this.#notify(tool === undefined ? 'servers' : 'offer', 'stored'),
    )
    // The times of files are those of the system, whatever clock the server goes by.
    this.#readings = new SourceReadings(parts.sources, {
      now: () => Date.now(),
      onChange: () => this.#notify('servers'),
    })
    this.#ends = [
      supervisor.onChange((key, { type }) => this.#serverChanged(key, type)),
      toolFolders.onChange(() => this.#notify('servers')),
      () => toolFolders.close(),
      () => this.#readings.close(),
    ]
  }

  /** What the entry's pins go by. To be asked for before the server is held: from then on its lists are checked. */
  pinKey(entry: ServerEntry): string {
    this.#entries.set(this.#parts.supervisor.keyOf(entry), entry)
    return pinKeyOf(entry)
  }

  /** What the supervisor knows such servers by. */
  supervisorKeys(is: (entry: ServerEntry) => boolean): string[] {
    return [...this.#entries].flatMap(([key, entry]) => (is(entry) ? [key] : []))
  }

  /** Every server that is written anywhere, whether it is used there or not. */
  async entriesEverywhere(): Promise<ServerEntry[]> {
    const workspaces = (await this.#parts.allWorkspaces()).map((one) =>
      sessionWorkspaceOf(one, one.workspace.path),
    )
    const everywhere = [sessionWorkspaceOf(undefined, undefined), ...workspaces]
    return (await Promise.all(everywhere.map(async (one) => foundEntries(await this.#inputAt(one))))).flat()
  }

  /** Resolves when what the server offers now has been checked. */
  async comparePins(entry: ServerEntry): Promise<void> {
    const { supervisor } = this.#parts
    const { tools, instructions } = supervisor.catalogue(supervisor.keyOf(entry))
    await this.pins.compare(this.pinKey(entry), tools, instructions)
  }

  /** The servers of a session's next process. */
  forProcess(runner: SessionRunner): ProcessMcp {
    const { supervisor, logger, clock } = this.#parts
    const { pins, switches } = this
    return new SessionServers({
      sessionId: runner.id,
      supervisor,
      pins,
      pinKey: (entry) => this.pinKey(entry),
      servers: () => this.forSession(runner.record),
      isToolOff: (server, tool) =>
        switches.isToolOff(runner.record.workspaceId, runner.id, server, tool) ||
        isToolLeftOut(runner.record, `mcp__${foldServerName(server)}__${tool}`),
      onOfferChange: (listener) => this.#onChange('offer', listener),
      onServersChange: (listener) => this.#onChange('servers', listener),
      elicit: (request) => runner.elicit(request),
      renew: (reason) => runner.restartWhenIdle(reason),
      emit: (event) => runner.events.emit(event),
      logger,
      clock,
    })
  }

  /** What a workspace has; the main one unless given. */
  async inWorkspace(
    workspaceId: string | undefined,
  ): Promise<{ workspace: SessionWorkspace; servers: WorkspaceServers }> {
    const { mainWorkspace, workspaceOf } = this.#parts
    const checked = workspaceId === undefined ? await mainWorkspace() : await workspaceOf(workspaceId)
    if (!checked && workspaceId !== undefined)
      throw new AppError('not_found', say('workspace_not_found', { id: workspaceId }))
    const workspace = sessionWorkspaceOf(checked, checked?.workspace.path)
    return { workspace, servers: await this.#serversAt(workspace) }
  }

  async forSession(session: {
    id: string
    workspaceId: string | undefined
    cwd: string
    profile?: SessionRecord['profile']
  }): Promise<WorkspaceServers> {
    const { id, workspaceId, cwd, profile } = session
    // One that is gone is no place to take servers from.
    const checked = workspaceId === undefined ? undefined : await this.#parts.workspaceOf(workspaceId)
    return onlyNamed(await this.#serversAt(sessionWorkspaceOf(checked, cwd), id), profile)
  }

  /** Trust, mode or the like of a workspace changed. */
  workspaceChanged(): void {
    this.#notify('servers')
  }

  /** Another process may have changed what is stored. */
  async reread(): Promise<void> {
    await this.pins.reread()
    if (!(await this.switches.load())) return
    this.#notify('servers')
    this.#notify('offer')
  }

  configChanged(keys: readonly string[]): void {
    if (!keys.some((key) => key === 'mcpServers' || key.startsWith('mcp.'))) return
    this.#readings.clear()
    this.#notify('servers')
    this.#notify('offer')
  }

  async start(): Promise<void> {
    const { supervisor, logger } = this.#parts
    const swept = await supervisor.sweep()
    if (swept > 0) logger.info({ processes: swept }, 'MCP servers that an earlier run left were ended')
  }

  async close(): Promise<void> {
    for (const end of [...this.#ends.splice(0), ...this.#endTimers.splice(0)]) end()
    await this.#parts.supervisor.close()
  }

  async #serversAt(wanted: SessionWorkspace, sessionId?: string): Promise<WorkspaceServers> {
    return workspaceServers(await this.#inputAt(wanted, sessionId))
  }

  async #inputAt(wanted: SessionWorkspace, sessionId?: string): Promise<WorkspaceServersInput> {
    const { reading, workspace } = await this.#readingOf(wanted)
    const { config, env, ownerHome, toolFolders } = this.#parts
    const { mcp } = config()
    return {
      reading,
      workspace,
      switchedOff: this.switches.serversOff(workspace.workspaceId, sessionId),
      toolFolders: await toolFolders.of(workspace),
      launch: {
        env,
        expandEnv: mcp.expandEnv,
        passEnv: mcp.env,
        workspaceId: workspace.workspaceId,
        workspacePath: workspace.path,
        ownerHome,
        callTimeoutMs: mcp.callTimeoutSeconds * 1000,
        chosenSharing: (server) => this.switches.sharingOf(workspace.workspaceId, server),
      },
    }
  }

  /** What was read of a project must be the very file that was trusted: it can be swapped between two looks. */
  async #readingOf(
    workspace: SessionWorkspace,
  ): Promise<{ reading: SourceReading; workspace: SessionWorkspace }> {
    let reading = await this.#readings.of(workspace.path)
    const isOther = () => workspace.trusted && reading.projectFile !== workspace.serversFile
    for (let tries = 0; tries < 3 && isOther(); tries++) {
      this.#readings.drop(workspace.path)
      reading = await this.#readings.of(workspace.path)
    }
    return { reading, workspace: isOther() ? { ...workspace, trusted: false, modules: {} } : workspace }
  }

  #serverChanged(key: string, type: string): void {
    const { supervisor } = this.#parts
    if (type === 'catalogue') this.#compareOffered(key)
    if (type === 'status') this.#publish()
    if (supervisor.get(key)?.asksForInput) this.#rememberAsking(key)
  }

  #compareOffered(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    const { supervisor, clock } = this.#parts
    const { tools, instructions } = supervisor.catalogue(key)
    this.pins.compare(pinKeyOf(entry), tools, instructions).catch((error: unknown) => {
      this.#fault(error)
      // What is not stored is not offered: a disk that is full for a moment must not cost the tools.
      clock.after(compareAgainMs, () => this.#compareOffered(key))
    })
  }

  #rememberAsking(key: string): void {
    if (this.#asking.has(key)) return
    this.#asking.add(key)
    this.#parts.store.setAsking(key).catch((error: unknown) => this.#fault(error))
  }

  /** Returns what ends it. */
  #onChange(of: 'servers' | 'offer', listener: () => void): () => void {
    // Wrapped, so that one who is added twice is notified twice and can leave once.
    const own = () => listener()
    this.#changes.on(of, own)
    return () => void this.#changes.off(of, own)
  }

  #notify(of: 'servers' | 'offer', what?: 'stored'): void {
    this.#changes.emit(of)
    this.#publish(what)
    if (of === 'servers') this.#endUnwantedSoon()
  }

  #endUnwantedSoon(): void {
    for (const cancel of this.#endTimers.splice(0)) cancel()
    for (const ms of endUnwantedAfterMs)
      this.#endTimers.push(
        this.#parts.clock.after(ms, () => {
          this.#endUnwanted().catch((error: unknown) => this.#fault(error))
        }),
      )
  }

  /** What was taken out, or lost its trust, does not run on until it would be idle long enough. */
  async #endUnwanted(): Promise<void> {
    const { supervisor, allWorkspaces } = this.#parts
    const idle = supervisor.list().filter(({ sessions, pids }) => sessions === 0 && pids.length > 0)
    if (idle.length === 0 || this.#ends.length === 0) return
    const wanted = new Set<string>()
    for (const checked of await allWorkspaces()) {
      const { active } = await this.#serversAt(sessionWorkspaceOf(checked, checked.workspace.path))
      for (const { plan } of active) if (plan.kind === 'bridged') wanted.add(supervisor.keyOf(plan.entry))
    }
    for (const { key } of idle) if (!wanted.has(key)) await supervisor.end(key)
  }

  #publish(what?: 'stored'): void {
    const event = { type: 'mcp_changed', time: isoTime(this.#parts.clock.now()) } as const
    this.#parts.publish(what === 'stored' ? { ...event, stored: true } : event)
  }

  #fault(error: unknown): void {
    this.#parts.logger.error({ err: error }, 'what is remembered of MCP servers could not be stored')
  }
}

/** What a server's pinned tools go by: what it is, and not which secrets it was given. A new token is no new server. */
function pinKeyOf({ name, launch }: ServerEntry): string {
  const what =
    launch.type === 'stdio'
      ? [launch.type, launch.command, ...launch.args, launch.cwd]
      : [launch.type, launch.url.split('?')[0]]
  return `${name}-${createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 16)}`
}
