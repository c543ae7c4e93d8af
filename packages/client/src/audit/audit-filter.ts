/** Which lines are shown, as the address says it. */
import { type EndpointQuery, recordIdSchema, sessionIdSchema } from '@dorkos/shared'

export const decisions = ['allow', 'deny'] as const
type AuditDecision = (typeof decisions)[number]

export interface AuditFilter {
  readonly session: string
  /** An id; empty for any. */
  readonly workspace: string
  readonly tool: string
  readonly action: string
  readonly decision: AuditDecision | undefined
}

export const noFilter: AuditFilter = { session: '', workspace: '', tool: '', action: '', decision: undefined }

export function readFilter(search: string): AuditFilter {
  const given = new URLSearchParams(search)
  return {
    session: (given.get('session') ?? '').trim().slice(0, 100),
    workspace: (given.get('workspace') ?? '').trim().slice(0, 100),
    tool: (given.get('tool') ?? '').trim().slice(0, 200),
    action: (given.get('action') ?? '').trim().slice(0, 100),
    decision: decisions.find((decision) => decision === given.get('decision')),
  }
}

export function writeFilter(filter: AuditFilter): string {
  const search = new URLSearchParams()
  for (const name of ['session', 'workspace', 'tool', 'action', 'decision'] as const) {
    const value = filter[name]
    if (value) search.set(name, value)
  }
  return search.toString()
}

export function isFiltered(filter: AuditFilter): boolean {
  return writeFilter(filter) !== ''
}

export function isSessionId(id: string): boolean {
  return sessionIdSchema.safeParse(id).success
}

/** What the server is asked for. It does not know decisions; they stand in lines of one action only. */
export function auditQuery(filter: AuditFilter): NonNullable<EndpointQuery<'listAudit'>> {
  const { session, workspace, tool, decision } = filter
  const action = decision ? 'tool_decided' : filter.action
  return {
    ...(session !== '' && isSessionId(session) && { session_id: session }),
    ...(recordIdSchema.safeParse(workspace).success && { workspace_id: workspace }),
    ...(tool !== '' && { tool }),
    ...(action !== '' && { action }),
  }
}

/** What is left to look at here, after the server. */
export function fits(entry: { decision?: string | undefined }, filter: AuditFilter): boolean {
  return filter.decision === undefined || entry.decision === filter.decision
}
