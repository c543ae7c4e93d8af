/** Options → command line of the CLI. Pure: every option that the CLI takes as a flag is a row here. */
import { InvalidOptionsError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import { withSandbox } from './sandbox-settings.ts'
import type { ExternalServers } from './server-file.ts'

/** What selects the conversation. "The newest one" is looked up before (`latestSession`): the CLI's own flag for it names no id. */
export interface ConversationChoice {
  sessionId?: string | undefined
  resume?: string | undefined
  fork?: boolean | undefined
  resumeAt?: string | undefined
  resumeDropsTurn?: string | undefined
}

const base = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']

/** What the CLI can be given in a file. */
export interface HandedOver {
  /** The MCP servers that the CLI runs, or a file of them. */
  servers: ExternalServers | string
  /** Settings with the sandbox in them, or a file of these. */
  settings: string | undefined
}

/**
 * Values go into one argument with their flag (`--flag=value`), so that no value can be taken for a flag, and never
 * through a shell. Without `handedOver`, settings are part of the command line.
 */
export function toArguments(
  options: SessionOptions,
  conversation: ConversationChoice,
  handedOver: HandedOver = { servers: {}, settings: settingsOf(options) },
): string[] {
  const args = [...base]
  const flag = (name: string, value: string | number | undefined) => {
    if (value !== undefined) args.push(`--${name}=${value}`)
  }
  const toggle = (name: string, on: boolean | undefined) => {
    if (on) args.push(`--${name}`)
  }
  for (const [name, value] of thinkingFlags(options)) flag(name, value)
  flag('effort', options.effort)
  flag('max-turns', options.maxTurns)
  flag('max-budget-usd', options.maxBudgetUsd)
  flag('task-budget', options.taskBudget?.total)
  flag('model', options.model)
  flag('fallback-model', options.fallbackModel)
  flag('agent', options.agent)
  flag('betas', joined(options.betas))
  toggle('debug', options.debug)
  flag('debug-file', options.debugFile)
  flag('permission-prompt-tool', promptTool(options))
  flag('permission-prompts', options.permissionPrompts)
  flag('permission-mode', options.permissionMode)
  toggle(
    'allow-dangerously-skip-permissions',
    options.allowDangerouslySkipPermissions || options.permissionMode === 'bypassPermissions',
  )
  flag('allowedTools', joined(allowedTools(options)))
  flag('disallowedTools', joined(options.disallowedTools))
  flag('tools', toolSet(options.tools))
  flag('mcp-config', serverConfig(handedOver.servers))
  toggle('strict-mcp-config', options.strictMcpConfig)
  flag('setting-sources', options.settingSources?.join(','))
  flag('settings', handedOver.settings)
  flag('managed-settings', options.managedSettings && JSON.stringify(options.managedSettings))
  for (const directory of options.additionalDirectories ?? []) flag('add-dir', directory)
  flag('project-config-root', options.projectConfigRoot)
  if (options.pluginDelivery === 'initialize') toggle('await-initialize', options.plugins !== undefined)
  else
    for (const plugin of options.plugins ?? [])
      flag(plugin.skipMcpDiscovery ? 'plugin-dir-no-mcp' : 'plugin-dir', plugin.path)
  flag('json-schema', options.outputFormat && JSON.stringify(options.outputFormat.schema))
  toggle('include-partial-messages', options.includePartialMessages)
  toggle('include-hook-events', options.includeHookEvents)
  toggle('no-session-persistence', options.persistSession === false)
  for (const [name, value] of conversationFlags(conversation))
    value === true ? toggle(name, true) : flag(name, value)
  for (const [name, value] of Object.entries(options.extraArgs ?? {}))
    value === null ? toggle(name, true) : flag(name, value)
  return args
}

/** The value of `--settings`: JSON or a path. */
export function settingsOf(options: SessionOptions): string | undefined {
  return withSandbox(options.settings, options.sandbox)
}

type Flag<V> = [name: string, value: V]

function thinkingFlags({ thinking, maxThinkingTokens }: SessionOptions): Flag<string | number | undefined>[] {
  if (!thinking)
    return [maxThinkingTokens === 0 ? ['thinking', 'disabled'] : ['max-thinking-tokens', maxThinkingTokens]]
  if (thinking.type === 'disabled') return [['thinking', 'disabled']]
  const display: Flag<string | undefined> = ['thinking-display', thinking.display]
  if (thinking.type === 'enabled' && thinking.budgetTokens !== undefined)
    return [['max-thinking-tokens', thinking.budgetTokens], display]
  return [['thinking', 'adaptive'], display]
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function conversationFlags(choice: ConversationChoice): Flag<string | true | undefined>[] {
  for (const [what, id] of Object.entries({ sessionId: choice.sessionId, resume: choice.resume })) {
    if (id !== undefined && !uuid.test(id))
      throw new InvalidOptionsError(`${what}: '${id}' is not a session id (a UUID)`)
  }
  if (choice.fork && !choice.resume)
    throw new InvalidOptionsError('fork: there is nothing to fork without a session to resume')
  if (choice.sessionId !== undefined && choice.resume !== undefined && !choice.fork)
    throw new InvalidOptionsError('sessionId: a session that is resumed keeps its id, unless it is forked')
  const flags: Flag<string | true | undefined>[] = [
    ['resume', choice.resume],
    ['resume-session-at', choice.resumeAt],
    ['resume-drops-turn', choice.resumeDropsTurn],
    ['session-id', choice.sessionId],
  ]
  if (choice.fork) flags.push(['fork-session', true])
  return flags
}

function promptTool(options: SessionOptions): string | undefined {
  if (!options.canUseTool) return options.permissionPromptToolName
  if (options.permissionPromptToolName)
    throw new InvalidOptionsError(
      'canUseTool and permissionPromptToolName exclude each other: one of them answers',
    )
  return 'stdio'
}

/** Naming skills allows the tool that runs them. */
function allowedTools(options: SessionOptions): string[] | undefined {
  const skills = options.skills
  if (skills === undefined) return options.allowedTools
  const rules = skills === 'all' ? ['Skill'] : skills.map((skill) => `Skill(${skill})`)
  return [...(options.allowedTools ?? []), ...rules]
}

function toolSet(tools: SessionOptions['tools']): string | undefined {
  if (tools === undefined) return undefined
  return Array.isArray(tools) ? tools.join(',') : 'default'
}

/** A file, or the servers themselves. */
function serverConfig(external: ExternalServers | string): string | undefined {
  if (typeof external === 'string') return external
  return Object.keys(external).length > 0 ? JSON.stringify({ mcpServers: external }) : undefined
}

function joined(list: string[] | undefined): string | undefined {
  return list && list.length > 0 ? list.join(',') : undefined
}
