/** What `mcpServers` takes, the checks of a whole set of servers, and the parting of those in process from the rest. */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { connectForeignServer, isServerInstance, type McpServerSource } from './foreign-server.ts'
import { copyAsJson, describe } from './json-value.ts'
import type { AnySdkTool } from './sdk-tool.ts'
import type { ServerConnection, ServerLink } from './server-connection.ts'
import { isReservedServerName, normalizeName, prefixedToolName } from './server-names.ts'
import { createSdkMcpServer, type SdkMcpServer, ToolServer } from './tool-server.ts'

/** What the CLI takes for every external server. `timeout` is in milliseconds per call, at least 1000. */
interface ExternalServerExtras {
  timeout?: number
  /** Never defer these tools behind tool search; the first turn then waits for the server. */
  alwaysLoad?: boolean
  tools?: readonly { name: string; permission_policy: string }[]
}

export interface McpStdioServerConfig extends ExternalServerExtras {
  type?: 'stdio'
  command: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export interface McpHttpServerConfig extends ExternalServerExtras {
  type: 'http' | 'sse'
  url: string
  headers?: Readonly<Record<string, string>>
}

/** A server made with an MCP SDK, v1 or v2: the instance, or a factory that makes one per session. */
export interface McpInstanceServerConfig {
  type: 'sdk'
  name: string
  instance: McpServerSource | SdkMcpServer
  timeout?: number
}

/** As the options of createSdkMcpServer, written in place. */
export interface McpToolsServerConfig {
  type: 'sdk'
  name: string
  version?: string
  tools: readonly AnySdkTool[]
}

/**
 * A server of your own making, such as one that stands for a server elsewhere: the session connects it and passes on what the
 * CLI sends. The CLI knows its tools as `mcp__<key>__<tool>`; that these are unique and at most 64 characters long is yours to see to.
 */
export interface McpConnectableServerConfig {
  readonly type: 'sdk'
  readonly name: string
  /** Called once per session; the session closes the connection. May throw where it can serve no further session. */
  connect(link: ServerLink): ServerConnection
  /** The limit of a call that is passed to the CLI, in milliseconds. */
  readonly timeout?: number | undefined
}

export type McpSdkServerConfig =
  | SdkMcpServer
  | McpInstanceServerConfig
  | McpToolsServerConfig
  | McpConnectableServerConfig
export type McpServerConfig = McpStdioServerConfig | McpHttpServerConfig | McpSdkServerConfig

/** A server that runs in this process, whoever made it. Connecting throws McpServerInUseError where it can serve no further session. */
type InProcessServer = Pick<McpConnectableServerConfig, 'connect' | 'timeout'>

export interface SplitServers {
  inProcess: Map<string, InProcessServer>
  /** For the CLI: plain JSON. */
  external: Record<string, Record<string, unknown>>
}

/** Throws ToolDefinitionError, naming the server or tool that cannot be used. */
export function checkServers(servers: Readonly<Record<string, McpServerConfig>>): void {
  const keys = new Map<string, string>()
  const tools = new Map<string, string>()
  for (const [key, config] of Object.entries(servers)) {
    checkKey(key, keys)
    const server = inProcessServer(key, config)
    if (!server) checkExternal(key, config)
    else if (isSdkMcpServer(server)) checkToolNames(key, server, tools)
  }
}

/** Checks as checkServers does, and parts the set. */
export function splitServers(servers: Readonly<Record<string, McpServerConfig>>): SplitServers {
  checkServers(servers)
  const split: SplitServers = { inProcess: new Map(), external: {} }
  for (const [key, config] of Object.entries(servers)) {
    const server = inProcessServer(key, config)
    if (server) split.inProcess.set(key, server)
    else split.external[key] = checkExternal(key, config)
  }
  return split
}

function checkKey(key: string, keys: Map<string, string>): void {
  if (key === '') throw new ToolDefinitionError('An MCP server needs a name, got an empty one')
  if (isReservedServerName(key)) {
    throw new ToolDefinitionError(
      `MCP server '${key}': Claude Code keeps this name for itself; choose another`,
    )
  }
  const normal = normalizeName(key)
  const taken = keys.get(normal)
  if (taken !== undefined) {
    throw new ToolDefinitionError(
      `MCP servers '${taken}' and '${key}' are one to Claude Code, which names the tools of both mcp__${normal}__…`,
    )
  }
  keys.set(normal, key)
}

/** Server `a` with tool `b__c` and server `a__b` with tool `c` would both be `mcp__a__b__c`. */
function checkToolNames(key: string, server: SdkMcpServer, tools: Map<string, string>): void {
  if (server instanceof ToolServer) server.useKey(key)
  for (const { name } of server.tools) {
    const full = prefixedToolName(key, name)
    const owner = `'${name}' of server '${key}'`
    const taken = tools.get(full)
    if (taken !== undefined)
      throw new ToolDefinitionError(`Tools ${taken} and ${owner} are both '${full}' to the model`)
    tools.set(full, owner)
  }
}

/** Servers for configurations written in place: one per object, so that its tools are compiled once. */
const madeServers = new WeakMap<object, SdkMcpServer>()

function inProcessServer(key: string, config: McpServerConfig): InProcessServer | undefined {
  if (!isRecord(config)) {
    throw new ToolDefinitionError(`MCP server '${key}' must be a configuration, got ${describe(config)}`)
  }
  const sdk: McpServerConfig = config
  if (sdk.type !== 'sdk') return undefined
  if (isConnectable(sdk)) return sdk
  if ('instance' in sdk) return instanceServer(key, sdk)
  if (!Array.isArray(sdk.tools)) {
    throw new ToolDefinitionError(`MCP server '${key}' of type 'sdk' needs an instance, tools or connect()`)
  }
  const known = madeServers.get(sdk)
  if (known) return known
  const made = createSdkMcpServer(sdk)
  madeServers.set(sdk, made)
  return made
}

function isConnectable(value: McpSdkServerConfig): value is SdkMcpServer | McpConnectableServerConfig {
  return 'connect' in value && typeof value.connect === 'function'
}

/** By its shape: it may come from another installed copy of this package. */
function isSdkMcpServer(value: object): value is SdkMcpServer {
  const { connect, addTool } = value as Partial<SdkMcpServer>
  return typeof connect === 'function' && typeof addTool === 'function'
}

function instanceServer(key: string, config: McpInstanceServerConfig): InProcessServer {
  const { instance, timeout } = config
  if (typeof instance !== 'function') {
    if (isRecord(instance) && isSdkMcpServer(instance)) return instance
    if (!isServerInstance(instance)) {
      throw new ToolDefinitionError(
        `MCP server '${key}': instance must be an MCP server or a function that makes one, got ${describe(instance)}`,
      )
    }
  }
  return { timeout, connect: (link) => connectForeignServer(key, instance, link) }
}

function checkExternal(key: string, config: McpServerConfig): Record<string, unknown> {
  const { type = 'stdio', ...rest } = config as unknown as Record<string, unknown>
  const needed = type === 'stdio' ? 'command' : type === 'http' || type === 'sse' ? 'url' : undefined
  if (needed === undefined) {
    throw new ToolDefinitionError(
      `MCP server '${key}' has the unknown type ${JSON.stringify(type)}; known are stdio, http, sse and sdk`,
    )
  }
  if (typeof rest[needed] !== 'string' || rest[needed] === '') {
    throw new ToolDefinitionError(
      `MCP server '${key}' of type '${type}' needs a ${needed}, got ${describe(rest[needed])}`,
    )
  }
  const copy = copyAsJson({ type, ...rest })
  if (!copy.ok)
    throw new ToolDefinitionError(`MCP server '${key}' cannot be passed to the CLI: ${copy.reason}`)
  return copy.value as Record<string, unknown>
}
