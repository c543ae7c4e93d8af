/** A connection and those who use it. What the server asks a person goes to the holder if there is but one: no question says whose call it is about. */
import { McpCallError } from '../errors.ts'
import type { ServerEntry } from '../server-entry.ts'
import { plainText } from '../upstream/plain-text.ts'
import { type ConnectionOptions, ServerConnection } from './server-connection.ts'
import type { CallOptions, ElicitationRequest, ElicitationResult, Holder } from './supervised-server.ts'

/** More than a person can be asked at once. */
const mostQuestions = 8
const longestQuestion = 4000

interface Seat {
  /** The latest of that id. */
  holder: Holder
  holds: number
  calls: number
  /** Ends what the holder is being asked. */
  left: AbortController
}

export interface SlotOptions extends Omit<ConnectionOptions, 'ask' | 'canAsk'> {
  /** Whether all holders share it. */
  isShared: boolean
  onAsked(): void
  onCall(tool: string, ms: number, isError: boolean): void
}

export class ConnectionSlot {
  readonly connection: ServerConnection
  readonly #options: SlotOptions
  readonly #seats = new Map<string, Seat>()
  #questions = 0

  constructor(options: SlotOptions, first?: Holder) {
    this.#options = options
    if (first) this.take(first)
    this.connection = new ServerConnection({
      ...options,
      canAsk: () => [...this.#seats.values()].some((seat) => seat.holder.onElicitation !== undefined),
      ask: (params, signal) => this.#ask(params, signal),
    })
  }

  get holderIds(): readonly string[] {
    return [...this.#seats.keys()]
  }

  take(holder: Holder): void {
    const seat = this.#seats.get(holder.id)
    if (!seat) {
      this.#seats.set(holder.id, { holder, holds: 1, calls: 0, left: new AbortController() })
      return
    }
    seat.holds += 1
    if (holder.onElicitation) seat.holder = holder
  }

  leave(id: string): void {
    const seat = this.#seats.get(id)
    if (!seat) return
    seat.holds -= 1
    if (seat.holds > 0) return
    this.#seats.delete(id)
    seat.left.abort()
  }

  async request(
    holderId: string,
    entry: ServerEntry,
    method: string,
    params: Record<string, unknown>,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    const { timeoutMs } = entry
    const upstream = await this.connection.ready(timeoutMs, options.signal)
    const seat = this.#seats.get(holderId)
    if (!seat) throw new McpCallError(-32000, `MCP server "${entry.name}" is no longer held by ${holderId}.`)
    const { clock, onCall } = this.#options
    const startedAt = clock.monotonic()
    const tool = method === 'tools/call' && typeof params.name === 'string' ? params.name : undefined
    let isError = true
    seat.calls += 1
    try {
      const { signal, onProgress } = options
      const result = await upstream.request(method, params, { timeoutMs, signal, onProgress })
      isError = result.isError === true
      return result
    } finally {
      seat.calls -= 1
      const isCancelled = options.signal?.aborted === true
      if (tool !== undefined && !isCancelled) onCall(tool, clock.monotonic() - startedAt, isError)
    }
  }

  async #ask(params: Record<string, unknown>, signal: AbortSignal): Promise<ElicitationResult> {
    // First: whoever is asked may change who is here.
    const seat = this.#asked()
    this.#options.onAsked()
    const question = this.#questionOf(params)
    if (!seat?.holder.onElicitation || !question || this.#questions >= mostQuestions)
      return { action: 'cancel' }
    this.#questions += 1
    const ended = new AbortController()
    const end = () => ended.abort()
    const ending = [signal, seat.left.signal]
    for (const each of ending) each.addEventListener('abort', end)
    if (ending.some((each) => each.aborted)) end()
    try {
      const gone = new Promise<ElicitationResult>((resolve) => {
        ended.signal.addEventListener('abort', () => resolve({ action: 'cancel' }))
      })
      const answer = seat.holder.onElicitation({ ...question, signal: ended.signal })
      return checkedAnswer(await Promise.race([answer, gone]), question.schema !== undefined)
    } catch {
      return { action: 'cancel' }
    } finally {
      for (const each of ending) each.removeEventListener('abort', end)
      this.#questions -= 1
    }
  }

  /** Whom the question is for. Nobody may see a question that could be about another's call, be it open or over. */
  #asked(): Seat | undefined {
    const [seat, another] = this.#seats.values()
    if (!seat || another) return undefined
    // One who came when all others had left has nothing to do with what they began.
    return this.#options.isShared && seat.calls === 0 ? undefined : seat
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

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function checkedAnswer(answer: ElicitationResult, isForm: boolean): ElicitationResult {
  if (answer.action === 'decline' || answer.action === 'cancel') return { action: answer.action }
  if (answer.action !== 'accept') return { action: 'cancel' }
  return isForm ? { action: 'accept', content: answer.content ?? {} } : { action: 'accept' }
}
