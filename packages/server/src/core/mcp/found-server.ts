/** MCP servers as they stand in files: each knows the file, scope and line that it came from. */
import type { McpEntryInput, McpScope } from '@dorkos/shared'

/** In order of precedence, strongest first. `dorkos` is DorkOS's own configuration; `settings` is `~/.claude/settings.json`. */
export const mcpScopes = [
  'dorkos',
  'local',
  'project',
  'user',
  'settings',
  'plugin',
] as const satisfies readonly McpScope[]

/**
 * `timeout`: milliseconds per call. `passthrough`: left to the CLI, which starts the server by itself for each session; only in files of the
 * owner, not in a project's or plugin's. `sharing`: how sessions share it; `auto` unless given. In DorkOS's own configuration only: `modes`,
 * workspaces of which mode get it, `['host']` unless given; `disabled`, kept, but given to nobody.
 */
type EntryExtras = Readonly<Pick<McpEntryInput, 'timeout' | 'passthrough' | 'sharing' | 'disabled'>> & {
  modes?: readonly ('host' | 'container')[] | undefined
}

interface StdioEntry extends EntryExtras {
  type: 'stdio'
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Relative to the workspace. */
  cwd?: string
}

interface RemoteEntry extends EntryExtras {
  type: 'http' | 'sse'
  url: string
  headers: Readonly<Record<string, string>>
  /** A command that prints headers. Only with `passthrough`: the CLI runs it. */
  headersHelper?: string
}

/** As it was written: `${VAR}` is not yet expanded. */
export type McpEntry = StdioEntry | RemoteEntry

/** Where a plugin lies, for `${CLAUDE_PLUGIN_ROOT}` and `${CLAUDE_PLUGIN_DATA}`. */
export interface PluginOrigin {
  /** As in `plugin:<name>:<server>`. */
  name: string
  root: string
  data: string
}

export interface FoundServer {
  /** A plugin's is `plugin:<plugin>:<server>`, as the CLI names it. */
  name: string
  scope: McpScope
  /** Absolute. */
  file: string
  /** From 1. */
  line: number
  entry: McpEntry
  /** The plugin that brought it. */
  plugin?: PluginOrigin
  /** It runs the tool modules of a folder, which is its `file`. No entry of any file can say so. */
  modules?: true
}

/** Something in a file that cannot be used. It harms nothing else. */
export interface SourceFault {
  file: string
  /** From 1. */
  line?: number
  /** From 1. Where the text itself is not JSON. */
  column?: number
  scope: McpScope
  /** The entry, where it is about one. Cut, and without control characters. */
  name?: string
  reason: string
}

/** What settings files say about servers: lists by name. */
export interface McpPolicy {
  /** Of a project's `.mcp.json`: these only, when given and `enableAllProject` is not set. */
  enabledProject?: readonly string[]
  disabledProject: readonly string[]
  enableAllProject?: boolean
  /** Switched off for this workspace by `/mcp` in a terminal, whatever their scope. Does not reach DorkOS's own entries. */
  disabled?: readonly string[]
  /** One list a file that has one; a server must pass each, so no file can widen what another allows. Undefined allows all. */
  allowed?: readonly (readonly McpMatcher[])[]
  denied: readonly McpMatcher[]
  /** What files of the workspace say: about its own servers. A clone must not take the owner's away, nor their names. */
  ofWorkspace?: {
    allowed: readonly (readonly McpMatcher[])[]
    denied: readonly McpMatcher[]
  }
}

export type McpMatcher = (
  | { serverName: string }
  /** The command and its arguments, exactly. */
  | { serverCommand: readonly string[] }
  /** May hold `*`. */
  | { serverUrl: string }
) & {
  /** Where it stands. */
  file?: string
}

export interface SourceReading {
  /** SHA-256 of the project's `.mcp.json` as it was read, in hex; absent where there is none. */
  projectFile?: string
  servers: FoundServer[]
  faults: SourceFault[]
  policy: McpPolicy
  /** Every file that was looked for, there or not: what has to be watched. */
  files: string[]
}
