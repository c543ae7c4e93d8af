/**
 * Servers made with an MCP SDK (v1 or v2): joined by a transport in memory. No MCP package is imported; all that is
 * needed of an instance is `connect` and `close`.
 */
import { isRecord } from '@dorkos/processes'
import { McpServerInUseError, ToolDefinitionError } from '../errors.ts'
import {
  CONNECTION_CLOSED,
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  REQUEST_CANCELLED,
  rpcError,
  rpcResult,
} from './json-rpc.ts'
import { copyAsJson, describe, errorText } from './json-value.ts'
import { MemoryTransport } from './memory-transport.ts'
import type {
  JsonRpcId,
  JsonRpcMessage,
  ServerConnection,
  ServerLink,
  ServerManifest,
} from './server-connection.ts'
import { nameLengthFault } from './server-names.ts'
import { startTimeout } from './timeout.ts'
import { newToolUseId, toolUseIdOf } from './tool-use-id.ts'

/** `McpServer` or `Server` of @modelcontextprotocol/sdk (v1) or @modelcontextprotocol/server (v2). */
export interface McpServerInstance {
  connect(transport: never): Promise<unknown>
  close(): Promise<unknown>
}

/** An instance serves one session at a time; a factory is called once per session. */
export type McpServerSource = McpServerInstance | (() => McpServerInstance)

const instancesInUse = new WeakSet<McpServerInstance>()

/** Throws McpServerInUseError where the instance serves a session already. */
export function connectForeignServer(
  name: string,
  source: McpServerSource,
  link: ServerLink,
): ServerConnection {
  const instance = typeof source === 'function' ? source() : source
  if (!isServerInstance(instance)) {
    throw new ToolDefinitionError(
      `MCP server '${name}': ${typeof source === 'function' ? 'the factory returned' : 'the instance is'} ` +
        `${describe(instance)} without connect() and close()`,
    )
  }
  if (instancesInUse.has(instance)) throw new McpServerInUseError(name)
  instancesInUse.add(instance)
  return new ForeignServerConnection(name, instance, link)
}

export function isServerInstance(value: unknown): value is McpServerInstance {
  return isRecord(value) && typeof value.connect === 'function' && typeof value.close === 'function'
}

const PROTOCOL = '2025-11-25'
const MANIFEST_TIMEOUT_MS = 5_000

interface ForeignRequest {
  /** The id that the CLI gave; the instance gets ids of ours, so that a client may start over with its own. */
  id: JsonRpcId
  toolUseId: string | undefined
  resolve(response: JsonRpcMessage): void
}

class ForeignServerConnection implements ServerConnection {
  #name: string
  #instance: McpServerInstance
  #link: ServerLink
  #transport: MemoryTransport
  #connected: Promise<unknown>
  #requests = new Map<JsonRpcId, ForeignRequest>()
  #lastId = 0
  #quiet = false
  #closed = false

