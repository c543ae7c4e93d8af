/**
 * A connection and those who use it. No question of the server's says whose call it is about: on a connection that is shared it goes
 * to the one holder that has a call under way, and to nobody when that could be several.
 */
import { McpCallError } from '../errors.ts'
import type { ServerEntry } from '../server-entry.ts'
import { plainText } from '../upstream/plain-text.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ElicitationRequest, ElicitationResult, Holder, ToolCallOptions } from './supervised-server.ts'
import { type ConnectionOptions, WatchedConnection } from './watched-connection.ts'

/** More than a person can be asked at once. */
const mostQuestions = 8
const longestQuestion = 4000

interface Claim {
  /** The latest of that id. */
  holder: Holder
  holds: number
  /** Ends what the holder is being asked. */
  left: AbortController
}

export interface SlotOptions extends Omit<ConnectionOptions, 'ask' | 'canAsk'> {
  /** Whether all holders share it. */
  isShared: boolean
  /** `holderId`: who can be asked, if anybody. */
  onAsked(holderId: string | undefined): void
  onCall(tool: string, ms: number, isError: boolean): void
}

export class ConnectionSlot {
  readonly connection: WatchedConnection
  readonly #options: SlotOptions
  readonly #claims = new Map<string, Claim>()
  /** How many calls of each holder are under way, of those that left too. */
  readonly #calls = new Map<string, number>()
  /** Whose calls were given up on, and where: the server may still be at work on them. */
  #givenUp: { upstream: Upstream | undefined; holderIds: Set<string> } = {
    upstream: undefined,
    holderIds: new Set(),
  }
  #questions = 0

  constructor(options: SlotOptions, first: readonly Holder[]) {
    this.#options = options
    for (const holder of first) this.take(holder)
    this.connection = new WatchedConnection({
      ...options,
      canAsk: () => [...this.#claims.values()].some((claim) => claim.holder.onElicitation !== undefined),
      ask: (params, signal) => this.#ask(params, signal),
    })
  }

  get holderIds(): readonly string[] {
    return [...this.#claims.keys()]
  }

  take(holder: Holder): void {
    const claim = this.#claims.get(holder.id)
    if (!claim) {
      this.#claims.set(holder.id, { holder, holds: 1, left: new AbortController() })
      return
    }
    claim.holds += 1
    if (holder.onElicitation) claim.holder = holder
  }

  leave(id: string): void {
    const claim = this.#claims.get(id)
    if (!claim) return
    claim.holds -= 1
    if (claim.holds > 0) return
    this.#claims.delete(id)
    claim.left.abort()
  }

  /** Ends the connection and what is being asked on it. Its process is gone when this resolves. */
  end(): Promise<void> {
    for (const { left } of this.#claims.values()) left.abort()
    this.#claims.clear()
    return this.connection.stop()
  }

  async request(
    holderId: string,
    entry: ServerEntry,
    method: string,
    params: Record<string, unknown>,
    options: ToolCallOptions,
  ): Promise<Record<string, unknown>> {
    const { timeoutMs } = entry
    const upstream = await this.connection.ready(timeoutMs, options.signal)
    if (!this.#claims.has(holderId))
      throw new McpCallError(-32000, `MCP server "${entry.name}" is no longer held by ${holderId}.`)
    options.check?.()
    const { clock, onCall } = this.#options
    const startedAt = clock.monotonic()
    const tool = method === 'tools/call' && typeof params.name === 'string' ? params.name : undefined
    let isError = true
    if (this.#givenUp.upstream !== upstream) this.#givenUp = { upstream, holderIds: new Set() }
    this.#count(holderId, 1)
    try {
      const { signal, onProgress } = options
      const result = await upstream.request(method, params, { timeoutMs, signal, onProgress })
      isError = result.isError === true
      return result
    } catch (error) {
      if (isWithoutAnswer(error) && this.#givenUp.upstream === upstream) this.#givenUp.holderIds.add(holderId)
      throw error
    } finally {
      this.#count(holderId, -1)
      const isCancelled = options.signal?.aborted === true
      if (tool !== undefined && !isCancelled) onCall(tool, clock.monotonic() - startedAt, isError)
    }
  }

  async #ask(params: Record<string, unknown>, signal: AbortSignal): Promise<ElicitationResult> {
    // First: whoever is asked may change who is here.
    const claim = this.#asked()
    this.#options.onAsked(claim?.holder.id)
    const question = this.#questionOf(params)
    if (!claim?.holder.onElicitation || !question || this.#questions >= mostQuestions)
      return { action: 'cancel' }
    this.#questions += 1
    const ended = new AbortController()
    const end = () => ended.abort()
    const ending = [signal, claim.left.signal]
    for (const each of ending) each.addEventListener('abort', end)
    if (ending.some((each) => each.aborted)) end()
    try {
      const gone = new Promise<ElicitationResult>((resolve) => {
        ended.signal.addEventListener('abort', () => resolve({ action: 'cancel' }))
      })
      const answer = claim.holder.onElicitation({ ...question, signal: ended.signal })
      return checkedAnswer(await Promise.race([answer, gone]), question.schema !== undefined)
    } catch {
      return { action: 'cancel' }
    } finally {
      for (const each of ending) each.removeEventListener('abort', end)
      this.#questions -= 1
    }
  }

  /** Whom the question is for. Nobody may see one that could be about another's call, under way or given up on. */
  #asked(): Claim | undefined {
    if (!this.#options.isShared) return this.#claims.values().next().value
    const [id, another] = new Set([...this.#calls.keys(), ...this.#givenUp.holderIds])
    return id !== undefined && another === undefined && this.#calls.has(id) ? this.#claims.get(id) : undefined
  }

  #count(holderId: string, change: 1 | -1): void {
    const calls = (this.#calls.get(holderId) ?? 0) + change
    if (calls > 0) this.#calls.set(holderId, calls)
    else this.#calls.delete(holderId)
  }

  #questionOf(params: Record<string, unknown>): Omit<ElicitationRequest, 'signal'> | undefined {
    const { entry, redact } = this.#options
    const { message, mode, url, requestedSchema } = params
    const text = plainText(
      redact(plainText(typeof message === 'string' ? message : '', 10 * longestQuestion)),
      longestQuestion,
    )
    const base = { server: entry.name, message: text }
    if (mode === 'url') {
      // Anything else than a page of the web could start a program.
      const isPage = typeof url === 'string' && url.length <= 8192 && /^https?:$/.test(protocolOf(url))
      return isPage ? { ...base, schema: undefined, url } : undefined
    }
    const isSchema = typeof requestedSchema === 'object' && requestedSchema !== null
    return isSchema
      ? { ...base, schema: requestedSchema as Record<string, unknown>, url: undefined }
      : undefined
  }
}

/** Of errors that are ours: the call was cancelled, took too long, or lost its connection. */
function isWithoutAnswer(error: unknown): boolean {
  return !(error instanceof McpCallError) || error.code === -32000 || error.code === -32001
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function checkedAnswer(answer: ElicitationResult, isForm: boolean): ElicitationResult {
  if (answer.action === 'decline' || answer.action === 'cancel') return { action: answer.action }
  if (answer.action !== 'accept') return { action: 'cancel' }
  return isForm ? { action: 'accept', content: answer.content ?? {} } : { action: 'accept' }
}
