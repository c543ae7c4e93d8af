/** One call of a tool: check the arguments, run the handler, answer with a valid result. */
import { TimeoutError, ToolExecutionError } from '../errors.ts'
import type { CompiledTool } from './compiled-tool.ts'
import { rpcResult } from './json-rpc.ts'
import { errorText } from './json-value.ts'
import type { OpenRequest } from './open-request.ts'
import { issueLines, type SchemaCheck } from './schema-check.ts'
import type { ToolContext } from './sdk-tool.ts'
import { type CallToolResult, checkStructuredContent, errorResult, toCallToolResult } from './tool-result.ts'

/** Called on every failure of a handler, for logs; the model has its error result by then. */
export type ToolErrorListener = (
  error: ToolExecutionError | TimeoutError,
  call: { toolName: string; toolUseId: string; sessionId: string },
) => void

export class ToolCall {
  #tool: CompiledTool
  #request: OpenRequest
  #toolUseId: string
  #sessionId: string
  #timeoutMs: number
  #onError: ToolErrorListener | undefined

  constructor(
    tool: CompiledTool,
    request: OpenRequest,
    options: {
      toolUseId: string
      sessionId: string
      timeoutMs: number
      onError: ToolErrorListener | undefined
    },
  ) {
    this.#tool = tool
    this.#request = request
    this.#toolUseId = options.toolUseId
    this.#sessionId = options.sessionId
    this.#timeoutMs = options.timeoutMs
    this.#onError = options.onError
  }

  /** Never throws; answers the request, now or later. Stays synchronous where the tool does. */
  run(args: unknown): void {
    try {
      const check = this.#tool.input.check(args)
      if (check instanceof Promise) {
        this.#limit()
        check.then(
          (settled) => this.#invoke(settled),
          (error) => this.#checkFailed(error),
        )
      } else {
        this.#invoke(check)
      }
    } catch (error) {
      this.#checkFailed(error)
    }
  }

  #invoke(check: SchemaCheck): void {
    const request = this.#request
    if (request.answered) return
    if (!check.ok) {
      this.#answer(
        errorResult(`Invalid arguments for tool '${this.#tool.name}':\n${issueLines(check.issues)}`),
      )
      return
    }
    try {
      const context = new CallContext(this.#toolUseId, this.#sessionId, request)
      const returned = this.#tool.handler(check.value, context)
      if (!isThenable(returned)) {
        this.#finish(returned)
        return
      }
      this.#limit()
      const settled = returned instanceof Promise ? returned : Promise.resolve(returned)
      settled.then(
        (value) => this.#finish(value),
        (error) => this.#fail(error),
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  #finish(returned: unknown): void {
    if (this.#request.answered) return
    const result = toCallToolResult(returned)
    const { output } = this.#tool
    if (!output) {
      this.#answer(result)
      return
    }
    try {
      const checked = checkStructuredContent(result, output)
      if (!(checked instanceof Promise)) {
        this.#answer(checked)
        return
      }
      checked.then(
        (settled) => this.#answer(settled),
        (error) => this.#fail(error),
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  #answer(result: CallToolResult): void {
    this.#request.answer(rpcResult(this.#request.id, result))
  }

  #fail(thrown: unknown): void {
    if (this.#request.answered) return
    const text = errorText(thrown)
    this.#answer(errorResult(text))
    this.#report(new ToolExecutionError(this.#tool.name, text, { cause: thrown }))
  }

  /** A schema that throws, such as on arguments nested too deeply, is not the handler's failure. */
  #checkFailed(thrown: unknown): void {
    this.#answer(
      errorResult(`The arguments for tool '${this.#tool.name}' could not be checked: ${errorText(thrown)}`),
    )
  }

  #limit(): void {
    this.#request.limit(this.#timeoutMs, () => this.#timedOut())
  }

  #timedOut(): void {
    const { name } = this.#tool
    const result = errorResult(
      `Tool '${name}' timed out after ${this.#timeoutMs} ms and was told to stop. Its work may be incomplete.`,
    )
    const error = new TimeoutError(`tool ${name}`, this.#timeoutMs)
    this.#request.abort(error, rpcResult(this.#request.id, result))
    this.#report(error)
  }

  #report(error: ToolExecutionError | TimeoutError): void {
    try {
      this.#onError?.(error, {
        toolName: this.#tool.name,
        toolUseId: this.#toolUseId,
        sessionId: this.#sessionId,
      })
    } catch {
      // A listener's own failure is not the session's.
    }
  }
}

/**
 * The signal is made when it is asked for, yet is a property of the object itself, so that a copy has it too. One
 * getter for all calls: an object literal with a getter would cost three times as much.
 */
class CallContext implements ToolContext {
  static readonly #signal: PropertyDescriptor & ThisType<CallContext> = {
    enumerable: true,
    get() {
      return this.#request.signal
    },
  }

  readonly toolUseId: string
  readonly sessionId: string
  declare readonly signal: AbortSignal
  readonly #request: OpenRequest

  constructor(toolUseId: string, sessionId: string, request: OpenRequest) {
    this.toolUseId = toolUseId
    this.sessionId = sessionId
    this.#request = request
    Object.defineProperty(this, 'signal', CallContext.#signal)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise || typeof (value as { then?: unknown } | undefined | null)?.then === 'function'
  )
}
