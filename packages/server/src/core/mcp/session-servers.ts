/**
 * The MCP servers of one CLI process: those that its workspace has, each bridged to the session or left to the CLI.
 * What changes while it runs (files, trust, switches, a server that answers late) reaches it.
 */

import type { OwnEnd, ServerEntry } from '@dorkos/mcp-gateway'
import { type McpServerHealth, type NewEvent, type Saying, say } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import { noticeOf } from '../notice.ts'
import type { LiveAgent } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import { toMcpHealth } from '../sessions/mcp-health.ts'
import type { ProcessMcp } from '../sessions/process-session.ts'
import { describeHealth, describeServers } from './describe-servers.ts'
import { type BridgeParts, bridged, type GivenServer, passedThrough } from './given-server.ts'
import { OutdatedHandshakes } from './outdated-handshakes.ts'
import { toHealth, toHealthRow } from './session-health.ts'
import type { WorkspaceServers } from './workspace-servers.ts'

export interface SessionServersParts extends BridgeParts {
  sessionId: string
  /** What the session's workspace has now. */
  servers(): Promise<WorkspaceServers>
  /** Files, trust, or switches of servers changed. */
  onServersChange(listener: () => void): () => void
  /** The process has to be another before the next message. */
  renew(reason: Saying): void
  emit(event: NewEvent): void
  logger: Logger
  clock: Clock
}

const publishDelayMs = 150
/** For the CLI to connect to servers that we answer for, and how often it is asked. */
const connectMs = 5000
const connectStepMs = 20
/** When the log says how the servers do, if some still have not answered. */
const healthLogMs = 15_000

export class SessionServers implements ProcessMcp {
  readonly #parts: SessionServersParts
  readonly #given = new Map<string, GivenServer>()
  readonly #ends: (() => void)[] = []
  /** Servers that had not answered when the session got them: their tools come later, and that is published. */
  readonly #late = new Set<string>()
  #injected: Record<string, unknown> = {}
  /** What the CLI has, by name. */
  #sent: Record<string, unknown> = {}
  /** Every tool that the CLI has been offered, by server. */
  readonly #offered = new Map<string, ReadonlySet<string>>()
  /** Turned off by a person, here or in Claude Code. */
  #disabled: string[] = []
  /** The CLI's last word on its servers. */
  #byCli: McpServerHealth[] = []
  #agent: LiveAgent | undefined
  #work: Promise<unknown> = Promise.resolve()
  #cancelPublish: (() => void) | undefined
  #lastPublished = ''
  #openedAt = 0
  #isHealthLogged = false
  #isTurnRunning = false
  readonly #outdated = new OutdatedHandshakes()
  #closed = false

  constructor(parts: SessionServersParts) {
    this.#parts = parts
  }

