/**
 * The control protocol over one transport: pairs requests with responses in both directions and passes every
 * other message on. The reader never awaits a handler, so a slow tool, hook or permission question holds up nothing.
 */

import { randomBytes } from 'node:crypto'
import { isRecord } from '@dorkos/processes'
import { CLIConnectionError, ControlProtocolError, TimeoutError } from '../errors.ts'
import { OpenList } from '../open-list.ts'
import type { Transport, TransportExit, TransportFault } from '../transport/transport.ts'

export type CliMessage = Record<string, unknown>

/** How long after a failed write the exit of the process is waited for, since that says more. */
const exitReportMs = 3000

/** What the channel's owner does with what arrives. None of these may throw, save `request`. */
export interface ControlHandlers {
  /** Everything that is not control traffic, in order. */
  message(message: CliMessage): void
  /**
   * A request of the CLI's. The value (or what its promise resolves to) is the answer; a throw or rejection
   * becomes an error answer. `signal` is aborted when the CLI withdraws the request or the channel ends.
   */
  request(request: InboundRequest): unknown
  fault(fault: TransportFault): void
  stderr?(line: string): void
  exit(exit: TransportExit): void
}

export interface InboundRequest {
  id: string
  subtype: string
  payload: Record<string, unknown>
  /** Made on first use: most tool calls never read it. */
  readonly signal: AbortSignal
}

export interface ControlRequestOptions {
  /** 0 waits for ever. Default: the channel's own. */
  timeoutMs?: number
}

interface PendingRequest {
  subtype: string
  resolve(response: Record<string, unknown>): void
  reject(error: Error): void
  timer: NodeJS.Timeout | undefined
}

/** A timer of Node's that is set for longer fires at once. */
const longestTimerMs = 2 ** 31 - 1

export class ControlChannel {
  readonly #transport: Transport
  readonly #handlers: ControlHandlers
  readonly #timeoutMs: number
  readonly #outbound = new Map<string, PendingRequest>()
  readonly #inbound = new OpenList<OpenRequest>()
  /** One process may be spoken to by one channel after another: an answer to the one before must never pass for ours. */
  readonly #name = randomBytes(6).toString('hex')
  #nextId = 0
  #ended: Error | undefined
  /** Called when the number of our open requests becomes zero or stops being zero. */
  onOutboundChange: (() => void) | undefined

  constructor(transport: Transport, handlers: ControlHandlers, options: { timeoutMs: number }) {
    this.#transport = transport
    this.#handlers = handlers
    this.#timeoutMs = options.timeoutMs
  }

  get transport(): Transport {
    return this.#transport
  }

  /** How many requests of ours wait for an answer. While there are any, reading must go on. */
  get pendingRequests(): number {
    return this.#outbound.size
  }

