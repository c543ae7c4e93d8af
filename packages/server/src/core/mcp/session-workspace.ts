/** A workspace as a session sees it, and whether its trust counts there. */
import type { CheckedWorkspace } from '../trust/workspace-trust.ts'
import type { WorkspaceRights } from './resolve-servers.ts'

export interface SessionWorkspace extends WorkspaceRights {
  workspaceId: string | undefined
  path: string | undefined
  /** Of a trusted one: what its `.mcp.json` must be, and its tool modules, by SHA-256. */
  serversFile: string | undefined
  modules: Readonly<Record<string, string>>
}

/** Trust is for the workspace's own directory: what lies below (a vendored package, another clone) is not covered. */
export function sessionWorkspaceOf(
  checked: CheckedWorkspace | undefined,
  cwd: string | undefined,
): SessionWorkspace {
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

const nowhere: SessionWorkspace = {
  workspaceId: undefined,
  path: undefined,
  main: false,
  mode: 'host',
  trusted: false,
  plugins: [],
  serversFile: undefined,
  modules: {},
}
