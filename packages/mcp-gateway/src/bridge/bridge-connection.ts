/** One session's side of a bridged server: answers what the session asks, from the catalogue or by asking the server. */
import { randomUUID } from 'node:crypto'
import { isRecord } from '@dorkos/processes'
import type { CatalogueTool } from '../catalogue/catalogue.ts'
import { cleanLine, cutText } from '../catalogue/clean-text.ts'
import { McpCallError } from '../errors.ts'
import type { ServerChange, ServerHold, ToolCallOptions } from '../supervisor/supervised-server.ts'
import type { BridgeOptions, JsonRpcMessage, SessionConnection, SessionLink } from './bridge-types.ts'
import { checkedToolResult, errorText, isTooLarge, toolFailure } from './call-result.ts'
import {
  CONNECTION_CLOSED,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JsonRpcId,
  METHOD_NOT_FOUND,
  REQUEST_CANCELLED,
  rpcError,
  rpcResult,
} from './json-rpc.ts'
import { OpenCall } from './open-call.ts'
import { progressSender } from './progress-sender.ts'
import { metaForServer, progressTokenOf, toolUseIdOf } from './request-meta.ts'
import { SessionView, type ViewMarks } from './session-view.ts'
import { Subscriptions } from './subscriptions.ts'

type Params = Record<string, unknown>

/** What Claude Code asks for; it takes a manifest only where the version is the one that it would ask for. */
const NEWEST_PROTOCOL = '2025-11-25'
const PROTOCOLS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', NEWEST_PROTOCOL])
const CHANGED_MEANWHILE =
  'the server was started for this call and offers the tool differently now, or not at all. A person may have to accept the change first.'
/** Of serverInfo. */
const MAX_INFO_LENGTH = 200

export class BridgeConnection implements SessionConnection {
  readonly #options: BridgeOptions
  readonly #link: SessionLink
  readonly #hold: ServerHold
  readonly #view: SessionView
  readonly #subscriptions: Subscriptions
  readonly #stopListening: (() => void)[] = []
  readonly #open = new Set<OpenCall>()
  /** What the session was last sent; undefined before the handshake. */
  #sent: ViewMarks | undefined
  #declaredResources = false
  #isNotifyPlanned = false
  #closed = false

