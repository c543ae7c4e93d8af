/** What the keys of a cost report are called: days, workspaces, models, sessions. */
import { useQuery } from '@tanstack/react-query'
import { type SessionName, useSessionTitles } from '../queries/use-session-titles.ts'
import { workspacesQuery } from '../queries/workspaces.ts'
import { text } from '../text/page-text.ts'
import type { CostGroup } from './cost-view.ts'

export interface CostLabel {
  readonly name: string
  /** Where it leads; undefined for what has no page, or no longer. */
  readonly href: string | undefined
}

/** `visible`: the keys to ask the server about. */
export function useCostNames(group: CostGroup, visible: readonly string[]): (key: string) => CostLabel {
  const { data } = useQuery({ ...workspacesQuery, enabled: group === 'workspace' })
  const titleOf = useSessionTitles(group === 'session' ? visible : none)
  return (key) => {
    if (group === 'workspace') return workspaceName(key, data?.workspaces)
    if (group === 'session') return sessionName(key, titleOf(key))
    return { name: key, href: undefined }
  }
}
const none: readonly string[] = []

function workspaceName(id: string, all: readonly { id: string; name: string }[] | undefined): CostLabel {
  if (id === '') return { name: text.costs.noWorkspace, href: undefined }
  if (!all) return { name: id, href: undefined }
  const found = all.find((workspace) => workspace.id === id)
  return found
    ? { name: found.name, href: `/workspaces/${id}` }
    : { name: text.costs.goneWorkspace, href: undefined }
}

function sessionName(id: string, name: SessionName): CostLabel {
  if (name === 'gone') return { name: text.costs.goneSession(id.slice(0, 8)), href: undefined }
  return { name: name?.title ?? id.slice(0, 8), href: `/sessions/${id}` }
}
