/**
 * Every session of this machine as the contract shows it: what DorkOS keeps about it, what its process says now, and what
 * its transcript says. Sessions of terminals have a transcript only.
 */
import {
  type FrozenProfile,
  isQueueHeld,
  type ParsedQuery,
  parseEventId,
  type Session,
  say,
} from '@dorkos/shared'
import { type Actor, ownerPrincipal } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { ApprovalStore, EventLog, Lease, TurnQueue } from '../ports/coordination.ts'
import type { Ledger, SessionRecord, SessionStore } from '../ports/records.ts'
import type { TranscriptInfo, TranscriptReader } from '../ports/transcripts.ts'
import { CliSessions } from './cli-sessions.ts'
import type { SessionRunner } from './session-runner.ts'

export interface DirectoryParts {
  sessions: SessionStore
  transcripts: TranscriptReader
  approvals: ApprovalStore
  turns: TurnQueue
  events: Pick<EventLog, 'latest'>
  leases: Pick<Lease, 'running'>
  ledger: Ledger
  runner(sessionId: string): SessionRunner | undefined
  /** The innermost workspace that holds a directory. */
  workspaceFor(path: string): Promise<{ id: string } | undefined>
  /** The directory of a workspace. */
  pathOf(workspaceId: string): Promise<string>
  inUseElsewhere(cliSessionId: string): Promise<boolean>
  /** Only this server starts sessions in the folder that a transcript lies in: one that it does not know is not a session. */
  isOwnFolder?(path: string): boolean
}

interface Position {
  updatedAt: string
  id: string
}

export class SessionDirectory {
  readonly #parts: DirectoryParts
  /** Which of the CLI's ids belong to which session. */
  readonly cliSessions: CliSessions

  constructor(parts: DirectoryParts) {
    this.#parts = parts
    this.cliSessions = new CliSessions(parts)
  }

  async transcriptOf(cliSessionId: string): Promise<TranscriptInfo | undefined> {
    await this.cliSessions.load()
    const { cliSessions } = this
    if (cliSessions.isDeleted(cliSessionId)) return undefined
    const transcript = await this.#parts.transcripts.get(cliSessionId)
    return transcript && (cliSessions.isOurs(cliSessionId) || this.#isForeign(transcript))
      ? transcript
      : undefined
  }

  /** Begun by somebody else: in a terminal, and not by an agent that wrote a file. */
  #isForeign({ sessionId, path }: TranscriptInfo): boolean {
    const { cliSessions } = this
    const isKnown = cliSessions.isOurs(sessionId) || cliSessions.isDeleted(sessionId)
    return !isKnown && this.#parts.isOwnFolder?.(path) !== true
  }

  /** Of these sessions, those that are the actor's. */
  async visible({ principal }: Actor, ids: readonly string[]): Promise<Set<string>> {
    await this.cliSessions.load()
    const records = await this.#parts.sessions.getMany([...ids])
    const isVisible = (id: string) =>
      (records.get(id)?.principal ?? this.cliSessions.principalOf(id)) === principal
    return new Set(ids.filter(isVisible))
  }

  /** Somebody else's is not there, as far as the actor can see. */
  async check(actor: Actor, id: string): Promise<void> {
    if (!(await this.visible(actor, [id])).has(id)) throw noSuchSession(id)
  }

