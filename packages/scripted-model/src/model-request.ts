import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from './reply.ts'
import {
  isRecord,
  type RequestBody,
  type RequestContent,
  type RequestMessage,
  type RequestTool,
  textParts,
} from './request-body.ts'
import { type RequestKind, requestKind } from './request-kind.ts'

export interface RequestToolResult {
  toolUseId: string
  /** The text parts, joined. Images and the like are in `content` only. */
  text: string
  content: unknown
  isError: boolean
}

/** One request to `/v1/messages`: what was asked, and what became of it. */
export class ModelRequest {
  readonly kind: RequestKind
  readonly body: RequestBody
  readonly headers: IncomingHttpHeaders
  /** Milliseconds since the epoch. */
  readonly receivedAt = Date.now()
  readonly #controller = new AbortController()
  /** What the script answered, once it has. */
  reply: Reply | undefined
  /** True once the answer was sent to its scripted end: the last event, the error, or the cut. */
  answered = false

  constructor(body: RequestBody, headers: IncomingHttpHeaders) {
    this.kind = requestKind(body, headers)
    this.body = body
    this.headers = headers
  }

  /** The client went away, or the model was closed, before the answer was complete. */
  get aborted(): boolean {
    return this.signal.aborted
  }

  /** Aborts when `aborted` becomes true. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** For the server: the connection is gone. Not an abort where the script itself cut it. */
  connectionClosed(): void {
    if (!this.answered) this.#controller.abort(new Error('The client went away'))
  }

  get model(): string {
    return this.body.model
  }

  get messages(): readonly RequestMessage[] {
    return this.body.messages
  }

  get tools(): readonly RequestTool[] {
    return this.body.tools ?? []
  }

  get toolNames(): string[] {
    return this.tools.map((tool) => tool.name)
  }

  /** The system prompt as one text. */
  get system(): string {
    return textParts(this.body.system).join('\n')
  }

  /** The CLI's session id, from its header. */
  get sessionId(): string | undefined {
    const value = this.headers['x-claude-code-session-id']
    return typeof value === 'string' ? value : undefined
  }

  /**
   * What the user said last, without the reminders that the CLI puts around it. While the agent works through tool
   * calls this stays what set it off; `toolResults` distinguishes the two. Where background work woke the agent, it is the
   * CLI's notification. What a user says while the agent works is in `newText` only.
   */
  get lastUserText(): string {
    for (const message of this.messages.toReversed()) {
      if (message.role !== 'user') continue
      const parts = textParts(message.content)
      const said = parts.filter((part) => !part.startsWith('<system-reminder>'))
      if (said.length > 0) return said.join('\n')
      if (!hasToolResult(message) && parts.length > 0) return parts.join('\n')
    }
    return ''
  }

  /** All that is new to the model since it last answered, as one text: prompt, reminders and tool results. */
  get newText(): string {
    return this.#newContent()
      .flatMap((part) => (part.type === 'tool_result' ? [toToolResult(part).text] : textParts([part])))
      .join('\n')
  }

  /** The results that answer the model's latest tool uses; empty where the request is not about tool results. */
  get toolResults(): RequestToolResult[] {
    return this.#newContent()
      .filter((part) => part.type === 'tool_result')
      .map((part) => toToolResult(part))
  }

  #newContent(): RequestContent[] {
    const lastAnswer = this.messages.findLastIndex((message) => message.role === 'assistant')
    return this.messages
      .slice(lastAnswer + 1)
      .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
  }
}

function hasToolResult(message: RequestMessage): boolean {
  return Array.isArray(message.content) && message.content.some((part) => part.type === 'tool_result')
}

function toToolResult(part: RequestContent): RequestToolResult {
  const content = part.content
  return {
    toolUseId: String(part.tool_use_id),
    text: textParts(isTextual(content) ? content : undefined).join('\n'),
    content,
    isError: part.is_error === true,
  }
}

function isTextual(content: unknown): content is string | RequestContent[] {
  return typeof content === 'string' || (Array.isArray(content) && content.every((part) => isRecord(part)))
}