  async open(injected: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { supervisor, clock, logger, sessionId } = this.#parts
    this.#injected = injected
    this.#openedAt = clock.monotonic()
    const servers = await this.#parts.servers()
    this.#give(servers)
    for (const line of describeServers(servers)) logger.info({ sessionId }, line)
    this.#ends.push(
      supervisor.onChange((key, { type }) => {
        if (type !== 'resource_updated' && this.#keys().has(key)) this.#publishSoon()
      }),
      this.#parts.onServersChange(() => this.#refresh()),
      clock.after(healthLogMs, () => this.#logHealth()),
    )
    this.#sent = this.#servers()
    return this.#sent
  }

  started(agent: LiveAgent): void {
    if (this.#closed) return
    this.#agent = agent
    for (const given of this.#given.values()) this.#expect(given)
    // Something may have changed while it started.
    this.#refresh()
  }

  inject(injected: Record<string, unknown>): Promise<void> {
    this.#injected = injected
    return this.#inOrder(() => this.#applyNow())
  }

  health(byCli: readonly McpServerHealth[]): McpServerHealth[] {
    const servers = this.#known(byCli)
    // The CLI has just published something else: what we publish next is news, even if it is what we published last.
    if (JSON.stringify(servers) !== this.#lastPublished) this.#lastPublished = ''
    return servers
  }

  turn(isRunning: boolean): void {
    this.#isTurnRunning = isRunning
    this.#repeatHandshakes()
  }

  close(): void {
    this.#closed = true
    this.#agent = undefined
    this.#cancelPublish?.()
    for (const end of this.#ends.splice(0)) end()
    this.#given.clear()
  }

  #servers(): Record<string, unknown> {
    const own = [...this.#given].map(([name, { server }]) => [name, server] as const)
    return { ...Object.fromEntries(own), ...this.#injected }
  }

  #keys(): Set<string> {
    return new Set([...this.#given.values()].flatMap(({ key }) => key ?? []))
  }

  /** Makes the servers exactly those of the workspace. One reached as before keeps its object and connection. */
  #give(servers: WorkspaceServers): void {
    const before = new Map(this.#given)
    this.#disabled = servers.filtered.flatMap(({ server, reason }) => (isOff(reason) ? [server.name] : []))
    this.#given.clear()
    for (const { server, plan, isOwn = false } of servers.active) {
      const given =
        plan.kind === 'passthrough' ? passedThrough(plan.config) : this.#bridged(plan.entry, isOwn)
      const known = before.get(server.name)
      const isKnown = known?.identity === given.identity
      this.#given.set(server.name, isKnown ? known : given)
      if (!isKnown && this.#agent) this.#expect(given)
    }
  }

  #expect({ key }: GivenServer): void {
    if (key !== undefined && this.#parts.supervisor.get(key)?.state !== 'connected') this.#late.add(key)
  }

  #bridged(entry: ServerEntry, isOwn: boolean): GivenServer {
    return bridged(this.#parts, entry, isOwn, {
      tools: (names) => this.#toolsOffered(entry.name, names),
      outdated: () => {
        this.#outdated.add(entry.name)
        this.#repeatHandshakes()
      },
      ownEnded: (end) => this.#publishOwnEnd(entry.name, end),
    })
  }

  /** The CLI (2.1.325) goes on to show the model a tool that was withdrawn, until its process ends. */
  #toolsOffered(server: string, names: readonly string[]): void {
    const known = new Set([...(this.#offered.get(server) ?? []), ...names])
    this.#offered.set(server, known)
    if (known.size > names.length) this.#parts.renew(say('mcp_tools_withdrawn', { server }))
  }

  /** Between turns only: what a call of such a server has under way would end. */
  #repeatHandshakes(): void {
    this.#change(async () => {
      const agent = this.#agent
      if (!agent || this.#isTurnRunning) return
      const names = this.#outdated.take(this.#parts.clock.monotonic())
      const present = names.filter((name) => Object.hasOwn(this.#sent, name))
      if (present.length > 0) await this.#replug(agent, present)
    })
  }

  /**
   * Takes servers out of the session and puts them in again. Both at once: a message that comes now is behind both, so
   * that its turn has their tools, and a server of the session's own has its new holder before it loses the old one.
   * Switching them off and on (`mcp_toggle`) is no way: the CLI (2.1.325) writes that into the owner's `.claude.json`,
   * and may leave them off there.
   */
  async #replug(agent: LiveAgent, names: readonly string[]): Promise<void> {
    const all = this.#sent
    const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))
    this.#sent = rest
    await Promise.all([agent.setMcpServers(rest), agent.setMcpServers(all)])
    this.#sent = all
    await this.#untilConnected(agent, names)
  }

  /**
   * The CLI (2.1.325) answers before it has connected, and a change that comes while it connects may bring back what an
   * earlier one took out: the next waits for those that we answer for, which takes milliseconds.
   */
  async #untilConnected(agent: LiveAgent, names: readonly string[]): Promise<void> {
    const { clock } = this.#parts
    const bridged = new Set(names.filter((name) => this.#given.get(name)?.key !== undefined))
    const until = clock.monotonic() + connectMs
    while (this.#agent === agent && clock.monotonic() < until) {
      const pending = (await agent.mcpStatus()).some(
        ({ name, status }) => bridged.has(name) && status === 'pending',
      )
      if (!pending) return
      await new Promise<void>((resolve) => clock.after(connectStepMs, resolve))
    }
  }

  #refresh(): void {
    this.#change(() => this.#applyNow())
  }

  #change(work: () => Promise<void>): void {
    const { logger, sessionId } = this.#parts
    this.#inOrder(work).catch((err: unknown) => {
      // Of a process that ended nothing is wanted any more.
      if (!this.#closed)
        logger.warn({ sessionId, err }, 'MCP servers could not be changed in a running session')
    })
  }

  /** One after the other: each takes what the workspace has by then. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.#closed ? undefined : work()))
    this.#work = done.catch(() => {})
    return done
  }

  async #applyNow(): Promise<void> {
    this.#give(await this.#parts.servers())
    if (this.#closed || !this.#agent) return
    await this.#send(this.#agent)
    await this.#publish()
  }

  async #send(agent: LiveAgent): Promise<void> {
    const servers = this.#servers()
    const names = Object.keys(servers)
    const stay = names.filter((name) => this.#sent[name] === servers[name])
    if (stay.length === names.length && names.length === Object.keys(this.#sent).length) return
    // To the CLI a server of ours is the one that it has as long as the name is the same: the old one has to go first.
    const kept = names.filter((name) => stay.includes(name) || !Object.hasOwn(this.#sent, name))
    if (kept.length < names.length)
      await agent.setMcpServers(Object.fromEntries(kept.map((name) => [name, servers[name]])))
    await agent.setMcpServers(servers)
    this.#sent = servers
    await this.#untilConnected(agent, names)
  }

  #publishSoon(): void {
    this.#cancelPublish ??= this.#parts.clock.after(publishDelayMs, () => {
      this.#cancelPublish = undefined
      void this.#publish()
    })
  }

  /** What the CLI knows of its servers, and what we know better of those that we run. */
  async #publish(): Promise<void> {
    const { emit } = this.#parts
    const agent = this.#agent
    if (!agent) return
    const byCli = await agent.mcpStatus().catch(() => [])
    if (this.#agent !== agent) return
    this.#byCli = byCli.map(toMcpHealth)
    const servers = this.#known(this.#byCli)
    // Files change for many reasons; only news is published.
    const current = JSON.stringify(servers)
    if (current !== this.#lastPublished) emit({ type: 'mcp_status', servers })
    this.#lastPublished = current
    this.#publishArrivals()
    if (servers.every(({ status }) => status !== 'pending')) this.#logHealth()
  }

  /** To the CLI a server that we run is our bridge, which always answers: of those only the supervisor knows. */
  #known(byCli: readonly McpServerHealth[]): McpServerHealth[] {
    const ours = [...this.#given].flatMap(([name, { key }]) =>
      key === undefined ? [] : [toHealth(name, this.#parts.supervisor.get(key))],
    )
    return [...byCli.filter(({ name }) => this.#given.get(name)?.key === undefined), ...ours]
  }

  #publishArrivals(): void {
    for (const [name, { key }] of this.#given) {
      if (key === undefined || !this.#late.has(key)) continue
      const status = this.#parts.supervisor.get(key)
      if (status?.state !== 'connected') continue
      this.#late.delete(key)
      const saying = say('notice_mcp_connected', { server: name, tools: status.tools })
      this.#parts.emit(noticeOf(saying, 'mcp_connected'))
    }
  }

  #publishOwnEnd(server: string, end: OwnEnd): void {
    if (this.#closed) return
    const level = end.reason === 'failed' ? 'warning' : 'info'
    this.#parts.emit({ ...noticeOf(sayOwnEnd(server, end), 'mcp_process_ended'), level })
  }

  #logHealth(): void {
    if (this.#isHealthLogged || this.#closed) return
    this.#isHealthLogged = true
    const { logger, sessionId, clock } = this.#parts
    const rows = [...this.#given].map(([name, { key }]) => {
      const status = key === undefined ? undefined : this.#parts.supervisor.get(key)
      const byCli = this.#byCli.find((one) => one.name === name)
      const health = key === undefined && byCli ? byCli : toHealth(name, status)
      return toHealthRow(health, status?.connectMs)
    })
    const off = this.#disabled.map((name) => ({ name, state: 'disabled' as const }))
    const ms = Math.round(clock.monotonic() - this.#openedAt)
    for (const line of describeHealth([...rows, ...off])) logger.info({ sessionId, ms }, line)
  }
}

function isOff(reason: string): boolean {
  return reason === 'disabled' || reason === 'switched_off'
}

function sayOwnEnd(server: string, end: OwnEnd): Saying {
  if (end.reason === 'idle') return say('notice_mcp_process_idle', { server })
  if (end.reason === 'room') return say('notice_mcp_process_made_room', { server })
  return say('notice_mcp_process_failed', { server, detail: end.error })
}
