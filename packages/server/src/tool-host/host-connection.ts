/** The tool host's side of MCP: tools are the folder's, the rest is the SDK's. */
import { createSdkMcpServer, type JsonRpcMessage, type ServerConnection } from 'claude-code-agent'
import { version } from '../version.ts'
import type { ModuleFolder } from './module-folder.ts'
import { modulesUri } from './module-report.ts'

/** How long the first list waits for modules that are still being loaded; those that take longer are announced later. */
const firstListMs = 1000
const invalidParams = -32602

type Send = (message: JsonRpcMessage) => void
type Id = NonNullable<JsonRpcMessage['id']>

export class HostConnection {
  readonly #folder: ModuleFolder
  readonly #send: Send
  readonly #rest: ServerConnection
  readonly #calls = new Map<Id, AbortController>()
  #isInitialized = false

  constructor(name: string, folder: ModuleFolder, send: Send) {
    this.#folder = folder
    this.#send = send
    this.#rest = createSdkMcpServer({ name, version }).connect({ sessionId: '', send })
  }

  async handle(message: JsonRpcMessage): Promise<void> {
    const answer = await this.#answer(message)
    if (answer) this.#send(answer)
  }

  toolsChanged(): void {
    this.#notify('notifications/tools/list_changed')
  }

  reportsChanged(): void {
    this.#notify('notifications/resources/updated', { uri: modulesUri })
  }

  #notify(method: string, params?: Record<string, unknown>): void {
    if (this.#isInitialized) this.#send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
  }

  async #answer(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    const { id, method, params = {} } = message
    if (method === 'notifications/initialized') this.#isInitialized = true
    if (method === 'notifications/cancelled') this.#calls.get(params.requestId as Id)?.abort()
    if (id === undefined) return undefined
    if (method === 'tools/list') {
      await this.#folder.settled(firstListMs)
      return { jsonrpc: '2.0', id, result: { tools: this.#folder.tools() } }
    }
    if (method === 'tools/call') return this.#call(id, params)
    if (method === 'resources/read' && params.uri === modulesUri) {
      await this.#folder.scanned
      const text = JSON.stringify({ modules: this.#folder.reports() })
      const contents = [{ uri: modulesUri, mimeType: 'application/json', text }]
      return { jsonrpc: '2.0', id, result: { contents } }
    }
    return this.#rest.handle(message)
  }

  async #call(id: Id, params: Record<string, unknown>): Promise<JsonRpcMessage> {
    const { name } = params
    const controller = new AbortController()
    const calling = typeof name === 'string' ? this.#folder.call(name, params, controller.signal) : undefined
    if (!calling) {
      const message = `There is no tool '${String(name).slice(0, 100)}'`
      return { jsonrpc: '2.0', id, error: { code: invalidParams, message } }
    }
    this.#calls.set(id, controller)
    const answer = await calling
    if (this.#calls.get(id) === controller) this.#calls.delete(id)
    return { jsonrpc: '2.0', id, ...answer }
  }
}
