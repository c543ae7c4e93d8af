import { useQuery } from '@tanstack/react-query'
import { useWorkspaces } from '../queries/workspaces.ts'
import { rulesQuery } from '../rules/rules-query.ts'
import { type ToolRules, toolRules } from './tool-permission.ts'

/** Undefined until rules and workspaces are known. */
export function useToolRules(tool: string, workspaceId: string | undefined): ToolRules | undefined {
  const { data } = useQuery(rulesQuery(false))
  const workspace = useWorkspaces().find(({ id }) => id === workspaceId)
  return data && workspace && toolRules(data.rules, tool, workspace)
}
