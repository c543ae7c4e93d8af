/** What people do with MCP servers: the operations behind the API. */
import { emptyCatalogue, type ServerEntry } from '@dorkos/mcp-gateway'
import type {
  EndpointResponse,
  McpCall,
  McpList,
  McpServer,
  McpServerDetails,
  McpSignInStep,
  ParsedBody,
} from '@dorkos/shared'
import { foldServerName, say } from '@dorkos/shared'
import { type Actor, actorName } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { ModuleReport, ToolFolders } from '../ports/tool-folders.ts'
import type { McpService } from '../services.ts'
import { EntryEditor, type EntryEditorParts } from './entry-editor.ts'
import { type Known, toDetails, toMcpList } from './mcp-view.ts'
import { type ServerInWorkspace, SignInService, type SignInServiceParts } from './sign-in-service.ts'
import { type TryToolParts, tryTool } from './try-tool.ts'
import { untilSettled } from './until-settled.ts'
import type { WorkspaceServers } from './workspace-servers.ts'

export interface McpServiceParts extends EntryEditorParts, TryToolParts, SignInServiceParts {
  session(actor: Actor, id: string): Promise<Pick<SessionRecord, 'id' | 'workspaceId' | 'cwd' | 'profile'>>
  toolFolders: ToolFolders
}

export function createMcpService(parts: McpServiceParts): McpService {
  return new McpServers(parts)
}

class McpServers implements McpService {
  readonly #parts: McpServiceParts
  readonly #editor: EntryEditor
  readonly #signIns: SignInService

  constructor(parts: McpServiceParts) {
    this.#parts = parts
    this.#editor = new EntryEditor(parts)
    this.#signIns = new SignInService(parts)
  }

  async list(_actor: Actor, workspaceId: string | undefined): Promise<McpList> {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    return this.#toList(workspace.workspaceId, servers)
  }

  async ofSession(actor: Actor, sessionId: string): Promise<McpList> {
    const session = await this.#parts.session(actor, sessionId)
    return this.#toList(session.workspaceId, await this.#parts.mcp.forSession(session))
  }