  constructor(name: string, instance: McpServerInstance, link: ServerLink) {
    this.#name = name
    this.#instance = instance
    this.#link = link
    this.#transport = new MemoryTransport(
      link.sessionId,
      (message) => this.#received(message),
      () => this.#ended(),
    )
    this.#connected = this.#connect()
    // Each request that waits for it gets the failure; without one it must not end the process.
    this.#connected.catch(() => {})
  }

  async #connect(): Promise<void> {
    try {
      await this.#instance.connect(this.#transport as never)
    } catch (error) {
      // It may belong to somebody else: let go of it without closing it.
      this.#ended()
      throw error
    }
  }

  /**
   * Asks the instance what the CLI would ask, and keeps quiet about what it sends meanwhile. Undefined where it gives
   * no simple answer in time: the CLI then asks for itself. Rejects with ToolDefinitionError.
   */
  async manifest(): Promise<ServerManifest | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = startTimeout(MANIFEST_TIMEOUT_MS, () => resolve(undefined))
    })
    this.#quiet = true
    try {
      return await Promise.race([this.#askManifest(), late])
    } finally {
      this.#quiet = false
      clearTimeout(timer)
    }
  }

  async #askManifest(): Promise<ServerManifest | undefined> {
    const clientInfo = { name: 'claude-code-agent', version: '1' }
    const opened = await this.#ask('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo })
    if (!isRecord(opened) || opened.protocolVersion !== PROTOCOL) return undefined
    await this.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })
    if (!isRecord(opened.capabilities) || !opened.capabilities.tools) return undefined
    const listed = await this.#ask('tools/list', {})
    if (!isRecord(listed) || !Array.isArray(listed.tools) || listed.nextCursor !== undefined) return undefined
    const fault = this.#nameFault(listed)
    if (fault !== undefined) throw new ToolDefinitionError(fault)
    return { initializeResult: opened, toolsListResult: { ...listed, tools: listed.tools } }
  }

  #nameFault({ tools }: Record<string, unknown>): string | undefined {
    const names = Array.isArray(tools) ? tools.map((tool) => (isRecord(tool) ? String(tool.name) : '')) : []
    return names.map((name) => nameLengthFault(this.#name, name)).find((fault) => fault !== undefined)
  }

  async #ask(method: string, params: Record<string, unknown>): Promise<unknown> {
    const response = await this.#pass({ jsonrpc: '2.0', id: `manifest ${method}`, method, params })
    return response?.result
  }

  async handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    const response = await this.#pass(message)
    if (message.method !== 'tools/list' || response?.id === undefined || !isRecord(response.result))
      return response
    const fault = this.#nameFault(response.result)
    return fault === undefined ? response : rpcError(response.id, INTERNAL_ERROR, fault)
  }

  async #pass(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    const { id, method } = message
    try {
      await this.#connected
      if (this.#closed) throw new Error('it is closed')
      if (method === 'notifications/cancelled') this.#cancelled(message)
      else if (id === undefined || method === undefined) this.#transport.deliver(message)
      else return await this.#request(id, message)
    } catch (error) {
      const text = `MCP server '${this.#name}': ${errorText(error)}`
      if (id !== undefined && method !== undefined) return rpcError(id, CONNECTION_CLOSED, text)
    }
    return undefined
  }

  #request(id: JsonRpcId, message: JsonRpcMessage): Promise<JsonRpcMessage> {
    const params = isRecord(message.params) ? message.params : {}
    const isCall = message.method === 'tools/call'
    const toolUseId = isCall ? (toolUseIdOf(params) ?? newToolUseId()) : undefined
    const ownId = ++this.#lastId
    return new Promise((resolve) => {
      this.#requests.set(ownId, { id, toolUseId, resolve })
      if (toolUseId !== undefined) {
        const args = isRecord(params.arguments) ? params.arguments : {}
        this.#link.toolCallStarted?.({ toolUseId, toolName: String(params.name), arguments: args })
      }
      try {
        this.#transport.deliver({ ...message, id: ownId })
      } catch (error) {
        this.#answer(ownId, rpcError(id, INTERNAL_ERROR, errorText(error)))
      }
    })
  }

  #answer(ownId: JsonRpcId, response: JsonRpcMessage): void {
    const request = this.#requests.get(ownId)
    if (!request) return
    this.#requests.delete(ownId)
    if (request.toolUseId !== undefined) this.#link.toolCallEnded?.(request.toolUseId)
    request.resolve({ ...response, id: request.id })
  }

  /** The instance aborts its handler and answers nothing, so the answer is ours. */
  #cancelled(message: JsonRpcMessage): void {
    for (const [ownId, request] of [...this.#requests]) {
      if (request.id !== message.params?.requestId) continue
      this.#transport.deliver({ ...message, params: { ...message.params, requestId: ownId } })
      this.#answer(ownId, rpcError(request.id, REQUEST_CANCELLED, 'Request cancelled'))
    }
  }

  /** What the instance sends: a response, a notification, or a request to the client. */
  #received(message: JsonRpcMessage): void {
    const { id, method } = message
    if (method === undefined) {
      if (id !== undefined) this.#answer(id, withJsonResult(message, id))
    } else if (id === undefined) {
      if (!this.#quiet && !this.#closed) this.#link.send(message)
    } else {
      // The CLI offers in-process servers no sampling, elicitation or roots.
      const response =
        method === 'ping'
          ? rpcResult(id, {})
          : rpcError(id, METHOD_NOT_FOUND, `Not offered by this client: ${method}`)
      queueMicrotask(() => this.#transport.deliver(response))
    }
  }

  close(): void {
    if (this.#closed) return
    const closing = (async () => this.#instance.close())()
    this.#ended()
    closing.catch(() => {})
  }

  /** Also where the instance closed by itself. */
  #ended(): void {
    if (this.#closed) return
    this.#closed = true
    instancesInUse.delete(this.#instance)
    for (const [ownId, request] of [...this.#requests]) {
      this.#answer(ownId, rpcError(request.id, CONNECTION_CLOSED, `MCP server '${this.#name}' was closed`))
    }
  }
}

/** Results of foreign handlers may hold what JSON cannot, and would fail when they are written out. */
function withJsonResult(message: JsonRpcMessage, id: JsonRpcId): JsonRpcMessage {
  if (message.result === undefined) return message
  const copy = copyAsJson(message.result)
  return copy.ok
    ? { ...message, result: copy.value }
    : rpcError(id, INTERNAL_ERROR, `The server's result cannot be written as JSON: ${copy.reason}`)
}
