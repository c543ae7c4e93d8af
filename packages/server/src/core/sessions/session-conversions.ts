/** Between the contract's words for a session and its record's. Pure but for a fork's new id. */
import { randomUUID } from 'node:crypto'
import type { ParsedBody } from '@dorkos/shared'
import type { SessionRecord } from '../ports/records.ts'

export function toRecordChange(body: ParsedBody<'changeSession'>): Partial<SessionRecord> {
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.archived !== undefined && { archived: body.archived }),
    ...(body.pinned !== undefined && { pinned: body.pinned }),
    ...(body.model !== undefined && { model: body.model ?? undefined }),
    ...(body.effort !== undefined && { effort: body.effort ?? undefined }),
    ...(body.permission_mode !== undefined && { permissionMode: body.permission_mode }),
    ...(body.max_turns !== undefined && { maxTurns: body.max_turns }),
    ...(body.budget_usd !== undefined && { budgetUsd: body.budget_usd ?? undefined }),
    ...(body.unattended !== undefined && { unattended: body.unattended }),
  }
}

export function forkOf(
  source: SessionRecord,
  { title, resumeFrom }: { title?: string | undefined; resumeFrom: SessionRecord['resumeFrom'] },
  principal: string,
  now: string,
): SessionRecord {
  return {
    ...source,
    id: randomUUID(),
    title: title ?? (source.title && `${source.title} (fork)`),
    state: 'idle',
    lastOutcome: undefined,
    cliSessionIds: [],
    archived: false,
    pinned: false,
    forkedFrom: source.id,
    resumeFrom,
    proposedCommit: undefined,
    principal,
    createdAt: now,
    updatedAt: now,
  }
}

export function toRewindAnswer(answer: Record<string, unknown>) {
  const { canRewind, filesChanged, insertions, deletions, error } = answer
  return {
    can_rewind: canRewind === true,
    files: Array.isArray(filesChanged) ? filesChanged.map(String) : [],
    ...(typeof insertions === 'number' && { insertions }),
    ...(typeof deletions === 'number' && { deletions }),
    ...(typeof error === 'string' && { reason: error }),
  }
}
