/**
 * The settings that every CLI process gets from us, above all others: what the file tools may never touch, and the
 * sandbox that its commands run in. Pure. Both are needed: rules do not bind commands, and the sandbox does not bind
 * file tools. All of it was measured on CLI 2.1.325; `docs/security.md` says what it promises and what it does not.
 */
import { join } from 'node:path'
import { undocumentedVariables } from 'claude-code-agent'
import type { ClosedPaths } from '../../core/ports/agent.ts'
import { isInside } from '../../core/real-path.ts'

export interface AgentSettingsInput {
  /** The state folder and what belongs to it. */
  stateFolders: readonly string[]
  /** The CLI's own folder (`~/.claude`), and the file beside it. */
  claudeConfigDir: string
  claudeConfigFile: string
  /** The owner's home directory. */
  ownerHome: string
  cwd: string
  /** The workspace's directory, where it is not the same. */
  workspacePath: string | undefined
  /** Other workspaces below these. */
  nested: string[]
  /** What trust in a workspace covers, and no agent may write while it is trusted. */
  closed: ClosedPaths
  sandbox: boolean
  /** The PATH by which the CLI finds the sandbox's own programs, where settings files must not change it. */
  sandboxPath?: string | undefined
  /** Domains that sandboxed commands may reach. */
  allowedDomains: string[]
  /** Addresses that this server listens on besides loopback. */
  ownAddresses: string[]
  /** How the CLI reaches the model without our gateway: variables hidden from commands, files that no tool may read. */
  modelSecrets: { variables: readonly string[]; files: readonly string[] }
  /** Variables that no settings file may change. */
  pinnedVariables: Readonly<Record<string, string>>
  /** Plugins that settings turn on, and nobody has allowed. */
  unloadedPlugins: readonly string[]
}

/** What the CLI loads and runs outside any sandbox. An agent that could write these would leave its own. */
const loadedFromWorkspace = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks/**',
  '.claude/commands/**',
  '.claude/agents/**',
  '.claude/skills/**',
  '.claude/plugins/**',
  '.mcp.json',
  '.git/config',
  '.git/hooks/**',
  '.dorkos/**',
]

/**
 * What no tool reads of the CLI's own folder: a login, a key in `env`, and what the CLI's sandbox hides from commands
 * by itself (keys to its other programs, copies of files; 2.1.325). The file tools see no more than commands do.
 */
const secretInConfigDir = [
  ...['.credentials.json', 'settings.json'],
  ...['bridge-spawn', 'daemon', 'file-history', 'ide', 'seed-admin'].map((folder) => `${folder}/**`),
]

/**
 * What shells, git, ssh and the desktop obey in a home directory, beside the files that the CLI's sandbox closes by
 * itself. It matters where agents work in that directory: elsewhere the sandbox lets them write nothing of it.
 */
const obeyedInHome = [
  ...['.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.zshenv', '.zprofile', '.zlogin'],
  ...['.inputrc', '.envrc', '.npmrc', '.ssh', '.config/git', '.config/fish', '.config/systemd'],
  ...['.config/autostart', '.config/environment.d'],
]

/** Loopback by address: the sandbox's proxy resolves names and odd notations to these. Wildcards have no effect. */
const loopback = ['127.0.0.1', '0.0.0.0', 'localhost', '*.localhost', '::1', '::']

/** The variables that must not reach a sandboxed command. */
const secretVariables = [
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_BASE_URL',
  undocumentedVariables.messagingSocket.name,
  undocumentedVariables.messagingToken.name,
]

export function agentSettings(input: AgentSettingsInput): Record<string, unknown> {
  return {
    permissions: { deny: denyRules(input) },
    crossSessionInbound: 'refuse',
    // Otherwise a request to the model, and not a person, decides what runs in plan mode (seen with 2.1.325).
    useAutoModeDuringPlan: false,
    disableAutoMode: 'disable',
    skipWebFetchPreflight: true,
    // The CLI runs no hook and no module of a plugin: what was allowed is run by the server, where it can be weighed.
    disableAllHooks: true,
    // Commands in the text of skills would run without passing any hook.
    disableSkillShellExecution: true,
    enabledPlugins: Object.fromEntries(input.unloadedPlugins.map((id) => [id, false])),
    ...(Object.keys(input.pinnedVariables).length > 0 && { apiKeyHelper: '' }),
    ...pinned(input),
    sandbox: input.sandbox ? sandboxSettings(input) : { enabled: false },
  }
}

