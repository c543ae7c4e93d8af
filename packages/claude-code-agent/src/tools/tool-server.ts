/** In-process MCP servers. One server object serves any number of sessions at once, and can be changed while they run. */
import { ToolDefinitionError } from '../errors.ts'
import { type CompiledTool, compileTool } from './compiled-tool.ts'
import { describe } from './json-value.ts'
import { NamedList } from './named-list.ts'
import { type CompiledPrompt, compilePrompt, type SdkPrompt } from './prompt.ts'
import { type CompiledResource, compileResource, type SdkResource } from './resource.ts'
import type { JsonObject } from './schema-check.ts'
import type { AnySdkTool, SdkTool } from './sdk-tool.ts'
import type { ServerConnection, ServerLink } from './server-connection.ts'
import { nameLengthFault, normalizeName } from './server-names.ts'
import { DEFAULT_TOOL_TIMEOUT_MS, isTimeout, TIMEOUT_RULE } from './timeout.ts'
import type { ToolErrorListener } from './tool-call.ts'
import { type ListChange, type ServedCatalogue, ToolServerConnection } from './tool-server-connection.ts'

export interface SdkMcpServerOptions<Tool = AnySdkTool> {
  /** What the server calls itself. Its tools are named by the key in `mcpServers`, which may differ. */
  name: string
  version?: string
  /** Given to the model beside the tools: what they have in common, and when to use them. */
  instructions?: string
  tools?: readonly Tool[]
  /** An empty list announces that resources may come later; without one, those added later reach new sessions only. */
  resources?: readonly SdkResource[]
  /** As `resources`. */
  prompts?: readonly SdkPrompt[]
  /** Never defer these tools behind tool search. */
  alwaysLoad?: boolean
  /** Milliseconds that a call may take where the tool has no `timeoutMs` of its own. */
  timeout?: number
  onToolError?: ToolErrorListener
}

/** What `createSdkMcpServer` returns and `mcpServers` takes. */
export interface SdkMcpServer {
  readonly type: 'sdk'
  readonly name: string
  readonly version: string
  readonly timeout: number | undefined
  readonly tools: readonly AnySdkTool[]
  /** The server itself, for code that hands on `{ type: 'sdk', name, instance }`. */
  readonly instance: SdkMcpServer
  /** Sessions that are running have the tool with their next request to the model. Throws ToolDefinitionError. */
  addTool(tool: AnySdkTool): void
  /** False where there is no such tool. Calls in flight go on. */
  removeTool(name: string): boolean
  addResource(resource: SdkResource): void
  /** By `uri` or `uriTemplate`. */
  removeResource(key: string): boolean
  addPrompt(prompt: SdkPrompt): void
  removePrompt(name: string): boolean
  /** Joins the server to a session; the session closes the connection. */
  connect(link: ServerLink): ServerConnection
}

/** Throws ToolDefinitionError, naming what is wrong. */
export function createSdkMcpServer(options: SdkMcpServerOptions<SdkTool>): SdkMcpServer
export function createSdkMcpServer(options: SdkMcpServerOptions): SdkMcpServer
export function createSdkMcpServer(options: SdkMcpServerOptions): SdkMcpServer {
  return new ToolServer(options)
}

/** Also serves as the catalogue that its connections read. */
export class ToolServer implements SdkMcpServer, ServedCatalogue {
  readonly type = 'sdk'
  readonly name: string
  readonly version: string
  readonly instructions: string | undefined
  readonly timeout: number | undefined
  readonly onToolError: ToolErrorListener | undefined
  #alwaysLoad: boolean
  #offersResources: boolean
  #offersPrompts: boolean
  #tools: NamedList<{ declared: AnySdkTool; compiled: CompiledTool }>
  #resources: NamedList<CompiledResource>
  #prompts: NamedList<CompiledPrompt>
  #toolNames = new Map<string, string>()
  #keys = new Set<string>()
  #connections = new Set<ToolServerConnection>()
  #changes = new Set<ListChange>()
  #toolList: Promise<JsonObject[]> | undefined

  constructor(options: SdkMcpServerOptions) {
    const { name, timeout } = options
    if (typeof name !== 'string' || name === '') {
      throw new ToolDefinitionError(`A server needs a name, got ${describe(name)}`)
    }
    if (timeout !== undefined && !isTimeout(timeout)) {
      throw new ToolDefinitionError(`Server '${name}': timeout ${TIMEOUT_RULE}, got ${String(timeout)}`)
    }
    this.name = name
    this.version = options.version ?? '1.0.0'
    this.instructions = options.instructions
    this.timeout = timeout
    this.onToolError = options.onToolError
    this.#alwaysLoad = options.alwaysLoad ?? false
    this.#offersResources = options.resources !== undefined
    this.#offersPrompts = options.prompts !== undefined
    this.#tools = new NamedList('tool', name)
    this.#resources = new NamedList('resource', name)
    this.#prompts = new NamedList('prompt', name)
    for (const tool of options.tools ?? []) this.addTool(tool)
    for (const resource of options.resources ?? []) this.addResource(resource)
    for (const prompt of options.prompts ?? []) this.addPrompt(prompt)
  }

