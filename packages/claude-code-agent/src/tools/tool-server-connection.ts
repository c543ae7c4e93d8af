/** One session's side of an in-process server: answers the MCP messages that the CLI sends to it. */
import { isRecord } from '@dorkos/processes'
import { AbortError, TimeoutError } from '../errors.ts'
import { OpenList } from '../open-list.ts'
import type { CompiledTool } from './compiled-tool.ts'
import { InvalidContent } from './content-block.ts'
import {
  CONNECTION_CLOSED,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  REQUEST_CANCELLED,
  REQUEST_TIMEOUT,
  RESOURCE_NOT_FOUND,
  rpcError,
  rpcResult,
} from './json-rpc.ts'
import { errorText } from './json-value.ts'
import { OpenRequest } from './open-request.ts'
import { type CompiledPrompt, toPromptResult } from './prompt.ts'
import { type CompiledResource, toReadResult } from './resource.ts'
import type { JsonObject } from './schema-check.ts'
import type {
  JsonRpcId,
  JsonRpcMessage,
  ServerConnection,
  ServerLink,
  ServerManifest,
} from './server-connection.ts'
import { DEFAULT_TOOL_TIMEOUT_MS } from './timeout.ts'
import { ToolCall, type ToolErrorListener } from './tool-call.ts'
import { newToolUseId, toolUseIdOf } from './tool-use-id.ts'

export type ListChange = 'tools' | 'resources' | 'prompts'

/** What a connection serves; the server may change it at any time. */
export interface ServedCatalogue {
  readonly name: string
  readonly version: string
  readonly instructions: string | undefined
  readonly onToolError: ToolErrorListener | undefined
  capabilities(): JsonObject
  findTool(name: string): CompiledTool | undefined
  timeoutOf(tool: CompiledTool): number
  listTools(): Promise<JsonObject[]>
  listResources(): CompiledResource[]
  findPrompt(name: string): CompiledPrompt | undefined
  listPrompts(): CompiledPrompt[]
}

/** What the CLI asks for; it takes a manifest only where the version is the one that it would ask for. */
const NEWEST_PROTOCOL = '2025-11-25'
const PROTOCOLS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', NEWEST_PROTOCOL])

export class ToolServerConnection implements ServerConnection {
  #catalogue: ServedCatalogue
  #link: ServerLink
  #onClose: () => void
  #open = new OpenList<OpenRequest>()
  #closed = false
  /** The capabilities that were announced to the CLI; it is not notified of changes to lists that it was not offered. */
  #announced: JsonObject | undefined

  constructor(catalogue: ServedCatalogue, link: ServerLink, onClose: () => void) {
    this.#catalogue = catalogue
    this.#link = link
    this.#onClose = onClose
  }

