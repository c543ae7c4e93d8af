/** A tool made ready to serve: checked, described for the model, its validators built. Done once per tool. */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { compileSchema } from './input-schema.ts'
import { copyAsJson, describe } from './json-value.ts'
import type { CompiledSchema, JsonObject } from './schema-check.ts'
import type { AnySdkTool, ToolContext } from './sdk-tool.ts'
import { isTimeout, TIMEOUT_RULE } from './timeout.ts'

export interface CompiledTool {
  name: string
  input: CompiledSchema
  output: CompiledSchema | undefined
  /** Undefined where the tool leaves it to its server. */
  timeoutMs: number | undefined
  handler(args: unknown, context: ToolContext): unknown
  /** The entry of `tools/list`; a promise only where a schema library has to be loaded for it. */
  describe(): JsonObject | Promise<JsonObject>
}

/** What MCP allows. Claude Code turns dots into underscores. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/

const compiled = new WeakMap<object, CompiledTool>()

/** Throws ToolDefinitionError, naming the tool. */
export function compileTool(tool: AnySdkTool): CompiledTool {
  if (!isRecord(tool)) throw new ToolDefinitionError(`A tool must be an object, got ${describe(tool)}`)
  const known = compiled.get(tool)
  if (known) return known
  const made = compile(tool)
  compiled.set(tool, made)
  return made
}

function compile(tool: AnySdkTool): CompiledTool {
  const { name, handler, timeoutMs } = tool
  checkName(name)
  const where = `Tool '${name}'`
  if (typeof tool.description !== 'string') {
    throw new ToolDefinitionError(`${where}: description must be a string, got ${describe(tool.description)}`)
  }
  if (typeof handler !== 'function') {
    throw new ToolDefinitionError(`${where}: handler must be a function, got ${describe(handler)}`)
  }
  if (timeoutMs !== undefined && !isTimeout(timeoutMs)) {
    throw new ToolDefinitionError(`${where}: timeoutMs ${TIMEOUT_RULE}, got ${String(timeoutMs)}`)
  }
  const input = compileSchema(tool.inputSchema, 'input', `${where}: inputSchema`)
  const output =
    tool.outputSchema === undefined
      ? undefined
      : compileSchema(tool.outputSchema, 'output', `${where}: outputSchema`)
  const entry = describeTool(tool, where)
  return {
    name,
    input,
    output,
    timeoutMs,
    handler: (handler as CompiledTool['handler']).bind(tool),
    describe: () => withSchemas(entry, input.jsonSchema(), output?.jsonSchema()),
  }
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return
  const shown = typeof name === 'string' ? `'${name}'` : describe(name)
  throw new ToolDefinitionError(`Tool name ${shown}: must be 1 to 128 characters of A-Z a-z 0-9 _ . -`)
}

function describeTool(tool: AnySdkTool, where: string): JsonObject {
  const meta = {
    ...tool._meta,
    ...(tool.alwaysLoad === undefined ? {} : { 'anthropic/alwaysLoad': tool.alwaysLoad }),
    ...(tool.searchHint === undefined ? {} : { 'anthropic/searchHint': tool.searchHint }),
  }
  const copy = copyAsJson({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: tool.annotations,
    _meta: Object.keys(meta).length > 0 ? meta : undefined,
  })
  if (!copy.ok) throw new ToolDefinitionError(`${where}: annotations or _meta: ${copy.reason}`)
  return copy.value as JsonObject
}

function withSchemas(
  entry: JsonObject,
  input: JsonObject | Promise<JsonObject>,
  output: JsonObject | Promise<JsonObject> | undefined,
): JsonObject | Promise<JsonObject> {
  const join = (inputSchema: JsonObject, outputSchema: JsonObject | undefined): JsonObject => ({
    ...entry,
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
  })
  return input instanceof Promise || output instanceof Promise
    ? Promise.all([input, output]).then(([inputSchema, outputSchema]) => join(inputSchema, outputSchema))
    : join(input, output)
}
