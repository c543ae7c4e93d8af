import { type Block, text } from './block.ts'

// What the model can do with one request: answer, refuse, hang or break off.

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'

export interface Usage {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

/** How fast blocks are streamed. */
export interface Pace {
  /** Before the first byte of the answer. */
  delayMs?: number
  /** Before each content delta. */
  deltaDelayMs?: number
  /** Characters in one content delta. */
  deltaSize?: number
}

export interface ReplyOptions extends Pace {
  /** `tool_use` when there is a tool use among the blocks, else `end_turn`. */
  stopReason?: StopReason
  /** Laid over an estimate from the request's and the reply's size. */
  usage?: Partial<Usage>
}

export interface MessageReply extends ReplyOptions {
  kind: 'message'
  blocks: readonly Block[]
}

/** Where a stream stops before its end. */
export interface BreakPoint extends Pace {
  /** How many content deltas are sent first. Absent: not even the status line is sent. */
  afterDeltas?: number
  /** What is being streamed up to there. A long text if absent. */
  blocks?: readonly Block[]
}

export interface ErrorOptions extends BreakPoint {
  /** Seconds, sent as the `retry-after` header. */
  retryAfter?: number
  /** More response headers, such as `x-should-retry`. */
  headers?: Record<string, string>
  /** The error's type where it is not the usual one of its status. */
  errorType?: string
  /**
   * Not used up by one request: it answers every further one too, until a later step takes over. The CLI asks again after
   * most errors, so this is how one becomes final.
   */
  sticky?: boolean
}

export interface ErrorReply extends ErrorOptions {
  kind: 'error'
  status: number
  errorType: string
  message: string
}

export interface HangReply extends BreakPoint {
  kind: 'hang'
}

export interface CutReply extends BreakPoint {
  kind: 'cut'
}

export type Reply = MessageReply | ErrorReply | HangReply | CutReply

/** A reply, or short for one: a string is its text, blocks alone are a message made of them. */
export type Step = Reply | Block | readonly Block[] | string

/** One model message out of several blocks. */
export function reply(blocks: readonly (Block | string)[], options: ReplyOptions = {}): MessageReply {
  return { kind: 'message', ...options, blocks: blocks.map((block) => asBlock(block)) }
}

const ERRORS: Record<number, { type: string; message: string }> = {
  400: { type: 'invalid_request_error', message: 'Invalid request' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use this resource' },
  404: { type: 'not_found_error', message: 'Not found' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: "This request would exceed your account's rate limit" },
  500: { type: 'api_error', message: 'Internal server error' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

/**
 * An error in the API's shape. With `afterDeltas` the answer begins with status 200 and the error comes as an event
 * inside the stream, as the API does when it is overloaded half-way.
 */
export function apiError(status: number, message?: string, options: ErrorOptions = {}): ErrorReply {
  const usual = ERRORS[status] ?? { type: 'api_error', message: `HTTP status ${status}` }
  return { kind: 'error', errorType: usual.type, ...options, status, message: message ?? usual.message }
}

/** Never answers, or goes silent after some deltas. Ends when the client goes away or the model is closed. */
export function hang(options: BreakPoint = {}): HangReply {
  return { kind: 'hang', ...options }
}

/** Destroys the connection: at once, or after some deltas. */
export function cut(options: BreakPoint = {}): CutReply {
  return { kind: 'cut', ...options }
}

/** Resolves the short forms of a step. */
export function toReply(step: Step): Reply {
  if (typeof step === 'string') return reply([step])
  if (isList(step)) return reply(step)
  return 'kind' in step ? step : reply([step])
}

function isList(step: Exclude<Step, string>): step is readonly Block[] {
  return Array.isArray(step)
}

function asBlock(block: Block | string): Block {
  return typeof block === 'string' ? text(block) : block
}