  async open(): Promise<void> {
    await this.#transport.connect({
      message: (message) => this.#receive(message),
      fault: (fault) => this.#handlers.fault(fault),
      stderr: (line) => this.#handlers.stderr?.(line),
      exit: (exit) => this.#handlers.exit(exit),
    })
  }

  /** Asks the CLI. Rejects with `ControlProtocolError`, `TimeoutError`, or what ended the channel. */
  request(
    subtype: string,
    payload: Record<string, unknown> = {},
    options: ControlRequestOptions = {},
  ): Promise<Record<string, unknown>> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = `req_${this.#name}_${++this.#nextId}`
    const line = toLine({ type: 'control_request', request_id: id, request: { subtype, ...payload } })
    if (line instanceof Error) return Promise.reject(line)
    return new Promise((resolve, reject) => {
      const timeoutMs = options.timeoutMs ?? this.#timeoutMs
      const timer =
        timeoutMs > 0 && Number.isFinite(timeoutMs)
          ? setTimeout(
              () => this.#settle(id)?.reject(new TimeoutError(subtype, timeoutMs)),
              Math.min(timeoutMs, longestTimerMs),
            )
          : undefined
      this.#outbound.set(id, { subtype, resolve, reject, timer })
      if (this.#outbound.size === 1) this.onOutboundChange?.()
      this.#transport.write(line).catch((error: unknown) => this.#notWritten(id, error as Error))
    })
  }

  /** Sends a message that is not a control request, such as a user's. */
  async send(message: Record<string, unknown>): Promise<void> {
    if (this.#ended) throw this.#ended
    const line = toLine(message)
    if (line instanceof Error) throw line
    await this.#transport.write(line)
  }

  /** Fails what is open with `reason`, aborts what runs for the CLI, and refuses everything from now on. */
  end(reason: Error): void {
    if (this.#ended) return
    this.#ended = reason
    for (const id of [...this.#outbound.keys()]) this.#settle(id)?.reject(reason)
    for (const open of this.#inbound.removeAll()) open.abort(reason)
  }

  #receive(message: CliMessage): void {
    switch (message.type) {
      case 'control_request':
        return this.#receiveRequest(message)
      case 'control_response':
        return this.#receiveResponse(message)
      case 'control_cancel_request':
        return this.#receiveCancel(message)
      case 'keep_alive':
        return
      default:
        this.#handlers.message(message)
    }
  }

  #receiveRequest(message: CliMessage): void {
    const id = message.request_id
    const payload = message.request
    if (typeof id !== 'string' || !isRecord(payload) || typeof payload.subtype !== 'string') {
      this.#handlers.fault(protocolFault('a control request without id or subtype', message))
      return
    }
    // A request that is repeated (after a second `initialize`) already has its handler at work.
    if (this.#inbound.find(id)) return
    const open = new OpenRequest(id, payload.subtype, payload)
    this.#inbound.add(open)
    let answer: unknown
    try {
      answer = this.#handlers.request(open)
    } catch (error) {
      this.#answerError(open, error)
      return
    }
    if (answer instanceof Promise) {
      answer.then(
        (value) => this.#answer(open, value),
        (error: unknown) => this.#answerError(open, error),
      )
      return
    }
    this.#answer(open, answer)
  }

  #receiveResponse(message: CliMessage): void {
    const response = message.response
    if (!isRecord(response) || typeof response.request_id !== 'string') {
      this.#handlers.fault(protocolFault('a control response without request id', message))
      return
    }
    // No entry: answered late (we gave up) or twice. Both are harmless.
    const pending = this.#settle(response.request_id)
    if (!pending) return
    if (response.subtype === 'success') {
      pending.resolve(isRecord(response.response) ? response.response : {})
      return
    }
    const text = typeof response.error === 'string' ? response.error : 'the CLI gave no reason'
    const code = response.error_code
    pending.reject(
      new ControlProtocolError(`${pending.subtype}: ${text}`, {
        subtype: pending.subtype,
        ...(typeof code === 'string' && { errorCode: code }),
      }),
    )
  }

  #receiveCancel(message: CliMessage): void {
    const id = message.request_id
    if (typeof id !== 'string') {
      this.#handlers.fault(protocolFault('a withdrawal without request id', message))
      return
    }
    // No entry: the answer crossed the withdrawal on its way.
    this.#inbound.find(id)?.abort(new ControlProtocolError('the CLI withdrew the request'))
  }

  /** Most often the process is ending: its exit, which says why, is then reported in a moment. */
  #notWritten(id: string, error: Error): void {
    const pending = this.#outbound.get(id)
    if (!pending) return
    clearTimeout(pending.timer)
    pending.timer = setTimeout(() => this.#settle(id)?.reject(error), exitReportMs)
  }

  #settle(id: string): PendingRequest | undefined {
    const pending = this.#outbound.get(id)
    if (!pending) return undefined
    this.#outbound.delete(id)
    clearTimeout(pending.timer)
    if (this.#outbound.size === 0) this.onOutboundChange?.()
    return pending
  }

  #answer(open: OpenRequest, value: unknown): void {
    if (!this.#inbound.remove(open)) return
    let line: string
    try {
      line = JSON.stringify({
        type: 'control_response',
        response: { subtype: 'success', request_id: open.id, response: value ?? {} },
      })
    } catch (error) {
      this.#inbound.add(open)
      this.#answerError(
        open,
        new ControlProtocolError(`the answer cannot be written as JSON: ${String(error)}`),
      )
      return
    }
    this.#transport.write(line).catch(ignoreLostAnswer)
  }

  #answerError(open: OpenRequest, error: unknown): void {
    if (!this.#inbound.remove(open)) return
    const text = error instanceof Error ? error.message : String(error)
    const line = JSON.stringify({
      type: 'control_response',
      response: { subtype: 'error', request_id: open.id, error: text },
    })
    this.#transport.write(line).catch(ignoreLostAnswer)
  }
}

class OpenRequest implements InboundRequest {
  readonly id: string
  readonly subtype: string
  readonly payload: Record<string, unknown>
  #controller: AbortController | undefined
  #abortedWith: Error | undefined

  constructor(id: string, subtype: string, payload: Record<string, unknown>) {
    this.id = id
    this.subtype = subtype
    this.payload = payload
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#abortedWith) this.#controller.abort(this.#abortedWith)
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#abortedWith ??= reason
    this.#controller?.abort(reason)
  }
}

function toLine(message: Record<string, unknown>): string | CLIConnectionError {
  try {
    return JSON.stringify(message)
  } catch (error) {
    return new CLIConnectionError(`a message cannot be written as JSON: ${String(error)}`)
  }
}

/** The process is gone: its exit is reported on its own way, and nobody is left to read the answer. */
function ignoreLostAnswer(): void {}

function protocolFault(message: string, received: CliMessage): TransportFault {
  const text = JSON.stringify(received)
  return { kind: 'malformed', message, preview: text.slice(0, 200), bytes: text.length }
}