  /** Throws what `hold` throws. */
  constructor(options: BridgeOptions, link: SessionLink) {
    this.#options = options
    this.#link = link
    this.#hold = options.hold(link.sessionId)
    this.#view = new SessionView(options, this.#hold)
    this.#subscriptions = new Subscriptions(this.#hold)
    this.#stopListening.push(this.#hold.onChange((change) => this.#changed(change)))
    const stop = options.onOfferChange?.(() => this.#notifySoon())
    if (stop) this.#stopListening.push(stop)
  }

  async manifest() {
    const initializeResult = this.#greet(NEWEST_PROTOCOL)
    return { initializeResult, toolsListResult: { tools: this.#listTools() } }
  }

  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    const { id, method } = message
    if (method === undefined) return Promise.resolve(undefined)
    const params = isRecord(message.params) ? message.params : {}
    if (id === undefined) {
      if (method === 'notifications/cancelled') this.#cancelled(params)
      return Promise.resolve(undefined)
    }
    if (this.#closed) return Promise.resolve(rpcError(id, CONNECTION_CLOSED, 'The session has ended'))
    try {
      return Promise.resolve(this.#answer(id, method, params))
    } catch (error) {
      return Promise.resolve(rpcError(id, INTERNAL_ERROR, errorText(error)))
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const stop of this.#stopListening) stop()
    for (const call of [...this.#open]) {
      const response = rpcError(call.id, CONNECTION_CLOSED, 'The session has ended')
      call.abort('The session has ended', response)
    }
    this.#hold.release()
  }

  #answer(id: JsonRpcId, method: string, params: Params): JsonRpcMessage | Promise<JsonRpcMessage> {
    const catalogue = this.#hold.catalogue()
    switch (method) {
      case 'initialize':
        return rpcResult(id, this.#greet(params.protocolVersion))
      case 'ping':
      case 'logging/setLevel':
        return rpcResult(id, {})
      case 'tools/list':
        return rpcResult(id, { tools: this.#listTools() })
      case 'tools/call':
        return this.#callTool(id, params)
      case 'resources/list':
        return rpcResult(id, { resources: catalogue.resources })
      case 'resources/templates/list':
        return rpcResult(id, { resourceTemplates: catalogue.resourceTemplates })
      case 'prompts/list':
        return rpcResult(id, { prompts: catalogue.prompts })
      case 'resources/read':
        return this.#withUri(id, params, () => this.#forward(id, method, params))
      case 'resources/subscribe':
        return this.#withUri(id, params, (uri) =>
          this.#work(id, async (call) => {
            await this.#subscriptions.add(uri, call.signal)
            return {}
          }),
        )
      case 'resources/unsubscribe':
        return this.#withUri(id, params, (uri) => {
          this.#subscriptions.remove(uri)
          return rpcResult(id, {})
        })
      case 'prompts/get':
        if (!catalogue.prompts.some((prompt) => prompt.name === params.name))
          return rpcError(id, INVALID_PARAMS, `Server '${this.#options.name}' has no such prompt`)
        return this.#forward(id, method, params)
      case 'completion/complete':
        return this.#forward(id, method, params)
      default:
        return rpcError(id, METHOD_NOT_FOUND, `Method not found: ${cutText(cleanLine(method), 100)}`)
    }
  }

  /** Tools and prompts are declared before there are any, so that a server that is late can bring them. */
  #greet(asked: unknown): Params {
    const { completions } = this.#hold.catalogue().capabilities
    const instructions = this.#view.instructions()
    const { serverInfo } = this.#hold.status()
    const listChanged = true
    this.#declaredResources = this.#view.hasResources()
    this.#sent = this.#view.marks()
    return {
      protocolVersion: typeof asked === 'string' && PROTOCOLS.has(asked) ? asked : NEWEST_PROTOCOL,
      capabilities: {
        tools: { listChanged },
        prompts: { listChanged },
        ...(this.#declaredResources ? { resources: { listChanged, subscribe: true } } : {}),
        ...(isRecord(completions) ? { completions: {} } : {}),
      },
      serverInfo: {
        name: info(serverInfo?.name) || this.#options.name,
        version: info(serverInfo?.version) || '0',
      },
      ...(instructions === undefined ? {} : { instructions }),
    }
  }

  #listTools(): Params[] {
    if (this.#sent) this.#sent.tools = this.#view.toolsMark()
    this.#notifyOwner()
    return this.#view.listTools()
  }

  #callTool(id: JsonRpcId, params: Params): JsonRpcMessage | Promise<JsonRpcMessage> {
    const name = typeof params.name === 'string' ? params.name : ''
    const tool = this.#view.findTool(name)
    if (!tool || !this.#view.isOffered(tool)) return rpcResult(id, toolFailure(this.#refusal(name, tool)))
    const given = params.arguments ?? {}
    if (!isRecord(given))
      return rpcResult(id, toolFailure(`The arguments of tool '${name}' must be an object.`))
    const toolUseId = toolUseIdOf(params) ?? `toolu_local_${randomUUID()}`
    const link = this.#link
    link.toolCallStarted?.({ toolUseId, toolName: name, arguments: given })
    const run = async (call: OpenCall) => {
      try {
        const upstream = { name: tool.name, arguments: given, ...metaForServer(params) }
        const check = () => this.#checkUnchanged(name, tool)
        const options: ToolCallOptions = { signal: call.signal, check, ...this.#progressOf(call, params) }
        return checkedToolResult(await this.#hold.request('tools/call', upstream, options), name)
      } catch (error) {
        return toolFailure(`Tool '${name}' of MCP server '${this.#options.name}' failed: ${errorText(error)}`)
      }
    }
    return this.#work(id, run, () => link.toolCallEnded?.(toolUseId))
  }

  /** When the server can be asked it may be another process, or the first of the session's own, and what it offers not what was called. */
  #checkUnchanged(name: string, called: CatalogueTool): void {
    const tool = this.#view.findTool(name)
    if (tool?.name === called.name && this.#view.isOffered(tool)) return
    throw new McpCallError(INVALID_PARAMS, CHANGED_MEANWHILE)
  }

  #refusal(name: string, tool: CatalogueTool | undefined): string {
    const server = `MCP server '${this.#options.name}'`
    const quoted = `'${cutText(cleanLine(name), 100)}'`
    if (tool) return `Tool ${quoted} of ${server} is not available in this session.`
    const { state } = this.#hold.status()
    const why = state === 'connected' ? '' : ` The server is not connected now (${state}).`
    return `${server} has no tool ${quoted}.${why}`
  }

  #progressOf(call: OpenCall, params: Params): Pick<ToolCallOptions, 'onProgress'> {
    const token = progressTokenOf(params)
    if (token === undefined) return {}
    return {
      onProgress: progressSender(token, (message) => {
        if (!call.answered && !this.#closed) this.#link.send(message)
      }),
    }
  }

  /** Passes a request on with its parameters, without what is the session's own in `_meta`. */
  #forward(id: JsonRpcId, method: string, params: Params): Promise<JsonRpcMessage> {
    const { _meta, ...rest } = params
    return this.#work(id, async (call) => {
      const result = await this.#hold.request(
        method,
        { ...rest, ...metaForServer(params) },
        { signal: call.signal },
      )
      if (isTooLarge(result)) throw new McpCallError(INTERNAL_ERROR, `The answer to ${method} is too large`)
      return result
    })
  }

