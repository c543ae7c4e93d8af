/** The complete environment of a CLI process, made from nothing: what is not named here does not reach an agent. */
import type { Config } from '@dorkos/shared'
import { undocumentedVariables as variables } from 'claude-code-agent'
import type { ModelSource } from './find-model-source.ts'
import { pick, type Variables } from './provider-variables.ts'

export interface AgentEnvironmentInput {
  /** The server's own environment. */
  base: Variables
  config: Pick<Config, 'agentEnv'> & { mcp: Pick<Config['mcp'], 'toolSearch'> }
  modelSource: ModelSource
  /** Issued by the model gateway for this session; needed where model calls pass it. */
  sessionCredential: string | undefined
  gatewayUrl: string | undefined
  /** The CLI's folder for sessions of the demo model, so that they never mix with the owner's. */
  demoConfigDir: string
  /** The agent's commands run in a sandbox. */
  sandbox: boolean
  /** Variables of the container that the CLI runs in: they stand for the owner's. */
  container?: Readonly<Record<string, string>> | undefined
  /** A person knows that an agent works in the session's folder. */
  folderConfirmed: boolean
  /** Whether the server runs as root. */
  root?: boolean
}

const language = ['LANG', 'LANGUAGE', /^LC_[A-Z]+$/, 'TZ', 'TERM']

/** What programs expect of any environment. */
const inherited = [...language, 'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'CLAUDE_CONFIG_DIR']

/** No telemetry, no updates, no calls but to the model. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  // Off by default without a terminal; people want to see what the agent is about to do.
  [variables.todoTools.name]: '1',
  // Otherwise the CLI obeys `.claude/scheduled_tasks.json` of any folder: turns that nobody caused (2.1.325).
  [variables.scheduledTasksOff.name]: '1',
  // Otherwise the CLI reads what a message names with `@`, anywhere, and nothing of ours sees it (2.1.325). Now the
  // model gets the names of those files, and reads them by a tool call, which is decided about as any other.
  [variables.mentionsOff.name]: '1',
  // A call that a kill cut off stays in what the model sees after a resume, as one whose outcome is unknown; were it
  // dropped, the model would do half-done work again. 2.1.325 shows it without being asked, when a message of ours
  // comes next.
  [variables.showsCutOffCalls.name]: '1',
}

/** What the CLI would read of its folder without a tool call that could be asked about: memory, what git says. */
const readsNothing = {
  [variables.memoryOff.name]: '1',
  [variables.gitOff.name]: '1',
}

/**
 * Not even where the owner names them in `agentEnv`: they load code into every program (or into git), belong to this
 * server, decide where the model is, or are the key to it.
 */
const neverPassed = [
  /^(LD|DYLD|GIT|DORKOS|BASH_FUNC)_/,
  /^(NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS)$/,
  /^(PYTHONSTARTUP|PYTHONPATH|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/,
  /^ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS|UNIX_SOCKET)$/,
  /^(CLAUDECODE|CLAUDE_CODE_.*|CLAUDE_AGENT_SDK_.*|CLAUDE_PID)$/,
]

export function agentEnvironment(input: AgentEnvironmentInput): Record<string, string> {
  const { base, config, modelSource, container } = input
  if (container)
    return {
      ...pick(base, language),
      ...container,
      ...quiet,
      ...toolSearch(input),
      ...modelVariables(input),
      ...contained(input),
    }
  const named = config.agentEnv.filter((name) => !neverPassed.some((pattern) => pattern.test(name)))
  return {
    ...pick(base, named),
    ...pick(base, inherited),
    ...quiet,
    ...toolSearch(input),
    ...(input.folderConfirmed ? {} : readsNothing),
    ...modelVariables(input),
    ...(modelSource.kind === 'demo' ? { CLAUDE_CONFIG_DIR: input.demoConfigDir } : {}),
    ...contained(input),
  }
}

/** What hooks get that the server runs: as an agent's commands, without anything that leads to the model. */
export function hookEnvironment({
  base,
  config,
  container,
}: Pick<AgentEnvironmentInput, 'base' | 'container'> & { config: Pick<Config, 'agentEnv'> }): Record<
  string,
  string
> {
  if (container) return { ...pick(base, language), ...container }
  const named = config.agentEnv.filter((name) => !neverPassed.some((pattern) => pattern.test(name)))
  return { ...pick(base, named), ...pick(base, inherited) }
}

/** The names in `agentEnv` that are not passed on, for a warning. */
export function refusedVariables(config: Pick<Config, 'agentEnv'>): string[] {
  return config.agentEnv.filter((name) => neverPassed.some((pattern) => pattern.test(name)))
}

/** Left to itself the CLI looks all of them up (2.1.325). The demo model's rules go by the tools that it is offered. */
function toolSearch({ config, modelSource }: AgentEnvironmentInput): Record<string, string> {
  const values = { auto: 'auto', on: 'true', off: 'false' }
  const value = modelSource.kind === 'demo' ? 'false' : values[config.mcp.toolSearch]
  return { ENABLE_TOOL_SEARCH: value }
}

function modelVariables({
  modelSource,
  gatewayUrl,
  sessionCredential,
}: AgentEnvironmentInput): Record<string, string> {
  // Settings files (a project's, above all) cannot send model calls elsewhere then, and the agent's commands do not get
  // the credential. A login from the CLI's own file is not found any more with it (both 2.1.325).
  const managed = { [variables.providerManaged.name]: '1' }
  if (modelSource.kind === 'cli') {
    const fromFile =
      modelSource.source === 'cli_login' && modelSource.env.CLAUDE_CODE_OAUTH_TOKEN === undefined
    return { ...modelSource.env, ...(fromFile ? {} : managed) }
  }
  if (gatewayUrl === undefined || sessionCredential === undefined) {
    throw new Error('A session that uses the model gateway needs its address and a credential')
  }
  return { ...managed, ANTHROPIC_BASE_URL: gatewayUrl, ANTHROPIC_AUTH_TOKEN: sessionCredential }
}

/** As root the CLI refuses `bypassPermissions` unless its environment says that it is contained: by us or the owner. */
function contained({
  base,
  sandbox,
  root = process.getuid?.() === 0,
}: AgentEnvironmentInput): Record<string, string> {
  const { name } = variables.contained
  return root && (sandbox || base[name] === '1') ? { [name]: '1' } : {}
}
