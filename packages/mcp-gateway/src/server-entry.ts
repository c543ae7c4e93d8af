/** What it takes to reach one MCP server. Everything is final: variables expanded, secrets put in, paths absolute. */
export interface StdioLaunch {
  type: 'stdio'
  command: string
  args: readonly string[]
  /** The complete environment of the process; nothing is added from ours but a mark to find it again. */
  env: Readonly<Record<string, string>>
  cwd: string
}

export interface HttpLaunch {
  type: 'http' | 'sse'
  url: string
  headers: Readonly<Record<string, string>>
}

export type Launch = StdioLaunch | HttpLaunch

/**
 * `shared`: one connection for all sessions. `session`: one for each, as for servers that keep state or ask people for input.
 * `auto`: shared until the server asks for input for the first time.
 */
export type Sharing = 'auto' | 'shared' | 'session'

export interface ServerEntry {
  /** As in `mcp__<name>__<tool>`. */
  name: string
  launch: Launch
  /** Who it was written for, where that is not everybody: entries of different places are different servers, with their own sign-ins. */
  place?: string
  sharing: Sharing
  /** Milliseconds that a call may take; progress sets it back, up to ten times this. */
  timeoutMs: number
  /**
   * Values that nobody may read in what is told of the server (its standard error output, errors, questions), besides those that are
   * secret by their name. Those of fewer than 8 characters are let through. Not part of what makes two entries one server.
   */
  secrets?: readonly string[]
}