  async get(actor: Actor, id: string): Promise<Session> {
    await this.cliSessions.load()
    const record = this.#parts.runner(id)?.record ?? (await this.#parts.sessions.get(id))
    if (record) this.cliSessions.note(record)
    if ((record?.principal ?? this.cliSessions.principalOf(id)) !== actor.principal) throw noSuchSession(id)
    const transcript = await this.transcriptOf(record?.cliSessionIds.at(-1) ?? id)
    const [session] = await this.#view([{ record, transcript }])
    if (!session) throw noSuchSession(id)
    const elsewhere =
      !session.live &&
      !this.#parts.runner(id)?.starting &&
      (await this.#parts.inUseElsewhere(session.cli_session_ids.at(-1) ?? id))
    return elsewhere ? { ...session, in_use_elsewhere: true } : session
  }

  async getMany(ids: string[]): Promise<Session[]> {
    const records = await this.#parts.sessions.getMany(ids)
    return this.#view([...records.values()].map((record) => ({ record, transcript: undefined })))
  }

  async list(
    actor: Actor,
    query: ParsedQuery<'listSessions'>,
  ): Promise<{ sessions: Session[]; cursor?: string }> {
    if (query.live) return { sessions: await this.#liveOnes(actor) }
    const before = readCursor(query.cursor)
    const path = query.workspace_id === undefined ? undefined : await this.#parts.pathOf(query.workspace_id)
    const [own, foreign] = await Promise.all([
      query.origin === 'terminal' ? [] : this.#own(actor, query, before),
      query.origin === 'dorkos' || query.archived || query.pinned || actor.principal !== ownerPrincipal
        ? []
        : this.#foreign(path, before, query.limit),
    ])
    const merged = [...own, ...foreign].toSorted((a, b) => compare(positionOf(b), positionOf(a)))
    const page = merged.slice(0, query.limit)
    const last = page.at(-1)
    const more = merged.length > page.length || page.length === query.limit
    return {
      sessions: await this.#view(page),
      ...(more && last && { cursor: writeCursor(positionOf(last)) }),
    }
  }

  async #liveOnes({ principal }: Actor): Promise<Session[]> {
    const { leases, sessions, runner } = this.#parts
    const owned = [...(await leases.running()).keys()].filter((id) => runner(id)?.live !== false)
    const records = [...(await sessions.getMany(owned)).values()].filter((one) => one.principal === principal)
    const all = await this.#view(records.map((record) => ({ record, transcript: undefined })))
    return all.filter(({ live }) => live)
  }

  async #own(
    { principal }: Actor,
    query: ParsedQuery<'listSessions'>,
    before: Position | undefined,
  ): Promise<Known[]> {
    const { workspace_id: workspaceId, archived = false, pinned, limit } = query
    const records = await this.#parts.sessions.list({
      principal,
      archived,
      limit,
      ...(pinned !== undefined && { pinned }),
      ...(workspaceId !== undefined && { workspaceId }),
      ...(before && { before }),
    })
    const transcripts = await this.#parts.transcripts.getMany(
      records.map(({ id, cliSessionIds }) => cliSessionIds.at(-1) ?? id),
    )
    return records.map((record) => ({
      record,
      transcript: transcripts.get(record.cliSessionIds.at(-1) ?? record.id),
    }))
  }

  /** Transcripts that belong to no session of ours. Asks on until the page is full, since ours are skipped. */
  async #foreign(path: string | undefined, before: Position | undefined, limit: number): Promise<Known[]> {
    await this.cliSessions.load()
    const found: Known[] = []
    let from = before && { updatedAt: before.updatedAt, sessionId: before.id }
    while (found.length < limit) {
      const page = await this.#parts.transcripts.list({
        limit,
        ...(path && { cwds: [path] }),
        ...(from && { before: from }),
      })
      for (const transcript of page)
        if (this.#isForeign(transcript)) found.push({ record: undefined, transcript })
      const last = page.at(-1)
      if (page.length < limit || !last) break
      from = last
    }
    return found.slice(0, limit)
  }

  async #view(known: Known[]): Promise<Session[]> {
    if (known.length === 0) return []
    const pending = await this.#parts.approvals.countPending(null)
    const elsewhere = await this.#statesElsewhere(known.flatMap(({ record }) => record?.id ?? []))
    const workspaceFor = once((path) => this.#parts.workspaceFor(path))
    return Promise.all(
      known.map(async ({ record, transcript }) => {
        if (record)
          return this.#viewRecord(record, transcript, {
            approvals: pending.get(record.id) ?? 0,
            elsewhere: elsewhere.get(record.id),
          })
        return transcript && this.#viewTranscript(transcript, workspaceFor)
      }),
    ).then((sessions) => sessions.flatMap((session) => session ?? []))
  }

  /** What the servers that run these sessions last said of them; a process of this one is asked itself. */
  async #statesElsewhere(ids: readonly string[]): Promise<Map<string, Pick<Session, 'state' | 'live'>>> {
    const { leases, events, runner } = this.#parts
    const others = ids.filter((id) => !runner(id))
    const states = new Map<string, Pick<Session, 'state' | 'live'>>()
    if (others.length === 0) return states
    for (const [id, { epoch }] of await leases.running(others)) {
      const last = await events.latest(id, 'session_status')
      // What an earlier owner said of its process holds no longer.
      if (last?.type === 'session_status' && parseEventId(last.id)?.epoch === epoch)
        states.set(id, { state: last.state, live: last.live })
    }
    return states
  }

  async #viewRecord(
    record: SessionRecord,
    transcript: TranscriptInfo | undefined,
    { approvals, elsewhere }: { approvals: number; elsewhere: Pick<Session, 'state' | 'live'> | undefined },
  ): Promise<Session> {
    const runner = this.#parts.runner(record.id)
    const now = runner?.record ?? record
    const [queued, cost] = await Promise.all([
      this.#parts.turns.queued(record.id),
      this.#parts.ledger.spent({ principal: null, sessionId: record.id }),
    ])
    const title = now.title ?? transcript?.title
    const firstPrompt = now.firstPrompt ?? transcript?.firstPrompt
    const model = now.model ?? transcript?.model
    return {
      id: now.id,
      cwd: now.cwd,
      origin: 'dorkos',
      state: runner?.state ?? elsewhere?.state ?? now.state,
      live: runner?.live ?? elsewhere?.live ?? false,
      permission_mode: now.permissionMode,
      created_at: now.createdAt,
      updated_at: now.updatedAt,
      archived: now.archived,
      pinned: now.pinned,
      unattended: now.unattended,
      demo: now.demo,
      cli_session_ids: now.cliSessionIds,
      pending_approvals: approvals,
      queued_messages: queued.length,
      ...(now.lastOutcome !== undefined && { last_outcome: now.lastOutcome }),
      ...(!now.folderConfirmed && { needs_folder_confirmation: true }),
      ...(isQueueHeld(queued) && { queue_held: true }),
      cost_usd: cost,
      ...(title !== undefined && { title }),
      ...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
      ...(model !== undefined && { model }),
      ...(now.effort !== undefined && { effort: now.effort }),
      ...(now.workspaceId !== undefined && { workspace_id: now.workspaceId }),
      ...(transcript?.branch !== undefined && { branch: transcript.branch }),
      ...(transcript?.messageCount !== undefined && { message_count: transcript.messageCount }),
      ...(now.maxTurns !== undefined && { max_turns: now.maxTurns }),
      ...(now.budgetUsd !== undefined && { budget_usd: now.budgetUsd }),
      ...(now.forkedFrom !== undefined && { forked_from: now.forkedFrom }),
      ...(now.profile && { profile: toFrozen(now.profile) }),
    }
  }

  async #viewTranscript(
    transcript: TranscriptInfo,
    workspaceFor: DirectoryParts['workspaceFor'],
  ): Promise<Session> {
    const { cwd, title, firstPrompt, model, branch, messageCount } = transcript
    const workspace = cwd === undefined ? undefined : await workspaceFor(cwd)
    return {
      id: transcript.sessionId,
      cwd: cwd ?? '',
      origin: 'terminal',
      state: 'idle',
      live: false,
      permission_mode: 'default',
      created_at: transcript.createdAt,
      updated_at: transcript.updatedAt,
      archived: false,
      pinned: false,
      unattended: false,
      demo: false,
      cli_session_ids: [transcript.sessionId],
      pending_approvals: 0,
      queued_messages: 0,
      ...(title !== undefined && { title }),
      ...(firstPrompt !== undefined && { first_prompt: firstPrompt }),
      ...(model !== undefined && { model }),
      ...(branch !== undefined && { branch }),
      ...(messageCount !== undefined && { message_count: messageCount }),
      ...(workspace && { workspace_id: workspace.id }),
    }
  }
}