/** Above the `env` of every settings file. */
function pinned({ pinnedVariables, sandboxPath }: AgentSettingsInput): { env: Record<string, string> } {
  return {
    env: {
      ...pinnedVariables,
      ...(sandboxPath !== undefined && { PATH: sandboxPath }),
      // Otherwise a settings file turns the CLI's schedules or mentions on again, has it go on by itself after a crash,
      // or puts a program of its own before every command.
      [undocumentedVariables.scheduledTasksOff.name]: '1',
      [undocumentedVariables.mentionsOff.name]: '1',
      [undocumentedVariables.resumesCutOffTurn.name]: '0',
      CLAUDE_CODE_SHELL_PREFIX: '',
    },
  }
}

function denyRules({
  stateFolders,
  claudeConfigDir,
  claudeConfigFile,
  cwd,
  workspacePath,
  nested,
  closed,
  ownAddresses,
  modelSecrets,
}: AgentSettingsInput): string[] {
  const directories = [...new Set([cwd, workspacePath ?? cwd, ...nested])]
  const secretFiles = secretInConfigDir.map((name) => join(claudeConfigDir, name))
  return [
    ...stateFolders.flatMap((folder) => [`Read(${absolute(folder)}/**)`, `Edit(${absolute(folder)}/**)`]),
    // Of the file: the secrets of MCP servers.
    ...[...secretFiles, claudeConfigFile, ...modelSecrets.files].map((file) => `Read(${absolute(file)})`),
    ...allBut('plans').map((name) => `Edit(${absolute(join(claudeConfigDir, name))})`),
    `Edit(${absolute(claudeConfigFile)})`,
    ...directories.flatMap((directory) =>
      loadedFromWorkspace.map((path) => `Edit(${absolute(join(directory, path))})`),
    ),
    ...closed.files.map((file) => `Edit(${absolute(literal(file))})`),
    ...closed.folders.map((folder) => `Edit(${absolute(literal(folder))}/**)`),
    ...['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', ...ownAddresses].map(
      (host) => `WebFetch(domain:${host})`,
    ),
  ]
}

/**
 * Patterns for every name in a folder but this one: in plan mode the CLI has the agent write its plan to `plans`. Its
 * patterns know no exceptions and no negated classes; other characters than these begin no name that the CLI loads.
 * Case does not count.
 */
function allBut(name: string): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const others = [...name].flatMap((letter, at) => {
    const start = name.slice(0, at)
    return [`${start}[${letters.replace(letter, '')}0-9._-]*`, ...(at > 0 ? [start] : [])]
  })
  return [...others, `${name}?*`]
}

/** Names can hold what a pattern means otherwise. */
function literal(path: string): string {
  return path.replace(/[\\*?[\]{}()!]/g, '\\$&')
}

/** A rule's absolute path begins with two slashes; with one it is relative to the settings' folder and useless. */
function absolute(path: string): string {
  return `/${path}`
}

function sandboxSettings({
  stateFolders,
  allowedDomains,
  ownAddresses,
  modelSecrets,
  ownerHome,
  cwd,
  workspacePath,
  closed,
}: AgentSettingsInput): Record<string, unknown> {
  const worksAtHome = [cwd, workspacePath ?? cwd].some((directory) => isInside(directory, ownerHome))
  const obeyed = worksAtHome ? obeyedInHome.map((name) => join(ownerHome, name)) : []
  const variables = [...new Set([...secretVariables, ...modelSecrets.variables])]
  return {
    enabled: true,
    failIfUnavailable: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: false,
    // Otherwise the owner's own settings file takes walls away: those of files, around sockets and processes, or all,
    // for a command that makes a user namespace or instructs another program.
    allowNestedUserNamespaces: false,
    enableWeakerNestedSandbox: false,
    enableWeakerNetworkIsolation: false,
    allowAppleEvents: false,
    filesystem: {
      disabled: false,
      denyRead: stateFolders,
      denyWrite: [...stateFolders, ...obeyed, ...closed.files, ...closed.folders],
    },
    network: {
      allowAllUnixSockets: false,
      allowLocalBinding: false,
      deniedDomains: [...loopback, ...ownAddresses],
      allowedDomains,
    },
    credentials: { envVars: variables.map((name) => ({ name, mode: 'deny' })) },
  }
}
