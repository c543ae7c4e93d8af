/** Which lines are shown, as the address says it. */
import { type EndpointQuery, recordIdSchema, sessionIdSchema } from '@dorkos/shared'

export const decisions = ['allow', 'deny'] as const
type AuditDecision = (typeof decisions)[number]

export const spans = ['hour', 'today', 'week'] as const
type AuditSpan = (typeof spans)[number]

export interface AuditFilter {
  readonly session: string
  /** An id; empty for any. */
  readonly workspace: string
  readonly tool: string
  readonly action: string
  readonly decision: AuditDecision | undefined
  /** How far back; undefined for all of the log. */
  readonly since: AuditSpan | undefined
}

export const noFilter: AuditFilter = {
  session: '',
  workspace: '',
  tool: '',
  action: '',
  decision: undefined,
  since: undefined,
}

export function readFilter(search: string): AuditFilter {
  const given = new URLSearchParams(search)
  return {
    session: (given.get('session') ?? '').trim().slice(0, 100),
    workspace: (given.get('workspace') ?? '').trim().slice(0, 100),
    tool: (given.get('tool') ?? '').trim().slice(0, 200),
    action: (given.get('action') ?? '').trim().slice(0, 100),
    decision: decisions.find((decision) => decision === given.get('decision')),
    since: spans.find((span) => span === given.get('since')),
  }
}

export function writeFilter(filter: AuditFilter): string {
  const search = new URLSearchParams()
  for (const name of ['session', 'workspace', 'tool', 'action', 'decision', 'since'] as const) {
    const value = filter[name]
    if (value) search.set(name, value)
  }
  return search.toString()
}

export function activeFilters(filter: AuditFilter): number {
  return [...new URLSearchParams(writeFilter(filter))].length
}

export function isFiltered(filter: AuditFilter): boolean {
  return activeFilters(filter) > 0
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

/** What is left to check here, after the server. */
export function fitsFilter(
  entry: { decision?: string | undefined; time: string },
  filter: AuditFilter,
  now: number,
): boolean {
  if (filter.decision !== undefined && entry.decision !== filter.decision) return false
  return isWithin(entry, filter, now)
}

/** The log is in the order of time: where a line is too old, so are all that come after it. */
export function isWithin({ time }: { time: string }, { since }: AuditFilter, now: number): boolean {
  return since === undefined || Date.parse(time) >= beginningOf(since, now)
}

const hourMs = 3_600_000

/** Days are those of this browser. */
function beginningOf(span: AuditSpan, now: number): number {
  if (span === 'hour') return now - hourMs
  if (span === 'week') return now - 7 * 24 * hourMs
  return new Date(now).setHours(0, 0, 0, 0)
}
