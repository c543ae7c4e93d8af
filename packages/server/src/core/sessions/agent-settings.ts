/**
 * The settings that every CLI process gets from us, above all others: what the file tools may never touch, and the sandbox
 * that its commands run in. Pure. Both are needed: rules do not bind commands, and the sandbox does not bind file tools.
 * All of it was measured on CLI 2.1.325; `docs/security.md` says what it promises and what it does not.
 */
import { join } from 'node:path'

export interface AgentSettingsInput {
  /** The state folder. */
  home: string
  /** The CLI's own folder (`~/.claude`), and the file beside it. */
  claudeConfigDir: string
  claudeConfigFile: string
  cwd: string
  /** The workspace's directory, where it is not the same. */
  workspacePath: string | undefined
  sandbox: boolean
  /** Domains that sandboxed commands may reach. */
  allowedDomains: string[]
  /** Addresses that this server listens on besides loopback. */
  ownAddresses: string[]
  /** Hooks in settings files are the owner's (or a trusted project's). Otherwise none of them run. */
  fileHooks: boolean
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

/** Spellings of loopback by address; the sandbox's proxy resolves names and odd notations to these. Wildcards on addresses have no effect. */
const loopback = ['127.0.0.1', '0.0.0.0', 'localhost', '*.localhost', '::1', '::']

/** The variables that must not reach a sandboxed command. */
const secretVariables = [
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
]

/** Tools that carry text from one session into another without asking anybody. */
export const disallowedTools = ['SendMessage', 'ListAgents']

export function agentSettings(input: AgentSettingsInput): Record<string, unknown> {
  return {
    permissions: { deny: denyRules(input) },
    crossSessionInbound: 'refuse',
    skipWebFetchPreflight: true,
    ...(input.fileHooks ? {} : { disableAllHooks: true }),
    sandbox: input.sandbox ? sandboxSettings(input) : { enabled: false },
  }
}

function denyRules({
  home,
  claudeConfigDir,
  claudeConfigFile,
  cwd,
  workspacePath,
  ownAddresses,
}: AgentSettingsInput): string[] {
  const directories = [...new Set([cwd, workspacePath ?? cwd])]
  return [
    `Read(${absolute(home)}/**)`,
    `Edit(${absolute(home)}/**)`,
    `Edit(${absolute(claudeConfigDir)}/**)`,
    `Edit(${absolute(claudeConfigFile)})`,
    ...directories.flatMap((directory) =>
      loadedFromWorkspace.map((path) => `Edit(${absolute(join(directory, path))})`),
    ),
    ...['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', ...ownAddresses].map(
      (host) => `WebFetch(domain:${host})`,
    ),
  ]
}

/** A rule's absolute path begins with two slashes; with one it is relative to the settings' folder, and does nothing. */
function absolute(path: string): string {
  return `/${path}`
}

function sandboxSettings({
  home,
  allowedDomains,
  ownAddresses,
}: AgentSettingsInput): Record<string, unknown> {
  return {
    enabled: true,
    failIfUnavailable: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: false,
    filesystem: { denyRead: [home], denyWrite: [home] },
    network: { deniedDomains: [...loopback, ...ownAddresses], allowedDomains },
    credentials: { envVars: secretVariables.map((name) => ({ name, mode: 'deny' })) },
  }
}