  #withUri(
    id: JsonRpcId,
    params: Params,
    run: (uri: string) => JsonRpcMessage | Promise<JsonRpcMessage>,
  ): JsonRpcMessage | Promise<JsonRpcMessage> {
    if (typeof params.uri !== 'string') return rpcError(id, INVALID_PARAMS, 'A uri is needed')
    return run(params.uri)
  }

  #work(
    id: JsonRpcId,
    run: (call: OpenCall) => Promise<unknown>,
    onEnd?: () => void,
  ): Promise<JsonRpcMessage> {
    return new Promise((resolve) => {
      const call = new OpenCall(id, (response) => {
        this.#open.delete(call)
        onEnd?.()
        resolve(response)
      })
      this.#open.add(call)
      run(call).then(
        (result) => call.answer(rpcResult(id, result)),
        (error) => {
          const code = error instanceof McpCallError ? error.code : INTERNAL_ERROR
          call.answer(rpcError(id, code, errorText(error)))
        },
      )
    })
  }

  /** The newest of that id: a client that starts over counts from the beginning. */
  #cancelled(params: Params): void {
    const call = [...this.#open].findLast((one) => one.id === params.requestId)
    call?.abort('The call was cancelled', rpcError(call.id, REQUEST_CANCELLED, 'Request cancelled'))
  }

  #changed(change: ServerChange): void {
    if (this.#closed) return
    if (change.type === 'resource_updated') {
      if (!this.#subscriptions.has(change.uri)) return
      const params = { uri: change.uri }
      this.#link.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
      return
    }
    if (change.type === 'connected') this.#subscriptions.renew()
    this.#notifySoon()
  }

  /** Changes made in one go are sent once. */
  #notifySoon(): void {
    if (this.#isNotifyPlanned || this.#closed) return
    this.#isNotifyPlanned = true
    queueMicrotask(() => {
      this.#isNotifyPlanned = false
      if (!this.#closed) this.#notifyChanges()
    })
  }

  #notifyChanges(): void {
    const sent = this.#sent
    if (!sent) return
    const now = this.#view.marks()
    this.#sent = now
    if (sent.tools !== now.tools) this.#notifyOwner()
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      if (sent[kind] === now[kind] || (kind === 'resources' && !this.#declaredResources)) continue
      this.#link.send({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` })
    }
    if (sent.handshake !== now.handshake) this.#options.onHandshakeOutdated?.(this.#link.sessionId)
  }

  #notifyOwner(): void {
    this.#options.onTools?.(this.#link.sessionId, this.#view.toolNames())
  }
}

function info(text: string | undefined): string {
  return cutText(cleanLine(text ?? ''), MAX_INFO_LENGTH)
}
