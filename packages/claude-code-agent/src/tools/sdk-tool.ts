/** Tools, as programs declare them: plain functions that the model can call. */
import type { ArgsOf, ToolInputSchema } from './args-of.ts'
import type { ToolResult } from './tool-result.ts'

/** What a handler learns about the call that it serves. */
export interface ToolContext {
  /** The model's own id of the call (`toolu_…`), as it stands in messages and in `canUseTool`. */
  readonly toolUseId: string
  readonly sessionId: string
  /** Aborts when the call times out, the turn is interrupted, or the session ends. Results after that are dropped. */
  readonly signal: AbortSignal
}

export type ToolReturn = ToolResult | string

/** May be synchronous, and may throw: the model then gets an error result with the message. */
export type ToolHandler<Args> = (args: Args, context: ToolContext) => ToolReturn | Promise<ToolReturn>

/** Hints for clients and models; Claude Code runs calls of tools with `readOnlyHint` side by side. */
export interface ToolAnnotations {
  title?: string | undefined
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

export interface ToolExtras {
  title?: string
  annotations?: ToolAnnotations
  /** What `structuredContent` looks like; results that do not fit become error results. */
  outputSchema?: ToolInputSchema
  /** Milliseconds until the call times out, which is reported to the model. 60,000 by default; 0 or Infinity for never. */
  timeoutMs?: number
  /** Never defer this tool behind tool search. */
  alwaysLoad?: boolean
  /** Words that tool search finds this tool by. */
  searchHint?: string
  _meta?: Record<string, unknown>
}

/** A tool as servers take it: made by `tool()`, or an object literal of this shape. */
export interface SdkTool<TInput = Record<string, unknown>> extends ToolExtras {
  name: string
  description: string
  inputSchema: ToolInputSchema
  /** A method, so that tools of various arguments fit one list of `SdkTool`. */
  handler(args: TInput, context: ToolContext): ToolReturn | Promise<ToolReturn>
}

/** A tool whatever its arguments are; `never` because a handler's arguments vary the other way round. */
export type AnySdkTool = SdkTool<never>

/** What `tool()` takes: as SdkTool, with `args` typed from the schema. */
export interface ToolDefinition<S extends ToolInputSchema> extends ToolExtras {
  name: string
  description: string
  inputSchema: S
  handler: ToolHandler<ArgsOf<S>>
}
