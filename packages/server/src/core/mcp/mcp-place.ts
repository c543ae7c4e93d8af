/** A place as sessions see it: a workspace, and whether its trust counts here. */
import type { CheckedWorkspace } from '../trust/workspace-trust.ts'
import type { Place } from './resolve-servers.ts'

export interface McpPlace extends Place {
  workspaceId: string | undefined
  path: string | undefined
  /** Of a trusted one: what its `.mcp.json` must be, and its tool modules, by SHA-256. */
  serversFile: string | undefined
  modules: Readonly<Record<string, string>>
}

/** Trust is for the workspace's own directory: what lies below (a vendored package, another clone) is not covered. */
export function placeOf(checked: CheckedWorkspace | undefined, cwd: string | undefined): McpPlace {
  if (!checked) return nowhere
  const { id, path, main, mode, trusted } = checked.workspace
  const covers = trusted && path === cwd ? checked.covers : undefined
  return {
    workspaceId: id,
    path,
    main,
    mode,
    trusted: covers !== undefined,
    plugins: checked.plugins ?? [],
    serversFile: covers?.serversFile,
    modules: covers?.modules ?? {},
  }
}

const nowhere: McpPlace = {
  workspaceId: undefined,
  path: undefined,
  main: false,
  mode: 'host',
  trusted: false,
  plugins: [],
  serversFile: undefined,
  modules: {},
}
