/** MCP servers in the words of the contract. Nothing secret passes: entries are masked, statuses hold none. Pure. */

import type { Catalogue, CatalogueTool, PinDiff, ServerStatus } from '@dorkos/mcp-gateway'
import { fullToolName, pinOf } from '@dorkos/mcp-gateway'
import { isRecord, type McpList, type McpServer, type McpServerDetails, say } from '@dorkos/shared'
import { inMessage } from '../notice.ts'
import { isoTime } from '../ports/clock.ts'
import type { SharingDecision } from './decide-sharing.ts'
import type { FoundServer, McpEntry, SourceFault } from './found-server.ts'
import { maskEntry } from './mask-entry.ts'
import type { PinState } from './pin-board.ts'
import { instructionsAsTool, instructionsPin } from './server-pins.ts'
import type { WorkspaceServers } from './workspace-servers.ts'

type Health = NonNullable<McpServer['health']>
type Tool = McpServerDetails['tools'][number]

export interface Known {
  status: ServerStatus | undefined
  catalogue: Catalogue
  pins: PinState[]
  /** The owner's own tools are not pinned. */
  isOwn: boolean
  signIn: Pick<McpServer, 'can_sign_in' | 'signed_in'>
}

export function toMcpList(
  workspaceId: string | undefined,
  servers: WorkspaceServers,
  known: (name: string) => Known | undefined,
): McpList {
  const used = servers.active.map(({ server, plan }) => {
    const view = toServer(server, 'active')
    const facts = plan.kind === 'bridged' ? known(server.name) : undefined
    if (!facts) return view
    const sharing = plan.kind === 'bridged' && plan.sharing && sharingOf(plan.sharing, facts.status)
    return { ...view, ...(sharing && { sharing }), ...healthOf(facts), ...facts.signIn }
  })
  return {
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    servers: [
      ...used,
      ...servers.overridden.map(({ server, by }) => ({
        ...toServer(server, 'overridden'),
        overridden_by: sourceOf(by),
        ...inMessage(say('unused_overridden', { file: by.file, line: by.line })),
      })),
      ...servers.filtered.map(({ server, reason, sentence }) => ({
        ...toServer(server, 'filtered'),
        reason,
        ...inMessage(sentence),
      })),
    ],
    faults: servers.faults.map(toFault),
  }
}

export function toDetails(
  server: McpServer,
  known: Known,
  isToolOff: (tool: string) => boolean,
): McpServerDetails {
  const { status, catalogue, pins } = known
  const { instructions } = catalogue
  return {
    server,
    tools: [
      ...catalogue.tools.map((tool) => toTool(server.name, tool, known, isToolOff(tool.name))),
      ...openInstructions(server.name, known),
    ],
    resources: catalogue.resources.map(({ uri, name }) => ({
      uri: String(uri),
      ...(typeof name === 'string' && { name }),
    })),
    prompts: catalogue.prompts.map(({ name, description }) => ({
      name: String(name),
      ...(typeof description === 'string' && { description }),
    })),
    ...(instructions !== undefined && { instructions }),
    faults: [...catalogue.faults, ...missingFaults(pins, catalogue)],
    stderr: [...(status?.stderr ?? [])],
    history: (status?.history ?? []).map(({ state, time, reason }) => ({
      state,
      time: isoTime(time),
      ...(reason !== undefined && { reason }),
    })),
  }
}

/** Instructions that are new or have changed wait among the tools, to be reviewed and accepted like them. */
function openInstructions(server: string, known: Known): Tool[] {
  const { instructions } = known.catalogue
  const isOpen = known.pins.some(({ tool, status }) => tool === instructionsPin && status !== 'pinned')
  if (instructions === undefined || !isOpen) return []
  return [toTool(server, instructionsAsTool(instructions), known, false)]
}

/** About what a definition costs in every request to the model: four characters a token. */
function contextTokens(tools: readonly CatalogueTool[]): number {
  const said = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  return said.length === 0 ? 0 : Math.ceil(JSON.stringify(said).length / 4)
}

