/** Options → the payload of the `initialize` request. Pure. */
import type { SessionOptions, SystemPrompt } from '../options.ts'
import type { HookManifest } from '../protocol/hook-registry.ts'
import type { ServerManifest } from '../tools/server-connection.ts'

export interface InitializeParts {
  hooks: HookManifest | undefined
  /** The in-process servers, with a manifest where one can be had. */
  servers: Map<string, ServerManifest | undefined>
}

export function toInitialize(options: SessionOptions, parts: InitializeParts): Record<string, unknown> {
  const manifests = [...parts.servers].filter(
    (entry): entry is [string, ServerManifest] => entry[1] !== undefined,
  )
  const payload: Record<string, unknown> = {
    hooks: parts.hooks,
    sdkMcpServers: parts.servers.size > 0 ? [...parts.servers.keys()] : undefined,
    sdkMcpServerConfigs: serverConfigs(options, parts),
    sdkMcpServerManifests: manifests.length > 0 ? Object.fromEntries(manifests) : undefined,
    jsonSchema: options.outputFormat?.schema,
    agents: options.agents,
    skills: Array.isArray(options.skills) ? options.skills : undefined,
    title: options.title,
    toolAliases: options.toolAliases,
    planModeInstructions: options.planModeInstructions,
    promptSuggestions: options.promptSuggestions,
    agentProgressSummaries: options.agentProgressSummaries,
    forwardSubagentText: options.forwardSubagentText,
    perTaskStopAffordance: options.perTaskStopAffordance,
    plugins: options.pluginDelivery === 'initialize' ? options.plugins : undefined,
    ...systemPromptOf(options.systemPrompt),
  }
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
}

/** Our own servers end a call that takes too long themselves; for the others the CLI has to. */
function serverConfigs(options: SessionOptions, parts: InitializeParts): Record<string, unknown> | undefined {
  const configs: Record<string, unknown> = {}
  for (const name of parts.servers.keys()) {
    const config = options.mcpServers?.[name]
    if (!config || 'addTool' in config || !('instance' in config || 'connect' in config)) continue
    if (config.timeout !== undefined) configs[name] = { timeout: config.timeout }
  }
  return Object.keys(configs).length > 0 ? configs : undefined
}

/** No `systemPrompt` key means Claude Code's own. */
function systemPromptOf(prompt: SystemPrompt | undefined): Record<string, unknown> {
  if (prompt === undefined) return {}
  if (typeof prompt === 'string') return { systemPrompt: [prompt] }
  if (Array.isArray(prompt)) return { systemPrompt: prompt }
  const systemPromptSnapshot = prompt.snapshot
  if ('preset' in prompt) {
    const { append: appendSystemPrompt, excludeDynamicSections } = prompt
    return { appendSystemPrompt, excludeDynamicSections, systemPromptSnapshot }
  }
  return {
    systemPrompt: Array.isArray(prompt.prompt) ? prompt.prompt : [prompt.prompt],
    systemPromptSnapshot,
  }
}