const toFrozen = ({ name, origin, digest }: FrozenProfile): FrozenProfile => ({ name, origin, digest })

interface Known {
  record: SessionRecord | undefined
  transcript: TranscriptInfo | undefined
}

/** Asks once for each path: most transcripts of a page are of a few directories. */
function once<T>(ask: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (path) => {
    const answer = answers.get(path) ?? ask(path)
    answers.set(path, answer)
    return answer
  }
}

function noSuchSession(id: string): AppError {
  return new AppError('not_found', say('session_not_found', { id }))
}

function positionOf({ record, transcript }: Known): Position {
  if (record) return { updatedAt: record.updatedAt, id: record.id }
  return { updatedAt: transcript?.updatedAt ?? '', id: transcript?.sessionId ?? '' }
}

function compare(a: Position, b: Position): number {
  return a.updatedAt === b.updatedAt ? (a.id < b.id ? -1 : 1) : a.updatedAt < b.updatedAt ? -1 : 1
}

function writeCursor({ updatedAt, id }: Position): string {
  return Buffer.from(`${updatedAt}|${id}`).toString('base64url')
}

function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [updatedAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('|')
  if (Number.isNaN(Date.parse(updatedAt)) || id === '')
    throw new AppError('invalid_request', say('cursor_foreign'))
  return { updatedAt, id }
}