function toTool(server: string, tool: CatalogueTool, known: Known, isOff: boolean): Tool {
  const { status, pins, isOwn } = known
  const pin = pins.find((one) => one.tool === tool.name)
  const stats = status?.stats[tool.name]
  const { title, description } = tool
  return {
    name: tool.name,
    full_name: fullToolName(server, tool.name),
    ...(typeof title === 'string' && { title }),
    ...(description !== undefined && { description }),
    input_schema: { ...tool.inputSchema },
    ...hintsOf(tool),
    switched_off: isOff,
    pin: {
      status: pin?.status ?? (isOwn ? 'pinned' : 'new'),
      held: pin?.held ?? !isOwn,
      hash: pinOf(tool),
      ...(pin?.diff && { diff: pin.diff.map(toDiff) }),
    },
    stats: {
      calls: stats?.calls ?? 0,
      errors: stats?.errors ?? 0,
      ...(stats?.p50Ms !== undefined && { p50_ms: stats.p50Ms }),
      ...(stats?.p95Ms !== undefined && { p95_ms: stats.p95Ms }),
      ...(stats?.lastMs !== undefined && { last_ms: stats.lastMs }),
    },
    context_tokens: contextTokens([tool]),
  }
}

/** The gateway has left out annotations that are not booleans. */
function hintsOf({ annotations }: CatalogueTool): Pick<Tool, 'hints'> {
  if (!isRecord(annotations)) return {}
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations
  const hints = {
    ...(typeof readOnlyHint === 'boolean' && { read_only: readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructive: destructiveHint }),
    ...(typeof openWorldHint === 'boolean' && { open_world: openWorldHint }),
  }
  return Object.keys(hints).length > 0 ? { hints } : {}
}

function toDiff({ path, before, after }: PinDiff): NonNullable<Tool['pin']['diff']>[number] {
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

function missingFaults(pins: PinState[], { tools }: Catalogue): string[] {
  const there = new Set([instructionsPin, ...tools.map(({ name }) => name)])
  const gone = pins.filter(({ tool, status }) => status === 'changed' && !there.has(tool))
  return gone.map(({ tool }) => `tool '${tool}': it was offered before and is not any more`)
}

function healthOf({ status, catalogue, pins }: Known): { health?: Health; held_tools: number } {
  const held = pins.filter((pin) => pin.held).length
  if (!status) return { held_tools: held }
  const { error, connectMs, nextTryAt, serverInfo, protocolVersion } = status
  return {
    held_tools: held,
    health: {
      state: status.state,
      since: isoTime(status.since),
      failures: status.failures,
      pids: [...status.pids],
      own_connections: status.ownConnections,
      sessions: status.sessions,
      tools: status.tools,
      resources: status.resources,
      prompts: status.prompts,
      context_tokens: contextTokens(catalogue.tools),
      asks_for_input: status.asksForInput,
      ...(error !== undefined && { error }),
      ...(connectMs !== undefined && { connect_ms: connectMs }),
      ...(nextTryAt !== undefined && { next_try_at: isoTime(nextTryAt) }),
      ...(serverInfo && { server: serverInfo }),
      ...(protocolVersion !== undefined && { protocol_version: protocolVersion }),
    },
  }
}

function sharingOf(
  { choice, sharing, why }: SharingDecision,
  status: ServerStatus | undefined,
): McpServer['sharing'] {
  // What was to be shared until it asks is not any more.
  if (sharing === 'until_asked' && status?.asksForInput) return { choice, mode: 'session', why: 'asked' }
  return { choice, mode: sharing === 'session' ? 'session' : 'shared', why }
}

function toServer(server: FoundServer, use: McpServer['use']): McpServer {
  return {
    name: server.name,
    source: sourceOf(server),
    ...(server.modules && { modules: true }),
    entry: toEntryView(server.entry),
    use,
    held_tools: 0,
  }
}

function sourceOf({ scope, file, line, plugin }: FoundServer): McpServer['source'] {
  return { scope, file, line, ...(plugin && { plugin: plugin.name }) }
}

export function toEntryView(entry: McpEntry): McpServer['entry'] {
  const masked = maskEntry(entry)
  const { timeout, passthrough, sharing, modes, disabled } = masked
  const extras = {
    ...(timeout !== undefined && { timeout }),
    ...(passthrough !== undefined && { passthrough }),
    ...(sharing !== undefined && { sharing }),
    ...(modes !== undefined && { modes: [...modes] }),
    ...(disabled !== undefined && { disabled }),
  }
  if (masked.type !== 'stdio')
    return { type: masked.type, url: masked.url, headers: { ...masked.headers }, ...extras }
  const { command, args, env, cwd } = masked
  return {
    type: 'stdio',
    command,
    args: [...args],
    env: { ...env },
    ...(cwd !== undefined && { cwd }),
    ...extras,
  }
}

function toFault({ file, line, scope, name, reason }: SourceFault): McpList['faults'][number] {
  return {
    file,
    scope,
    message: reason,
    ...(line !== undefined && { line }),
    ...(name !== undefined && { name }),
  }
}