  async get(_actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails> {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    return this.#details(name, workspace.workspaceId, servers)
  }

  add(actor: Actor, body: ParsedBody<'addMcpServers'>) {
    return this.#editor.add(actor, body)
  }

  async change(actor: Actor, name: string, body: ParsedBody<'changeMcpServer'>): Promise<McpServer> {
    const key = await this.#editor.change(actor, name, body)
    await this.#signIns.endUnused(actor, name)
    const { servers } = await this.list(actor, undefined)
    const changed = servers.find((one) => one.source.scope === 'dorkos' && one.name === key)
    if (!changed) throw new AppError('internal', say('config_key_gone', { key }))
    return changed
  }

  async remove(actor: Actor, name: string): Promise<void> {
    await this.#editor.remove(actor, name)
    await this.#signIns.endUnused(actor, name, ({ scope }) => scope === 'dorkos')
  }

  async imports(_actor: Actor, workspaceId: string | undefined) {
    return this.#editor.imports(await this.#folder(workspaceId))
  }

  async import(actor: Actor, body: ParsedBody<'importMcpServers'>) {
    return this.#editor.import(actor, await this.#folder(body.workspace_id), body)
  }

  async export(_actor: Actor, workspaceId: string | undefined) {
    return this.#editor.export((await this.#parts.mcp.inWorkspace(workspaceId)).servers)
  }

  /** A name with a typo would leave the tool on, and look as if it were off. */
  async #checkTool(server: string, tool: string, workspaceId: string | undefined): Promise<void> {
    const { servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    const active = activeOf(server, servers)
    const tools = active && (this.#known(active.server.name, servers)?.catalogue.tools ?? [])
    if (!tools || tools.length === 0 || tools.some(({ name }) => name === tool)) return
    const names = tools.slice(0, 20).map(({ name }) => name)
    throw new AppError('not_found', say('mcp_tool_not_found', { server, tool, tools: names }))
  }

  async #folder(workspaceId: string | undefined): Promise<string | undefined> {
    return (await this.#parts.mcp.inWorkspace(workspaceId)).workspace.path
  }

  /** Runs the very server that sessions use; it is kept for a while, as after any use. */
  async test(actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails> {
    const { mcp, supervisor } = this.#parts
    const { workspace, servers } = await mcp.inWorkspace(workspaceId)
    const entry = this.#entryOf(name, servers)
    mcp.pinKey(entry)
    // Sessions may use this very connection later: the server has to know from its start that people can be asked.
    const onElicitation = async () => ({ action: 'cancel' as const })
    const hold = supervisor.hold(entry, { id: `test by ${actorName(actor)}`, onElicitation })
    try {
      await untilSettled(hold, this.#parts.clock)
      await mcp.comparePins(entry)
      return await this.#details(name, workspace.workspaceId, servers)
    } finally {
      hold.release()
    }
  }

  async call(actor: Actor, name: string, body: ParsedBody<'callMcpTool'>): Promise<McpCall> {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(body.workspace_id)
    const entry = this.#entryOf(name, servers)
    const isOwn = activeOf(name, servers)?.isOwn === true
    const { tool, input } = body
    return tryTool(this.#parts, actor, { entry, isOwn, workspaceId: workspace.workspaceId, tool, input })
  }

  async reconnect(actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails> {
    const { mcp, supervisor } = this.#parts
    const { workspace, servers } = await mcp.inWorkspace(workspaceId)
    const entry = this.#entryOf(name, servers)
    const key = supervisor.keyOf(entry)
    if ((supervisor.get(key)?.state ?? 'stopped') === 'stopped') return this.test(actor, name, workspaceId)
    await supervisor.reconnect(key)
    await mcp.comparePins(entry)
    await this.#parts.audit(actor, 'mcp_server_reconnected', { server: name })
    return this.#details(name, workspace.workspaceId, servers)
  }

  async accept(actor: Actor, name: string, body: ParsedBody<'acceptMcpTools'>): Promise<McpServerDetails> {
    const { mcp } = this.#parts
    const { workspace, servers } = await mcp.inWorkspace(body.workspace_id)
    const key = mcp.pinKey(this.#entryOf(name, servers))
    const tools = body.tools.map(({ name: tool, hash }) => ({ tool, hash }))
    await mcp.pins.accept(key, tools, actor.principal)
    await this.#parts.audit(actor, 'mcp_tools_accepted', { server: name, tools })
    return this.#details(name, workspace.workspaceId, servers)
  }

  async switch(actor: Actor, body: ParsedBody<'switchMcp'>): Promise<void> {
    const { mcp } = this.#parts
    const { workspace_id, session_id, server, tool, off } = body
    if (workspace_id !== undefined) await mcp.inWorkspace(workspace_id)
    if (session_id !== undefined) await this.#parts.session(actor, session_id)
    const target =
      session_id === undefined
        ? { kind: 'workspace' as const, id: workspace_id ?? '' }
        : { kind: 'session' as const, id: session_id }
    if (off && tool !== undefined) await this.#checkTool(server, tool, workspace_id)
    const what = { target, server, ...(tool !== undefined && { tool }) }
    await mcp.switches.set(what, off, actor.principal)
    const { target: place, ...rest } = what
    await this.#parts.audit(actor, off ? 'mcp_switched_off' : 'mcp_switched_on', { place, ...rest })
  }

  async share(actor: Actor, name: string, body: ParsedBody<'shareMcpServer'>): Promise<McpServer> {
    const { mcp } = this.#parts
    const { sharing } = body
    const { workspace, servers } = await mcp.inWorkspace(body.workspace_id)
    const { workspaceId } = workspace
    const { plan, server } = activeOf(name, servers) ?? {}
    if (plan?.kind !== 'bridged' || !server) throw this.#unused(name, servers)
    if (!plan.sharing) throw new AppError('conflict', say('mcp_server_own', { name }))
    if (workspaceId === undefined) throw new AppError('conflict', say('mcp_workspace_missing'))
    // As the entry says: later changes of the entry count.
    const chosen = sharing === (server.entry.sharing ?? 'auto') ? undefined : sharing
    await mcp.switches.setSharing({ workspaceId, server: server.name }, chosen, actor.principal)
    await this.#parts.audit(actor, 'mcp_sharing_chosen', { server: server.name, workspaceId, sharing })
    return (await this.get(actor, name, workspaceId)).server
  }

  async beginSignIn(actor: Actor, name: string, body: ParsedBody<'beginMcpSignIn'>): Promise<McpSignInStep> {
    return this.#signIns.begin(actor, await this.#serverIn(name, body.workspace_id), body)
  }

  async finishSignIn(
    actor: Actor,
    body: ParsedBody<'finishMcpSignIn'>,
  ): Promise<EndpointResponse<'finishMcpSignIn'>> {
    const begun = this.#signIns.take(actor, body.state)
    const { name, workspaceId } = begun
    await this.#signIns.finish(actor, begun, await this.#serverIn(name, workspaceId), body)
    await this.#signIns.endUnused(actor, name)
    const details = await this.test(actor, name, workspaceId)
    return { name, ...(workspaceId !== undefined && { workspace_id: workspaceId }), details }
  }

  async endSignIn(actor: Actor, name: string, workspaceId: string | undefined): Promise<void> {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    const active = activeOf(name, servers)
    const entry = active?.plan.kind === 'bridged' ? active.plan.entry : undefined
    if (!(await this.#signIns.endHere(actor, active?.server.name ?? name, entry, workspace.workspaceId)))
      throw new AppError('not_found', say('sign_in_none', { name }))
  }

  async #serverIn(name: string, workspaceId: string | undefined): Promise<ServerInWorkspace> {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    const entry = this.#entryOf(name, servers)
    const scope = activeOf(name, servers)?.server.scope ?? 'dorkos'
    return { entry, scope, workspaceId: workspace.workspaceId }
  }

  async toolModules(_actor: Actor, workspaceId: string | undefined) {
    const { workspace, servers } = await this.#parts.mcp.inWorkspace(workspaceId)
    const folders = await this.#parts.toolFolders.of(workspace)
    const shown = folders.map(async ({ folder, entry, workspaceId: of }) => {
      const modules = await this.#modules(entry)
      const details = await this.#details(entry.name, workspace.workspaceId, servers)
      return {
        folder,
        ...(of !== undefined && { workspace_id: of }),
        ...(details.server.health && { health: details.server.health }),
        tools: details.tools,
        faults: modules.flatMap(({ faults }) =>
          faults.map(({ file, line, message }) => ({ file, message, ...(line !== undefined && { line }) })),
        ),
      }
    })
    return { folders: await Promise.all(shown) }
  }

  /** None while the tool host does not answer: its health says why. */
  async #modules(entry: ServerEntry): Promise<ModuleReport[]> {
    const hold = this.#parts.supervisor.hold(entry, { id: 'list of modules' })
    try {
      await untilSettled(hold, this.#parts.clock)
      return await this.#parts.toolFolders.modules(hold)
    } catch {
      return []
    } finally {
      hold.release()
    }
  }

  #entryOf(name: string, servers: WorkspaceServers) {
    const active = activeOf(name, servers)
    if (active?.plan.kind === 'bridged') return active.plan.entry
    throw this.#unused(name, servers)
  }

  #unused(name: string, servers: WorkspaceServers): AppError {
    if (activeOf(name, servers)) return new AppError('conflict', say('mcp_server_left_to_cli', { name }))
    const filtered = servers.filtered.find(
      ({ server }) => foldServerName(server.name) === foldServerName(name),
    )
    if (filtered) return new AppError('conflict', say('mcp_server_unused', { name, why: filtered.sentence }))
    return new AppError('not_found', say('mcp_server_not_found', { name }))
  }

  #toList(workspaceId: string | undefined, servers: WorkspaceServers): McpList {
    return toMcpList(workspaceId, servers, (name) => this.#known(name, servers))
  }

  #known(name: string, servers: WorkspaceServers): Known | undefined {
    const { supervisor, mcp } = this.#parts
    const active = servers.active.find(({ server }) => server.name === name)
    if (active?.plan.kind !== 'bridged') return undefined
    const { entry } = active.plan
    const key = supervisor.keyOf(entry)
    const isOwn = active.isOwn === true
    return {
      status: supervisor.get(key),
      catalogue: supervisor.catalogue(key),
      pins: isOwn ? [] : mcp.pins.state(mcp.pinKey(entry)),
      isOwn,
      signIn: this.#parts.signIns.view(entry),
    }
  }

  async #details(
    name: string,
    workspaceId: string | undefined,
    servers: WorkspaceServers,
  ): Promise<McpServerDetails> {
    const list = this.#toList(workspaceId, servers)
    const isNamed = (one: McpServer) => foldServerName(one.name) === foldServerName(name)
    const server =
      list.servers.find((one) => isNamed(one) && one.use === 'active') ?? list.servers.find(isNamed)
    if (!server) throw new AppError('not_found', say('mcp_server_not_found', { name }))
    const known = this.#known(server.name, servers) ?? {
      status: undefined,
      catalogue: emptyCatalogue,
      pins: [],
      isOwn: false,
      signIn: {},
    }
    return toDetails(server, known, (tool) =>
      this.#parts.mcp.switches.isToolOff(workspaceId, undefined, server.name, tool),
    )
  }
}

function activeOf(name: string, { active }: WorkspaceServers) {
  return active.find(({ server }) => foldServerName(server.name) === foldServerName(name))
}
