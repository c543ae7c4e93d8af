/** One connection to one server: opened once, used, closed. */
import { isRecord } from '@dorkos/processes'
import type { Client, ElicitResult, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { McpCallError } from '../errors.ts'
import type { Launch } from '../server-entry.ts'
import type { ElicitationResult } from '../supervisor/supervised-server.ts'
import { CallTimer } from './call-timer.ts'
import type { UpstreamCredentials } from './credentials.ts'
import type { Link } from './link.ts'
import { openLink } from './open-link.ts'
import { plainLine } from './plain-text.ts'
import type { Redact } from './redactor.ts'
import type { ShownStderr } from './shown-stderr.ts'
import { refusalError, UpstreamError } from './upstream-error.ts'
import { withoutSecrets } from './without-secrets.ts'

export type ListName = 'tools' | 'resources' | 'prompts'

export interface UpstreamOptions {
  name: string
  launch: Launch
  mark: string
  redact: Redact
  credentials?: UpstreamCredentials | undefined
  stderr: ShownStderr
  /** Without it, the server is informed that nobody can be asked. */
  onElicitation?:
    | ((params: Record<string, unknown>, signal: AbortSignal) => Promise<ElicitationResult>)
    | undefined
  onListChanged(list: ListName): void
  onResourceUpdated(uri: string): void
  /** The connection broke. Not called after `close()`, nor before it was open. */
  onLost(error: UpstreamError): void
}

export interface UpstreamInfo {
  serverInfo: { name: string; version: string; title?: string } | undefined
  protocolVersion: string | undefined
  capabilities: Record<string, unknown>
  instructions: string | undefined
}

export interface UpstreamCall {
  timeoutMs: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Record<string, unknown>) => void) | undefined
}

const longestError = 1000
const longestTimer = 2 ** 31 - 1
const clientInfo = { name: 'dorkos', version: '0.1.0' }
/** Results go to the caller as they came, but for what a sign-in gave; what else is in them is the caller's concern. */
const anything = {
  '~standard': { version: 1 as const, vendor: 'dorkos', validate: (value: unknown) => ({ value }) },
}

export class Upstream {
  readonly #options: UpstreamOptions
  #link: Link | undefined
  #client: Client | undefined
  #isOpen = false
  #calls = 0
  /** By token. */
  readonly #onProgress = new Map<unknown, (progress: Record<string, unknown>) => void>()
  /** Questions that a person has not answered yet. */
  #asking = 0
  #closing: Promise<void> | undefined

  constructor(options: UpstreamOptions) {
    this.#options = options
  }