  async manifest(): Promise<ServerManifest> {
    const tools = await this.#catalogue.listTools()
    return { initializeResult: this.#initializeResult(NEWEST_PROTOCOL), toolsListResult: { tools } }
  }

  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    const { id, method } = message
    if (method === undefined) return Promise.resolve(undefined)
    const params = isRecord(message.params) ? message.params : {}
    if (id === undefined) {
      this.#notified(method, params)
      return Promise.resolve(undefined)
    }
    if (this.#closed) return Promise.resolve(rpcError(id, CONNECTION_CLOSED, 'The session has ended'))
    if (method === 'tools/call') return this.#callTool(id, params)
    return this.#answer(id, method, params)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#onClose()
    for (const request of this.#open.removeAll()) {
      request.abort(
        new AbortError('The session ended'),
        rpcError(request.id, CONNECTION_CLOSED, 'The session has ended'),
      )
    }
  }

  listsChanged(changes: readonly ListChange[]): void {
    if (this.#closed) return
    for (const change of changes) {
      if (this.#announced && !(change in this.#announced)) continue
      this.#link.send({ jsonrpc: '2.0', method: `notifications/${change}/list_changed` })
    }
  }

  #notified(method: string, params: JsonObject): void {
    if (method !== 'notifications/cancelled') return
    const request = this.#open.find(params.requestId)
    if (!request) return
    const reason = typeof params.reason === 'string' ? `: ${params.reason}` : ''
    request.abort(
      new AbortError(`The call was cancelled${reason}`),
      rpcError(request.id, REQUEST_CANCELLED, 'Request cancelled'),
    )
  }

  #callTool(id: JsonRpcId, params: JsonObject): Promise<JsonRpcMessage> {
    const name = params.name
    const tool = typeof name === 'string' ? this.#catalogue.findTool(name) : undefined
    if (!tool) {
      return Promise.resolve(
        rpcError(id, INVALID_PARAMS, `Server '${this.#catalogue.name}' has no tool '${name}'`),
      )
    }
    const args = params.arguments ?? {}
    const toolUseId = toolUseIdOf(params) ?? newToolUseId()
    const link = this.#link
    return new Promise((resolve) => {
      const request = new OpenRequest(id, resolve, (answered) => {
        this.#open.remove(answered)
        link.toolCallEnded?.(toolUseId)
      })
      this.#open.add(request)
      link.toolCallStarted?.({ toolUseId, toolName: tool.name, arguments: isRecord(args) ? args : {} })
      new ToolCall(tool, request, {
        toolUseId,
        sessionId: link.sessionId,
        timeoutMs: this.#catalogue.timeoutOf(tool),
        onError: this.#catalogue.onToolError,
      }).run(args)
    })
  }

  async #answer(id: JsonRpcId, method: string, params: JsonObject): Promise<JsonRpcMessage> {
    switch (method) {
      case 'initialize':
        return rpcResult(id, this.#initializeResult(params.protocolVersion))
      case 'ping':
      case 'logging/setLevel':
        return rpcResult(id, {})
      case 'tools/list':
        return this.#listTools(id)
      case 'resources/list':
        return rpcResult(id, { resources: this.#listResources(false) })
      case 'resources/templates/list':
        return rpcResult(id, { resourceTemplates: this.#listResources(true) })
      case 'resources/read':
        return this.#readResource(id, params)
      case 'prompts/list':
        return rpcResult(id, { prompts: this.#catalogue.listPrompts().map((prompt) => prompt.entry) })
      case 'prompts/get':
        return this.#getPrompt(id, params)
      default:
        return rpcError(id, METHOD_NOT_FOUND, `Method not found: ${method}`)
    }
  }

  #initializeResult(asked: unknown): JsonObject {
    const { name, version, instructions } = this.#catalogue
    this.#announced = this.#catalogue.capabilities()
    return {
      protocolVersion: typeof asked === 'string' && PROTOCOLS.has(asked) ? asked : NEWEST_PROTOCOL,
      capabilities: this.#announced,
      serverInfo: { name, version },
      ...(instructions === undefined ? {} : { instructions }),
    }
  }

  async #listTools(id: JsonRpcId): Promise<JsonRpcMessage> {
    try {
      return rpcResult(id, { tools: await this.#catalogue.listTools() })
    } catch (error) {
      return rpcError(id, INTERNAL_ERROR, errorText(error))
    }
  }

  #listResources(templates: boolean): JsonObject[] {
    return this.#catalogue
      .listResources()
      .filter((resource) => resource.isTemplate === templates)
      .map((resource) => resource.entry)
  }

  #readResource(id: JsonRpcId, params: JsonObject): JsonRpcMessage | Promise<JsonRpcMessage> {
    const { uri } = params
    if (typeof uri !== 'string') return rpcError(id, INVALID_PARAMS, 'resources/read needs a uri')
    for (const resource of fixedFirst(this.#catalogue.listResources())) {
      const variables = resource.match(uri)
      if (!variables) continue
      return this.#work(id, `resource ${uri}`, async (request) => {
        const returned = await resource.read(uri, { ...this.#context(request), variables })
        return toReadResult(returned, uri, resource.mimeType)
      })
    }
    return rpcError(id, RESOURCE_NOT_FOUND, `Resource not found: ${uri}`, { uri })
  }

  #getPrompt(id: JsonRpcId, params: JsonObject): JsonRpcMessage | Promise<JsonRpcMessage> {
    const { name } = params
    const prompt = typeof name === 'string' ? this.#catalogue.findPrompt(name) : undefined
    if (!prompt)
      return rpcError(id, INVALID_PARAMS, `Server '${this.#catalogue.name}' has no prompt '${name}'`)
    const args = isRecord(params.arguments) ? params.arguments : {}
    const missing = prompt.required.filter((argument) => !Object.hasOwn(args, argument))
    if (missing.length > 0) {
      return rpcError(id, INVALID_PARAMS, `Prompt '${prompt.name}' needs: ${missing.join(', ')}`)
    }
    return this.#work(id, `prompt ${prompt.name}`, async (request) => {
      const returned = await prompt.get(args as Record<string, string>, this.#context(request))
      return toPromptResult(returned, prompt.description)
    })
  }

  #context(request: OpenRequest): { sessionId: string; signal: AbortSignal } {
    return { sessionId: this.#link.sessionId, signal: request.signal }
  }

  /** Runs the program's own code for a request other than a tool call; its failures are JSON-RPC errors. */
  #work(
    id: JsonRpcId,
    what: string,
    run: (request: OpenRequest) => Promise<JsonObject>,
  ): Promise<JsonRpcMessage> {
    return new Promise((resolve) => {
      const request = new OpenRequest(id, resolve, (answered) => this.#open.remove(answered))
      this.#open.add(request)
      request.limit(DEFAULT_TOOL_TIMEOUT_MS, () => {
        const error = new TimeoutError(what, DEFAULT_TOOL_TIMEOUT_MS)
        request.abort(error, rpcError(id, REQUEST_TIMEOUT, error.message))
      })
      run(request).then(
        (result) => request.answer(rpcResult(id, result)),
        (error) => {
          const cause =
            error instanceof InvalidContent ? `invalid result: ${error.message}` : errorText(error)
          request.answer(rpcError(id, INTERNAL_ERROR, `${what}: ${cause}`))
        },
      )
    })
  }
}

/** A resource of exactly this URI comes before a template that fits it too. */
function fixedFirst(resources: readonly CompiledResource[]): CompiledResource[] {
  return [...resources].sort((a, b) => Number(a.isTemplate) - Number(b.isTemplate))
}
