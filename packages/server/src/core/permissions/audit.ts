/** The audit log as a service: what people did, what the server did, and every tool call. */
import { type Actor, deciderOf, serverPrincipal } from '../actor.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { AuditLog, NewAuditEntry } from '../ports/records.ts'
import type { AuditService } from '../services.ts'

export interface Audit extends AuditService {
  /** What somebody did, such as `token_created`. Rejects when it could not be written. */
  record(actor: Actor, action: string, detail?: unknown, sessionId?: string): Promise<void>
  /** Entries in order, in one write. `time` is now. */
  append(entries: Omit<NewAuditEntry, 'time'>[]): Promise<void>
}

export function createAudit({ log, clock }: { log: AuditLog; clock: Clock }): Audit {
  const append = async (entries: Omit<NewAuditEntry, 'time'>[]): Promise<void> => {
    const time = isoTime(clock.now())
    await log.append(entries.map((entry) => ({ time, ...entry })))
  }
  return {
    append,
    record: (actor, action, detail, sessionId) =>
      append([
        {
          action,
          principal: actor.principal,
          decided_by: deciderOf(actor),
          ...(sessionId !== undefined && { session_id: sessionId }),
          ...(detail !== undefined && { detail }),
        },
      ]),
    async list({ principal }, query) {
      const entries = await log.list({
        // What the server did by itself concerns everybody.
        principals: [principal, serverPrincipal],
        limit: query.limit,
        ...(query.session_id !== undefined && { sessionId: query.session_id }),
        ...(query.workspace_id !== undefined && { workspaceId: query.workspace_id }),
        ...(query.tool !== undefined && { tool: query.tool }),
        ...(query.action !== undefined && { action: query.action }),
        ...(query.before !== undefined && { before: query.before }),
      })
      const last = entries.length < query.limit ? undefined : entries.at(-1)
      return { entries, ...(last && { before: last.id }) }
    },
    async verify() {
      const { intact, entries, firstFault } = await log.verify()
      return { intact, entries, ...(firstFault !== undefined && { first_fault: firstFault }) }
    },
  }
}
