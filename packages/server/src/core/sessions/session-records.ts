/** The records of sessions: made for new ones, and for those of a terminal when a person goes on with them here. */
import { randomUUID } from 'node:crypto'
import { type ParsedBody, say } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { schemaFault } from '../output-schema.ts'
import { inputHash } from '../permissions/input-hash.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Lease } from '../ports/coordination.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import { applyProfile } from '../profiles/apply-profile.ts'
import type { Profiles } from '../profiles/profile-service.ts'
import type { AgentManager } from './agent-manager.ts'
import { promptText } from './prompt-text.ts'
import type { SessionDirectory } from './session-directory.ts'
import type { Spares } from './spares.ts'

export interface SessionRecordsParts {
  manager: AgentManager
  spares: Spares
  directory: SessionDirectory
  sessions: SessionStore
  coordination: { leases: Pick<Lease, 'running'> }
  transcripts: TranscriptReader
  clock: Clock
  /** Where a new session works; throws for a directory outside the roots. */
  resolveCwd(
    workspaceId: string | undefined,
    cwd: string | undefined,
  ): Promise<{ workspaceId: string | undefined; cwd: string }>
  defaults(): { permissionMode: 'default' | 'acceptEdits' | 'plan'; budgetUsd: number; prewarm: boolean }
  /** New sessions are answered by the demo model. */
  demo(): boolean
  inUseElsewhere(cliSessionId: string): Promise<boolean>
  profiles: Pick<Profiles, 'usable'>
  /** Something that a list of sessions shows has changed. */
  changed(sessionId: string): void
}

export class SessionRecords {
  readonly #parts: SessionRecordsParts

  constructor(parts: SessionRecordsParts) {
    this.#parts = parts
  }

  /** The record of a session; one of a terminal gets its record now. */
  async of(actor: Actor, id: string): Promise<SessionRecord> {
    const { manager, sessions, directory } = this.#parts
    await directory.check(actor, id)
    return manager.peek(id)?.record ?? (await sessions.get(id)) ?? this.#adopt(actor, id)
  }

  /** The record of a session that may run here now. */
  async runnable(actor: Actor, id: string): Promise<SessionRecord> {
    const record = await this.of(actor, id)
    const { demo, manager, inUseElsewhere } = this.#parts
    const { leases } = this.#parts.coordination
    if (record.demo && !demo()) throw new AppError('conflict', say('session_of_demo'))
    if (!record.demo && demo()) throw notForTheDemo()
    const runner = manager.peek(id)
    // What another server has is run by its CLI.
    const isOurs = runner ? runner.live || runner.starting : (await leases.running([id])).has(id)
    if (!isOurs && (await inUseElsewhere(record.cliSessionIds.at(-1) ?? id)))
      throw new AppError('session_in_use', say('session_in_terminal'))
    return record
  }

  async create(actor: Actor, body: ParsedBody<'createSession'>, key: string | undefined) {
    const requestHash = inputHash(body)
    const draft = { ...(await this.draft(actor, body)), requestHash }
    const added = await this.#parts.spares.with(draft, (record) => this.add(record, key))
    if (added.record.requestHash !== requestHash)
      throw new AppError('idempotency_mismatch', say('key_used_for_request'))
    return added
  }

  /** The record of a session that may be made; nothing is stored. */
  async draft(actor: Actor, body: ParsedBody<'createSession'>): Promise<SessionRecord> {
    const base = this.#blank(randomUUID(), actor.principal)
    const schemaError = body.output_schema && (await schemaFault(body.output_schema))
    if (schemaError !== undefined)
      throw new AppError('invalid_request', say('output_schema_invalid', { fault: schemaError }))
    const resolved = await this.#parts.resolveCwd(body.workspace_id, body.cwd)
    return {
      ...base,
      ...resolved,
      folderConfirmed: isConfirmed(actor, resolved),
      title: body.title,
      firstPrompt: body.content === undefined ? undefined : promptText(body.content),
      model: body.model,
      effort: body.effort,
      permissionMode: body.permission_mode ?? base.permissionMode,
      maxTurns: body.max_turns,
      budgetUsd: body.budget_usd,
      unattended: body.unattended,
      outputSchema: body.output_schema,
      ...(await this.#profileFields(actor, body, resolved.workspaceId)),
    }
  }

  async #profileFields(
    actor: Actor,
    body: ParsedBody<'createSession'>,
    workspaceId: string | undefined,
  ): Promise<Partial<SessionRecord>> {
    if (body.profile === undefined) return {}
    return applyProfile(actor, await this.#parts.profiles.usable(actor, body.profile, workspaceId), body)
  }

  async add(record: SessionRecord, key?: string): Promise<{ created: boolean; record: SessionRecord }> {
    const added = await this.#parts.sessions.create(record, key)
    this.#parts.directory.cliSessions.note(added.record)
    if (added.created) this.#parts.changed(added.record.id)
    return added
  }

  /** Changes the record, through the session's runner where it has one. */
  async change(id: string, change: Partial<SessionRecord>): Promise<void> {
    const { manager, sessions, directory, changed } = this.#parts
    const runner = manager.peek(id)
    if (runner) return runner.status.change(change)
    const record = await sessions.change(id, change)
    if (!record) return
    directory.cliSessions.note(record)
    changed(id)
  }

  async #adopt(actor: Actor, id: string): Promise<SessionRecord> {
    const transcript = await this.#parts.directory.transcriptOf(id)
    if (!transcript) throw new AppError('not_found', say('session_not_found', { id }))
    if (this.#parts.demo()) throw notForTheDemo()
    if (!transcript.cwd) throw new AppError('conflict', say('session_without_directory'))
    const resolved = await this.#parts.resolveCwd(undefined, transcript.cwd)
    const { record } = await this.add({
      ...this.#blank(id, actor.principal),
      ...resolved,
      folderConfirmed: isConfirmed(actor, resolved),
      title: transcript.title,
      firstPrompt: transcript.firstPrompt,
      cliSessionIds: [id],
      createdAt: transcript.createdAt,
      updatedAt: transcript.updatedAt,
    })
    return record
  }

  #blank(id: string, principal: string): SessionRecord {
    const now = isoTime(this.#parts.clock.now())
    return {
      id,
      workspaceId: undefined,
      cwd: '',
      title: undefined,
      firstPrompt: undefined,
      model: undefined,
      effort: undefined,
      permissionMode: this.#parts.defaults().permissionMode,
      state: 'idle',
      cliSessionIds: [],
      archived: false,
      pinned: false,
      unattended: false,
      folderConfirmed: false,
      maxTurns: undefined,
      budgetUsd: undefined,
      outputSchema: undefined,
      demo: this.#parts.demo(),
      forkedFrom: undefined,
      resumeFrom: undefined,
      principal,
      createdAt: now,
      updatedAt: now,
    }
  }
}

/** A workspace is a folder that somebody chose for agents. Elsewhere, who may answer for a person says so by asking for it. */
function isConfirmed({ scopes }: Actor, { workspaceId }: { workspaceId: string | undefined }): boolean {
  return workspaceId !== undefined || scopes.includes('approve')
}

function notForTheDemo(): AppError {
  return new AppError('conflict', say('session_not_for_demo'))
}
