/** Declares tools, in the object form and in the official SDK's form. */
import type { ArgsOf, ToolInputSchema } from './args-of.ts'
import { compileTool } from './compiled-tool.ts'
import type { SdkTool, ToolDefinition, ToolExtras, ToolHandler } from './sdk-tool.ts'

/** Declares a tool; `args` is typed from `inputSchema`. Throws ToolDefinitionError where the declaration cannot work. */
export function tool<const S extends ToolInputSchema>(definition: ToolDefinition<S>): SdkTool<ArgsOf<S>>
export function tool<const S extends ToolInputSchema>(
  name: string,
  description: string,
  inputSchema: S,
  handler: ToolHandler<ArgsOf<S>>,
  extras?: ToolExtras,
): SdkTool<ArgsOf<S>>
export function tool<S extends ToolInputSchema>(
  first: string | ToolDefinition<S>,
  description?: string,
  inputSchema?: S,
  handler?: ToolHandler<ArgsOf<S>>,
  extras?: ToolExtras,
): SdkTool<ArgsOf<S>> {
  const declared =
    typeof first === 'string' ? { ...extras, name: first, description, inputSchema, handler } : { ...first }
  const made = declared as SdkTool<ArgsOf<S>>
  compileTool(made)
  return made
}
