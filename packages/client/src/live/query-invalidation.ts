/** Which lists an event of the server's topic makes old. */
import type { ServerEvent } from '@dorkos/shared'

type ListKey = readonly string[]

const listKeys = {
  sessions: ['sessions'],
  approvals: ['approvals'],
  workspaces: ['workspaces'],
  rules: ['rules'],
  mcp: ['mcp'],
  tokens: ['tokens'],
  config: ['config'],
  status: ['status'],
} as const satisfies Record<string, ListKey>

/** After a connection was away: any of them may have changed. */
export const allListKeys: readonly ListKey[] = [...Object.values(listKeys), ['workspace-trust']]

export function staleLists(event: ServerEvent): readonly ListKey[] {
  switch (event.type) {
    case 'session_changed':
    case 'transcript_changed':
      return [listKeys.sessions]
    case 'session_deleted':
      return [listKeys.sessions, listKeys.approvals]
    case 'approval_changed':
      return [listKeys.approvals]
    case 'workspace_changed':
      return [listKeys.workspaces, ['workspace-trust', event.workspace_id]]
    case 'rules_changed':
      return [listKeys.rules]
    case 'token_changed':
      return [listKeys.tokens]
    case 'mcp_changed':
      return [listKeys.mcp]
    case 'config_changed':
      return [listKeys.config, listKeys.status]
    case 'status_changed':
      return [listKeys.status]
    default:
      return []
  }
}

/** All that TanStack's client is needed for here. */
export interface QueryCaches {
  invalidateQueries(filters: { queryKey: ListKey }): unknown
}

const gatherMs = 500

/** Marks lists as old, each once in a short while however many events come. */
export function createInvalidator(queries: () => QueryCaches | undefined): {
  add(keys: readonly ListKey[]): void
  stop(): void
} {
  const waiting = new Map<string, ListKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add(keys) {
      for (const key of keys) waiting.set(JSON.stringify(key), key)
      if (timer !== undefined || waiting.size === 0) return
      timer = setTimeout(() => {
        timer = undefined
        const due = [...waiting.values()]
        waiting.clear()
        for (const queryKey of due) void queries()?.invalidateQueries({ queryKey })
      }, gatherMs)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      waiting.clear()
    },
  }
}
