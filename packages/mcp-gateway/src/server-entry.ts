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
 * `shared`: one connection for all sessions. `until_asked`: likewise, until the server asks for input for the first time; then as
 * `session`. `session`: all see what one connection lists, and the calls of each go to one of its own, which is opened at the first: for
 * servers that keep state.
 */
export type Sharing = 'shared' | 'until_asked' | 'session'

export interface ServerEntry {
  /** As in `mcp__<name>__<tool>`. */
  name: string
  launch: Launch
  /** Who it was written for, where that is not everybody: entries of different audiences are different servers, with their own sign-ins. */
  audience?: string
  sharing: Sharing
  /** Milliseconds that a call may take; progress sets it back, up to ten times this. */
  timeoutMs: number
  /**
   * Values that nobody may read in what is shown of the server (its standard error output, errors, questions), besides those that are
   * secret by their name. Those of fewer than 8 characters are let through. Not part of what makes two entries one server.
   */
  secrets?: readonly string[]
}
