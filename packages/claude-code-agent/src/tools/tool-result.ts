/** From what a handler returned to an MCP result that is valid, and that is always JSON. */
import { isRecord } from '@dorkos/processes'
import { copyRecord, InvalidContent, type ToolContentBlock, toContentBlock } from './content-block.ts'
import { describe, errorText } from './json-value.ts'
import { type CompiledSchema, issueLines, type SchemaCheck } from './schema-check.ts'

/** What a handler may return; a bare string is one text block. */
export interface ToolResult {
  /** May be left out where there is `structuredContent`. */
  content?: readonly ToolContentBlock[] | undefined
  /** Machine-readable result. Claude Code shows the model this in place of the text in `content`. */
  structuredContent?: Record<string, unknown> | undefined
  isError?: boolean | undefined
  _meta?: Record<string, unknown> | undefined
}

/** A result as it goes out: plain JSON. */
export interface CallToolResult {
  content: Record<string, unknown>[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: unknown
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Never throws: what cannot be a result becomes an error result that says why. */
export function toCallToolResult(returned: unknown): CallToolResult {
  if (typeof returned === 'string') return textResult(returned)
  try {
    return convert(returned)
  } catch (error) {
    const reason = error instanceof InvalidContent ? error.message : `it cannot be read: ${errorText(error)}`
    return errorResult(`The tool returned an invalid result: ${reason}`)
  }
}

function convert(returned: unknown): CallToolResult {
  if (!isRecord(returned)) {
    throw new InvalidContent(`expected a string or an object with 'content', got ${describe(returned)}`)
  }
  const { content, structuredContent, isError } = returned
  if (content === undefined && structuredContent === undefined) {
    throw new InvalidContent(`it has neither 'content' nor 'structuredContent'`)
  }
  if (isError !== undefined && typeof isError !== 'boolean') {
    throw new InvalidContent(`isError must be a boolean, got ${describe(isError)}`)
  }
  const result: CallToolResult = { content: content === undefined ? [] : convertContent(content) }
  if (structuredContent !== undefined) {
    copyRecord(result as unknown as Record<string, unknown>, returned, 'structuredContent', 'the result')
    if (content === undefined) {
      result.content.push({ type: 'text', text: JSON.stringify(result.structuredContent) })
    }
  }
  if (isError !== undefined) result.isError = isError
  if (returned._meta !== undefined) {
    copyRecord(result as unknown as Record<string, unknown>, returned, '_meta', 'the result')
  }
  return result
}

function convertContent(content: unknown): Record<string, unknown>[] {
  if (!Array.isArray(content)) throw new InvalidContent(`content must be an array, got ${describe(content)}`)
  const blocks: Record<string, unknown>[] = []
  for (let index = 0; index < content.length; index++) {
    blocks.push(toContentBlock(content[index], `content[${index}]`))
  }
  return blocks
}

/**
 * Holds a result against the tool's `outputSchema`; error results need not fit. The checked value goes out, so that
 * defaults are in it. May reject, as the schema's check may.
 */
export function checkStructuredContent(
  result: CallToolResult,
  schema: CompiledSchema,
): CallToolResult | Promise<CallToolResult> {
  if (result.isError) return result
  if (result.structuredContent === undefined) {
    return errorResult(
      'The tool returned an invalid result: it declares an output schema but returned no structuredContent',
    )
  }
  const check = schema.check(result.structuredContent)
  return check instanceof Promise
    ? check.then((settled) => applyCheck(result, settled))
    : applyCheck(result, check)
}

function applyCheck(result: CallToolResult, check: SchemaCheck): CallToolResult {
  if (!check.ok) {
    return errorResult(
      `The tool returned an invalid result: structuredContent does not fit its output schema:\n${issueLines(check.issues)}`,
    )
  }
  const checked = toCallToolResult({ structuredContent: check.value })
  return checked.isError ? checked : { ...result, structuredContent: checked.structuredContent }
}