  get instance(): SdkMcpServer {
    return this
  }

  get tools(): readonly AnySdkTool[] {
    return this.#tools.values().map((tool) => tool.declared)
  }

  addTool(tool: AnySdkTool): void {
    const compiled = compileTool(tool)
    const { name } = compiled
    const normal = normalizeName(name)
    const taken = this.#toolNames.get(normal)
    if (taken !== undefined && taken !== name) {
      throw new ToolDefinitionError(
        `Server '${this.name}': tools '${taken}' and '${name}' are both '${normal}' to the model`,
      )
    }
    for (const key of this.#keys) checkNameLength(key, name)
    this.#tools.add(name, { declared: tool, compiled })
    this.#toolNames.set(normal, name)
    this.#toolList = undefined
    this.#announce('tools')
  }

  removeTool(name: string): boolean {
    if (!this.#tools.remove(name)) return false
    this.#toolNames.delete(normalizeName(name))
    this.#toolList = undefined
    this.#announce('tools')
    return true
  }

  addResource(resource: SdkResource): void {
    const compiled = compileResource(resource)
    this.#resources.add(compiled.key, compiled)
    this.#announce('resources')
  }

  removeResource(key: string): boolean {
    const removed = this.#resources.remove(key)
    if (removed) this.#announce('resources')
    return removed
  }

  addPrompt(prompt: SdkPrompt): void {
    const compiled = compilePrompt(prompt)
    this.#prompts.add(compiled.name, compiled)
    this.#announce('prompts')
  }

  removePrompt(name: string): boolean {
    const removed = this.#prompts.remove(name)
    if (removed) this.#announce('prompts')
    return removed
  }

  connect(link: ServerLink): ServerConnection {
    const connection = new ToolServerConnection(this, link, () => this.#connections.delete(connection))
    this.#connections.add(connection)
    return connection
  }

  /** A session knows the server by this key: tools that are added later must fit it too. Throws ToolDefinitionError. */
  useKey(key: string): void {
    for (const { compiled } of this.#tools.values()) checkNameLength(key, compiled.name)
    this.#keys.add(key)
  }

  findTool(name: string): CompiledTool | undefined {
    return this.#tools.get(name)?.compiled
  }

  timeoutOf(tool: CompiledTool): number {
    return tool.timeoutMs ?? this.timeout ?? DEFAULT_TOOL_TIMEOUT_MS
  }

  /** Rejects with ToolDefinitionError where a schema turns out to have no JSON Schema. */
  listTools(): Promise<JsonObject[]> {
    this.#toolList ??= Promise.all(this.#tools.values().map(({ compiled }) => this.#describeTool(compiled)))
    return this.#toolList
  }

  async #describeTool(tool: CompiledTool): Promise<JsonObject> {
    const entry = await tool.describe()
    if (!this.#alwaysLoad) return entry
    return {
      ...entry,
      _meta: { ...(entry._meta as JsonObject | undefined), 'anthropic/alwaysLoad': true },
    }
  }

  listResources(): CompiledResource[] {
    return this.#resources.values()
  }

  listPrompts(): CompiledPrompt[] {
    return this.#prompts.values()
  }

  findPrompt(name: string): CompiledPrompt | undefined {
    return this.#prompts.get(name)
  }

  /**
   * Resources and prompts only where there are some or were declared: a server that announces resources makes the
   * CLI give the model three more tools.
   */
  capabilities(): JsonObject {
    const listChanged = { listChanged: true }
    return {
      tools: listChanged,
      ...(this.#offersResources || this.#resources.size > 0 ? { resources: listChanged } : {}),
      ...(this.#offersPrompts || this.#prompts.size > 0 ? { prompts: listChanged } : {}),
    }
  }

  /** Changes made in one go are announced once. */
  #announce(change: ListChange): void {
    if (this.#connections.size === 0) return
    if (this.#changes.size === 0) queueMicrotask(() => this.#notifyChanges())
    this.#changes.add(change)
  }

  #notifyChanges(): void {
    const changes = [...this.#changes]
    this.#changes.clear()
    for (const connection of this.#connections) connection.listsChanged(changes)
  }
}

/** Throws ToolDefinitionError where the model's API would refuse the name. */
function checkNameLength(key: string, tool: string): void {
  const fault = nameLengthFault(key, tool)
  if (fault !== undefined) throw new ToolDefinitionError(fault)
}
