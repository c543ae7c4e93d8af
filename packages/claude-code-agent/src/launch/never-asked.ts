/**
 * Finds permission options that do not do what they seem to: above all those with which `canUseTool` is never called,
 * which is never what was meant. What the CLI really does was measured with 2.1.325; see the tests.
 */
import type { SessionOptions } from '../options.ts'

/** The warning, or undefined when the callback is asked as one would expect. Files on disk are not read. */
export function neverAsked(options: SessionOptions): string | undefined {
  if (!options.canUseTool) return undefined
  if (options.permissionPrompts === 'none')
    return "canUseTool is never called: permissionPrompts 'none' denies instead of asking."
  const idle = options.allowedTools?.find((rule) => rule === '*' || rule === 'mcp__*')
  if (idle !== undefined)
    return `allowedTools: '${idle}' allows nothing, since the CLI knows no such rule, so canUseTool is asked about every tool. Name the tools, or use permissionMode.`
  // A hook that answers `ask` reaches the callback in every mode and past every rule.
  if (options.hooks?.PreToolUse?.some((matcher) => matcher.hooks.length > 0)) return undefined
  return shadowedByMode(options) ?? shadowedByRules(options)
}

function shadowedByMode(options: SessionOptions): string | undefined {
  const mode = modeOf(options)
  if (mode === 'dontAsk') return "canUseTool is never called: mode 'dontAsk' denies whatever no rule allows."
  if (mode !== 'bypassPermissions' || strings(permissionSettings(options).ask).length > 0) return undefined
  return (
    "canUseTool is never called for ordinary tools: mode 'bypassPermissions' runs them unasked. Only AskUserQuestion and " +
    'commands that remove the root or home folder still ask. Use a PreToolUse hook to see every call.'
  )
}

/** The command line wins over settings. */
function modeOf(options: SessionOptions): unknown {
  const extra = options.extraArgs ?? {}
  if ('dangerously-skip-permissions' in extra) return 'bypassPermissions'
  return extra['permission-mode'] ?? options.permissionMode ?? permissionSettings(options).defaultMode
}

/** These ask for some calls (questions, plans, protected files and folders) even when a rule allows the tool. */
const alwaysAsk = ['AskUserQuestion', 'ExitPlanMode']
const askForProtectedPaths = ['Bash', 'Write', 'Edit', 'NotebookEdit']

function shadowedByRules(options: SessionOptions): string | undefined {
  const removed = options.disallowedTools ?? []
  const tools = availableTools(options, removed)
  const servers = Object.keys(options.mcpServers ?? {}).filter((name) => !coversServer(removed, name))
  if (!tools || (options.plugins?.length ?? 0) > 0) return undefined
  if (tools.length === 0 && servers.length === 0)
    return 'canUseTool is never called: these options leave the agent no tools.'
  const allowed = options.allowedTools ?? []
  const asking = tools.some((tool) => alwaysAsk.includes(tool) || !coversTool(allowed, tool))
  if (asking || !servers.every((name) => coversServer(allowed, name))) return undefined
  if (strings(permissionSettings(options).ask).length > 0) return undefined
  const exception = tools.some((tool) => askForProtectedPaths.includes(tool))
    ? ' Only changes to protected paths, such as .git and .claude, still ask.'
    : ''
  return `canUseTool is never called for ordinary calls: allowedTools covers every tool that there is, which runs it unasked.${exception}`
}

/** Undefined where only the CLI knows. */
function availableTools(options: SessionOptions, removed: string[]): string[] | undefined {
  if (removed.includes('*')) return []
  if (!Array.isArray(options.tools)) return undefined
  return options.tools.filter((tool) => !removed.includes(tool))
}

/** `Bash(*)` allows every command; a pattern of paths does not reach outside of the workspace. */
function coversTool(rules: string[], tool: string): boolean {
  return rules.includes(tool) || (tool === 'Bash' && rules.includes('Bash(*)'))
}

function coversServer(rules: string[], name: string): boolean {
  return rules.includes('*') || rules.includes(`mcp__${name}`) || rules.includes(`mcp__${name}__*`)
}

function permissionSettings(options: SessionOptions): Record<string, unknown> {
  const settings = options.settings
  const permissions = typeof settings === 'object' ? settings.permissions : undefined
  return typeof permissions === 'object' && permissions !== null
    ? (permissions as Record<string, unknown>)
    : {}
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
