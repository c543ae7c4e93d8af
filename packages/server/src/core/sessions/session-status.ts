/** The state and the record of a session that runs here: published as events, and stored. */
import type { PermissionMode, SessionActivity, TurnOutcome } from '@dorkos/shared'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'
import type { SessionEmitter } from './session-emitter.ts'

export interface ProcessEnd {
  wanted: boolean
  error: string | undefined
  hadTurn: boolean
}

export class SessionStatus {
  record: SessionRecord
  /** A person holds the process; ends with it. */
  isPaused = false
  /** The process that lives now. */
  process: { readonly backgroundTasks: number } | undefined
  readonly #events: SessionEmitter
  readonly #stored: { sessions: SessionStore; clock: Clock }
  readonly #changed: (sessionId: string) => void
  #state: SessionActivity
  /** Questions of MCP servers that a person has not answered: the CLI knows nothing of them, and believes that it works. */
  readonly #forms = new Set<string>()
  /** The CLI itself waits for a person. */
  #cliWaits = false

  /** `changed`: something that a list of sessions shows is another. */
  constructor(
    { record, events }: { record: SessionRecord; events: SessionEmitter },
    stored: { sessions: SessionStore; clock: Clock },
    changed: (sessionId: string) => void,
  ) {
    this.record = record
    this.#events = events
    this.#stored = stored
    this.#changed = changed
    // A pause ends with the process that it held.
    this.#state = record.state === 'paused' ? 'idle' : record.state
  }

  get state(): SessionActivity {
    return this.#state
  }

  /** A session that a person holds stays `paused`, whatever its process does meanwhile. */
  set(wanted: SessionActivity, reason?: string): void {
    if (this.isPaused && wanted !== 'paused') return
    const state = wanted === 'working' && this.#forms.size > 0 ? 'waiting' : wanted
    if (state === this.#state && !reason) return
    this.#state = state
    this.publish(reason)
    // `working` and `waiting` follow from the turns; the others must outlast the process.
    if (state === 'working' || state === 'waiting') this.changed()
    else this.keep({ state })
  }

  /** The CLI's own word on its state; how the last turn ended says more than `idle`. */
  follow(state: 'working' | 'waiting' | 'idle' | 'paused'): void {
    if (this.isPaused && state !== 'paused') return
    this.#cliWaits = state === 'waiting'
    if (state === 'idle' && !['working', 'waiting'].includes(this.#state)) return this.changed()
    this.set(state)
  }

  /** A person is asked something that the CLI knows nothing of. */
  get isAsked(): boolean {
    return this.#forms.size > 0
  }

  formOpened(id: string): void {
    this.#forms.add(id)
    if (this.#state !== 'paused') this.set('waiting')
  }

  /** `next`: the state that the session is in when nobody is asked any more. */
  formClosed(id: string, next: 'working' | 'idle'): void {
    if (this.#forms.delete(id) && this.#state === 'waiting' && !this.#cliWaits) this.set(next)
  }

  turnBegan(): void {
    this.set('working')
    this.keep({ ...this.happened(), ...this.#branchTaken() })
  }

  /** The process went on from where a message is sent again: the next one goes on at its end. */
  #branchTaken(): Partial<SessionRecord> {
    const { branch, cliSessionIds } = this.record
    if (!branch) return {}
    const isAnew = branch.at === null
    return { branch: undefined, ...(isAnew && { droppedCliSessions: cliSessionIds.length - 1 }) }
  }

  turnEnded(outcome: AgentTurnEnd['outcome'], cliSessionId: string | undefined): void {
    this.set(outcome === 'interrupted' ? 'interrupted' : outcome === 'completed' ? 'idle' : 'failed')
    this.#keep(this.addCliSession(cliSessionId, this.ended(outcome)))
  }

  processEnded({ wanted, error, hadTurn }: ProcessEnd): void {
    this.isPaused = false
    if (hadTurn) {
      this.set('interrupted', error)
      this.keep(this.ended('interrupted'))
    } else if (error && !wanted) this.set('failed', error)
    else if (['working', 'waiting', 'paused'].includes(this.#state)) this.set('idle')
    else this.publish()
  }

  backgroundTasksChanged(): void {
    this.publish()
    this.changed()
  }

  followMode(permissionMode: PermissionMode): void {
    if (permissionMode !== this.record.permissionMode) this.keep({ permissionMode })
  }

  /** The CLI goes by this id now; the record keeps all, in order. `more` is changed along with it. */
  async addCliSession(cliSessionId: string | undefined, more: Partial<SessionRecord> = {}): Promise<void> {
    const known = this.record.cliSessionIds
    const isNew = cliSessionId !== undefined && !known.includes(cliSessionId)
    await this.change({ cliSessionIds: isNew ? [...known, cliSessionId] : known, ...more })
  }

  publish(reason?: string): void {
    const { model, effort, permissionMode, cliSessionIds } = this.record
    const cliSessionId = cliSessionIds.at(-1)
    this.#events.emit({
      type: 'session_status',
      state: this.#state,
      live: this.process !== undefined,
      permission_mode: permissionMode,
      background_tasks: this.process?.backgroundTasks ?? 0,
      ...(model && { model }),
      effort: effort ?? null,
      ...(cliSessionId && { cli_session_id: cliSessionId }),
      ...(reason && { reason }),
    })
  }

  /** Something that a list of sessions shows is another. */
  changed(): void {
    this.#changed(this.record.id)
  }

  /** What the record says of something that was said or done just now. */
  happened(): Partial<SessionRecord> {
    return { updatedAt: isoTime(this.#stored.clock.now()) }
  }

  /** The same of a turn that ended. */
  ended(lastOutcome: TurnOutcome): Partial<SessionRecord> {
    return { ...this.happened(), lastOutcome }
  }

  async change(change: Partial<SessionRecord>): Promise<void> {
    const changed = await this.#stored.sessions.change(this.record.id, change)
    if (changed) this.record = changed
    this.changed()
  }

  /** As `change`, without waiting for it. */
  keep(change: Partial<SessionRecord>): void {
    this.#keep(this.change(change))
  }

  #keep(stored: Promise<void>): void {
    stored.catch((error: unknown) => this.#events.fault(error))
  }
}
