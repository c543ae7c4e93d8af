import type { IncomingHttpHeaders } from 'node:http'
import { isRecord, type RequestBody, type RequestContent } from './request-body.ts'

/**
 * Who asks. `main` is the session's agent, `subagent` one that it started; `side` is the CLI itself, which asks the model
 * for a title, a summary or a web search in its own name. Only the first two are part of a script.
 */
export type RequestKind = 'main' | 'subagent' | 'side'

/** Distinguished by what CLI 2.1.325 was seen to send. Whatever another client sends is `main`. */
export function requestKind(body: RequestBody, headers: IncomingHttpHeaders): RequestKind {
  if (!headers['user-agent']?.startsWith('claude-cli/')) return 'main'
  if (isFormatQuestion(body) || isServerToolRun(body) || isFork(body) || isPlainQuestion(body)) return 'side'
  return headers['x-claude-code-agent-id'] === undefined ? 'main' : 'subagent'
}

/** A session title, or a hook of type `prompt`: an answer of a fixed shape, without tools. An agent has a tool for that. */
function isFormatQuestion(body: RequestBody): boolean {
  return !hasTools(body) && isRecord(body.output_config) && body.output_config.format !== undefined
}

/** The run of a tool such as WebSearch, which offers the model nothing but a tool of the API's own. */
function isServerToolRun(body: RequestBody): boolean {
  return (
    hasTools(body) && (body.tools ?? []).every((tool) => isRecord(tool) && tool.input_schema === undefined)
  )
}

/**
 * Compaction, a side question, a prompt suggestion: the agent's own conversation with one more question. An agent marks
 * its last message for the cache; a fork, which nobody continues, leaves the mark where the agent had it.
 */
function isFork(body: RequestBody): boolean {
  const marked = body.messages.findLastIndex((message) => isMarked(message.content))
  return marked >= 0 && marked < body.messages.length - 1
}

/** The reading of a fetched page and the like: no tools, no thinking, nothing kept in the cache. */
function isPlainQuestion(body: RequestBody): boolean {
  if (hasTools(body) || body.thinking !== undefined || isMarked(body.system)) return false
  return !body.messages.some((message) => isMarked(message.content))
}

function hasTools(body: RequestBody): boolean {
  return body.tools !== undefined && body.tools.length > 0
}

function isMarked(content: string | RequestContent[] | undefined): boolean {
  return Array.isArray(content) && content.some((part) => isRecord(part) && part.cache_control !== undefined)
}