  get #subject(): string {
    return `MCP server "${this.#options.name}"`
  }

  get pid(): number | undefined {
    return this.#link?.pid()
  }

  /** Once. Rejects with UpstreamError; call `close()` then too. It has no time limit of its own: `close()` ends it. */
  async open(): Promise<UpstreamInfo> {
    try {
      const { launch, mark, credentials, stderr } = this.#options
      const link = await openLink({
        launch,
        mark,
        credentials,
        stderr,
        onSuspect: () => void this.isThere().catch(() => {}),
      })
      this.#link = link
      if (this.#closing) throw new UpstreamError('other', 'was stopped')
      const client = await this.#createClient()
      this.#client = client
      this.#hearProgress(link.transport)
      await client.connect(link.transport, { timeout: longestTimer })
      if (link.failure()) throw link.failure()
      this.#isOpen = true
      return this.#clean(infoOf(client))
    } catch (error) {
      throw this.#openError(error)
    }
  }

  /** Rejects with McpCallError. */
  async request(
    method: string,
    params: Record<string, unknown>,
    call: UpstreamCall,
  ): Promise<Record<string, unknown>> {
    const client = this.#client
    if (!client || !this.#isOpen) throw new McpCallError(-32000, `${this.#subject} is not connected.`)
    // While a person is asked something, the server cannot go on.
    const timer = new CallTimer(call.timeoutMs, () => this.#asking > 0, call.signal)
    this.#calls += 1
    const progressToken = `call-${this.#calls}`
    this.#onProgress.set(progressToken, (progress) => {
      timer.reset()
      call.onProgress?.(this.#clean(progress))
    })
    try {
      // Always with a token: without it, the server has no way to say that it is still at work.
      const meta = isRecord(params._meta) ? params._meta : {}
      const request = { method, params: { ...params, _meta: { ...meta, progressToken } } }
      const options = { timeout: longestTimer, signal: timer.signal }
      const result = await client.request(request, anything, options)
      if (isTooDeep(result)) {
        throw new McpCallError(-32603, `${this.#subject} gave an answer that is nested too deeply.`)
      }
      return this.#clean(result as Record<string, unknown>)
    } catch (error) {
      throw this.#callError(error, call)
    } finally {
      timer.stop()
      this.#onProgress.delete(progressToken)
    }
  }

  /** Asks the server for a sign of life; a connection that turns out to be broken is lost by that. */
  async isThere(timeoutMs = 10_000): Promise<void> {
    const isModern = this.#client?.getProtocolEra() === 'modern'
    try {
      await this.request(isModern ? 'server/discover' : 'ping', {}, { timeoutMs })
    } catch {
      // Any answer is a sign of life, and a broken connection is reported by `onLost`.
    }
  }

  /** Never rejects. A process is gone when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#isOpen = false
    await this.#link?.close()
    await this.#client?.close().catch(() => {})
  }

  async #createClient(): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/client')
    const { launch, onElicitation } = this.#options
    const changed = (list: ListName) => ({
      autoRefresh: false,
      debounceMs: 0,
      onChanged: () => this.#options.onListChanged(list),
    })
    const client = new Client(clientInfo, {
      capabilities: onElicitation ? { elicitation: { form: {}, url: {} } } : {},
      // On stdio, to probe for the newer protocol would start a second process.
      versionNegotiation: { mode: launch.type === 'http' ? 'auto' : 'legacy' },
      listChanged: { tools: changed('tools'), resources: changed('resources'), prompts: changed('prompts') },
    })
    if (onElicitation) {
      client.setRequestHandler('elicitation/create', async (request, context) => {
        this.#asking += 1
        try {
          return (await onElicitation({ ...request.params }, context.mcpReq.signal)) as ElicitResult
        } finally {
          this.#asking -= 1
        }
      })
    }
    client.fallbackNotificationHandler = async ({ method, params }) => this.#notified(method, params)
    // A server that says what it should not is none of our faults; it is not even worth a line in the log.
    client.onerror = () => {}
    client.onclose = () => this.#lost()
    return client
  }

  /** Not left to the client, which delivers notifications later than results and so loses the one before a result. */
  #hearProgress(transport: Transport): void {
    const before = transport.onmessage
    transport.onmessage = (message: JSONRPCMessage) => {
      before?.(message)
      if (!('method' in message) || message.method !== 'notifications/progress') return
      const { progressToken, ...progress } = message.params ?? {}
      this.#onProgress.get(progressToken)?.(progress)
    }
  }

  /** Also lists whose changes the server did not announce in its capabilities. */
  #notified(method: string, params: Record<string, unknown> | undefined): void {
    const list = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method)?.[1]
    if (list) this.#options.onListChanged(list as ListName)
    else if (method === 'notifications/resources/updated' && typeof params?.uri === 'string') {
      this.#options.onResourceUpdated(params.uri.slice(0, 4096))
    }
  }

  #lost(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#options.onLost(this.#link?.failure() ?? new UpstreamError('other', 'has closed the connection'))
  }

  #openError(error: unknown): UpstreamError {
    const failure = this.#link?.failure()
    if (failure) return failure
    if (error instanceof UpstreamError) return error
    const { status } = error as { status?: unknown }
    if (status === 401 || status === 403) {
      return refusalError(status, this.#options.credentials !== undefined)
    }
    if (this.#options.launch.type === 'http' && (status === 404 || status === 405)) {
      return new UpstreamError(
        'other',
        `answered HTTP ${status}; if it is a server of the older kind, its type must be "sse"`,
      )
    }
    return new UpstreamError('other', this.#messageOf(error))
  }

  #callError(error: unknown, call: UpstreamCall): McpCallError {
    if (error instanceof McpCallError) return error
    if (call.signal?.aborted) return new McpCallError(-32000, `The call to ${this.#subject} was cancelled.`)
    const { code, data } = error as { code?: unknown; data?: unknown }
    if (typeof code === 'number')
      return new McpCallError(code, this.#messageOf(error), { data: this.#dataOf(data) })
    if (code === 'REQUEST_TIMEOUT') {
      return new McpCallError(-32001, `${this.#subject} did not answer within ${call.timeoutMs / 1000} s.`)
    }
    const failure = this.#link?.failure()
    if (failure)
      return new McpCallError(-32000, `${this.#subject} ended during the call: it ${failure.message}.`)
    if (code === 'CONNECTION_CLOSED')
      return new McpCallError(-32000, `${this.#subject} ended during the call.`)
    return new McpCallError(-32000, `${this.#subject}: ${this.#messageOf(error)}`)
  }

  /** What a sign-in gave is nobody's to read, whoever repeats it. */
  #clean<T>(value: T): T {
    return withoutSecrets(value, this.#options.credentials?.secrets() ?? [])
  }

  #dataOf(data: unknown): unknown {
    return isTooDeep(data) ? undefined : this.#clean(data)
  }

  #messageOf(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error)
    return plainLine(this.#options.redact(plainLine(message, 10 * longestError)), longestError)
  }
}

function infoOf(client: Client): UpstreamInfo {
  const version = client.getServerVersion()
  const serverInfo = version && {
    name: plainLine(version.name, 200),
    version: plainLine(version.version, 100),
    ...(version.title === undefined ? {} : { title: plainLine(version.title, 200) }),
  }
  return {
    serverInfo,
    protocolVersion: client.getNegotiatedProtocolVersion(),
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions(),
  }
}

/** Whether a value is nested deeper than anyone needs: what walks it by recursion would fail on it. */
function isTooDeep(value: unknown, limit = 200): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const inner of Object.values(each)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
  return false
}
