// The part of a Messages API request that scripts read. Everything else stays in the body as it came.

export interface RequestContent {
  type: string
  [field: string]: unknown
}

/** `system` is a role too: the CLI sends its environment and its dates as messages in the middle (CLI 2.1.325). */
export interface RequestMessage {
  role: 'user' | 'assistant' | 'system'
  content: string | RequestContent[]
}

export interface RequestTool {
  name: string
  description?: string
  input_schema?: Record<string, unknown>
  [field: string]: unknown
}

export interface RequestBody {
  model: string
  messages: RequestMessage[]
  system?: string | RequestContent[]
  tools?: RequestTool[]
  stream?: boolean
  max_tokens?: number
  [field: string]: unknown
}

/** The body, or a sentence that says what is wrong with it. */
export function parseRequestBody(raw: string): RequestBody | string {
  let body: unknown
  try {
    body = JSON.parse(raw)
  } catch {
    return 'The request body is not valid JSON'
  }
  if (!isRecord(body)) return 'The request body is not a JSON object'
  if (typeof body.model !== 'string') return 'model: Field required'
  if (!Array.isArray(body.messages)) return 'messages: Field required'
  return body as RequestBody
}

/** The text blocks of a message or of the system prompt. */
export function textParts(content: string | RequestContent[] | undefined): string[] {
  if (content === undefined) return []
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
