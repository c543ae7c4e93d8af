/** What people do with sessions: the operations behind the API. */
import type {
  AcceptedMessage,
  HistoryPage,
  MessageContent,
  ParsedBody,
  ParsedQuery,
  Session,
  SessionSnapshot,
  Task,
  Turn,
} from '@dorkos/shared'
import { formatEventId, say } from '@dorkos/shared'
import { type Actor, causeOf } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { exportSession } from '../outputs/session-export.ts'
import type { SessionOutputs } from '../outputs/session-outputs.ts'
import { isoTime } from '../ports/clock.ts'
import type { Coordination } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { SessionService } from '../services.ts'
import { byAgent } from './by-agent.ts'
import { promptText } from './prompt-text.ts'
import { resendMessage } from './resend.ts'
import { forkOf, toRecordChange, toRewindAnswer } from './session-conversions.ts'
import type { SessionHistory } from './session-history.ts'
import { SessionRecords, type SessionRecordsParts } from './session-records.ts'
import type { SessionRunner } from './session-runner.ts'
import { searchSessions } from './session-search.ts'
import { type SessionCosts, sessionSnapshot } from './session-snapshot.ts'
import { SessionTasks } from './session-tasks.ts'
import { WaitingMessages } from './waiting-messages.ts'

export interface SessionServiceParts extends SessionRecordsParts {
  history: SessionHistory
  outputs: SessionOutputs
  coordination: Coordination
  costs: SessionCosts & { limitsChanged(sessionId: string): Promise<void> }
  deleteTranscripts(cliSessionIds: string[]): Promise<void>
  renameTranscript(cliSessionId: string, title: string): Promise<void>
  audit(actor: Actor, action: string, sessionId: string, detail?: Record<string, unknown>): Promise<void>
  deleted(sessionId: string, principal: string): void
  /** Snapshots of its directory go. */
  forgetChanges(record: SessionRecord): Promise<void>
}

export class Sessions implements SessionService {
  readonly #parts: SessionServiceParts
  readonly #records: SessionRecords
  readonly #waiting: WaitingMessages
  readonly #tasks: SessionTasks

  constructor(parts: SessionServiceParts) {
    this.#parts = parts
    this.#records = new SessionRecords(parts)
    const { manager, clock, coordination, audit, directory } = parts
    this.#waiting = new WaitingMessages({
      turns: coordination.turns,
      manager,
      records: this.#records,
      check: (actor, id) => directory.check(actor, id),
      clock,
      audit,
    })
    this.#tasks = new SessionTasks({
      events: coordination.events,
      directory,
      peek: (id) => manager.peek(id),
      audit,
    })
  }

  list(actor: Actor, query: ParsedQuery<'listSessions'>) {
    return this.#parts.directory.list(actor, query)
  }

  get(actor: Actor, id: string): Promise<Session> {
    return this.#parts.directory.get(actor, id)
  }

  async create(actor: Actor, body: ParsedBody<'createSession'>, key?: string) {
    const { created, record } = await this.#records.create(actor, body, key)
    if (created) await this.#parts.audit(actor, 'session_created', record.id, workspaceField(record))
    // The first message has the session's own key: a repeated request neither makes a second session nor sends it twice.
    const message =
      body.content === undefined
        ? undefined
        : await this.#accept(actor, record, body.content, 'queue', `first:${record.id}`)
    if (created && !message && this.#parts.defaults().prewarm) await this.#prewarm(record)
    return { session: await this.get(actor, record.id), ...(message && { message }) }
  }

  async prepareNew(actor: Actor, body: ParsedBody<'prepareNewSession'>, forMs?: number): Promise<void> {
    const { writing = false, ...wanted } = body
    const record = await this.#records.draft(actor, wanted)
    this.#parts.spares.wantNew(record, forMs)
    if (writing) this.#parts.spares.beginNew(record)
  }

  async prepare(actor: Actor, id: string): Promise<void> {
    const { archived, origin } = await this.get(actor, id)
    // To view a session of a terminal, or one that was put away, makes nothing of it.
    if (!archived && origin === 'dorkos') this.#parts.spares.want(await this.#records.runnable(actor, id))
  }

  async change(actor: Actor, id: string, body: ParsedBody<'changeSession'>): Promise<Session> {
    const record = await this.#records.of(actor, id)
    const runner = this.#parts.manager.peek(id)
    // One that is just being started has read the record already.
    const agent = (await runner?.whenOpen())?.agent
    const { permission_mode: mode, model, effort, title } = body
    if (mode !== undefined) await byAgent(() => agent?.setPermissionMode(mode))
    if (model !== undefined) await byAgent(() => agent?.setModel(model ?? undefined))
    if (effort !== undefined) await byAgent(() => agent?.setEffort(effort ?? undefined))
    if (title !== undefined) await byAgent(() => this.#rename(record, title))
    await this.#records.change(id, toRecordChange(body))
    await this.#parts.audit(actor, 'session_changed', id, { ...workspaceField(record), change: body })
    if (mode !== undefined || model !== undefined || effort !== undefined) runner?.status.publish()
    if (body.budget_usd !== undefined) await this.#parts.costs.limitsChanged(id)
    // The step limit is given to a process at its start; an archived session needs none.
    if (body.max_turns !== undefined) runner?.restartWhenIdle(say('limit_changed'))
    if (body.archived === true && runner && !runner.busy)
      await this.#parts.manager.letGo(id, say('session_archived'))
    return this.get(actor, id)
  }

  async remove(actor: Actor, id: string): Promise<void> {
    const record = await this.#records.of(actor, id)
    await this.#parts.manager.remove(id, async () => {
      await this.#parts.deleteTranscripts([...new Set([...record.cliSessionIds, id])])
      await this.#forget(record)
    })
    await this.#parts.audit(actor, 'session_deleted', id, workspaceField(record))
    this.#parts.deleted(id, record.principal)
  }

  async send(
    actor: Actor,
    id: string,
    body: ParsedBody<'sendMessage'>,
    key?: string,
  ): Promise<AcceptedMessage> {
    const record = await this.#records.runnable(actor, id)
    return this.#accept(actor, record, body.content, body.delivery, key)
  }

  async turns(actor: Actor, id: string, { state, limit }: ParsedQuery<'listTurns'>): Promise<Turn[]> {
    await this.get(actor, id)
    return this.#parts.coordination.turns.list(id, { limit, ...(state && { state }) })
  }

  editMessage(actor: Actor, id: string, messageId: string, content: MessageContent): Promise<Turn> {
    return this.#waiting.edit(actor, id, messageId, content)
  }

  withdrawMessage(actor: Actor, id: string, messageId: string): Promise<Turn> {
    return this.#waiting.withdraw(actor, id, messageId)
  }

  moveMessage(actor: Actor, id: string, messageId: string, before: string | undefined): Promise<Turn> {
    return this.#waiting.move(actor, id, messageId, before)
  }

  steerMessage(actor: Actor, id: string, messageId: string): Promise<Turn> {
    return this.#waiting.steer(actor, id, messageId)
  }

  async resendMessage(
    actor: Actor,
    id: string,
    messageId: string,
    content: MessageContent | undefined,
  ): Promise<AcceptedMessage> {
    const { manager, history, coordination, audit } = this.#parts
    const end = await coordination.events.end(id)
    const parts = { manager, history, records: this.#records, turns: coordination.turns }
    const turn = await resendMessage(parts, actor, { id, messageId, content })
    await audit(actor, 'message_resent', id, { message_id: messageId })
    return { turn, ...(end && { after: formatEventId(end) }) }
  }

  settleMessage(actor: Actor, id: string, messageId: string, action: 'run' | 'drop'): Promise<Turn> {
    return this.#waiting.settle(actor, id, messageId, action)
  }

  async releaseQueue(actor: Actor, id: string): Promise<Session> {
    await this.#waiting.release(actor, id)
    return this.get(actor, id)
  }

  async confirmFolder(actor: Actor, id: string): Promise<Session> {
    const record = await this.#records.of(actor, id)
    if (record.folderConfirmed) return this.get(actor, id)
    await this.#parts.audit(actor, 'folder_confirmed', id, { cwd: record.cwd })
    await this.#records.change(id, { folderConfirmed: true })
    // What the process may read by itself is given to it at its start.
    this.#parts.manager.peek(id)?.restartWhenIdle(say('folder_confirmed'))
    return this.get(actor, id)
  }

  async start(actor: Actor, id: string): Promise<Session> {
    const runner = await this.#run(actor, id, 'the session was started')
    await startProcess(runner)
    return this.get(actor, id)
  }

  async stop(actor: Actor, id: string): Promise<Session> {
    await this.get(actor, id)
    await this.#waiting.hold(actor, id)
    await this.#parts.manager.letGo(id, say('session_stopped'), 'person')
    return this.get(actor, id)
  }

  async interrupt(actor: Actor, id: string, queue: ParsedBody<'interruptSession'>): Promise<Session> {
    await this.get(actor, id)
    // Before the turn ends: nothing may begin in between.
    if (queue.cancel_queued) await this.#waiting.withdrawAll(actor, id)
    else if (queue.hold_queued) await this.#waiting.hold(actor, id)
    const unread = queue.cancel_queued ? 'cancel' : queue.hold_queued ? 'hold' : 'run'
    await this.#parts.manager.peek(id)?.interrupt(say('turn_interrupted'), 'person', unread)
    return this.get(actor, id)
  }

  async pause(actor: Actor, id: string): Promise<Session> {
    const runner = await this.#running(actor, id)
    await byAgent(() => runner.pause())
    return this.get(actor, id)
  }

  async resume(actor: Actor, id: string): Promise<Session> {
    const runner = await this.#running(actor, id)
    await byAgent(() => runner.resume())
    return this.get(actor, id)
  }

  async fork(actor: Actor, id: string, body: ParsedBody<'forkSession'>): Promise<Session> {
    const source = await this.#records.of(actor, id)
    const resumeFrom = await this.#forkPoint(actor, id, body)
    const fork = forkOf(source, { title: body.title, resumeFrom }, actor.principal, this.#now())
    const { record } = await this.#records.add(fork)
    await this.#parts.audit(actor, 'session_forked', record.id, { ...workspaceField(record), from: id })
    const runner = await this.#parts.manager.own(record, 'the session was forked')
    try {
      await startProcess(runner)
    } catch (error) {
      await this.#parts.manager.remove(record.id, () => this.#forget(record))
      this.#parts.deleted(record.id, record.principal)
      throw error
    }
    return this.get(actor, record.id)
  }

  async rewind(actor: Actor, id: string, { message_id, dry_run }: ParsedBody<'rewindFiles'>) {
    const runner = await this.#run(actor, id, 'files are put back')
    await startProcess(runner)
    const answer = await byAgent(() => runner.agent.rewindFiles(message_id, dry_run))
    if (!dry_run) await this.#parts.audit(actor, 'files_rewound', id, { message_id })
    return toRewindAnswer(answer)
  }

  history(actor: Actor, id: string, query: ParsedQuery<'getHistory'>): Promise<HistoryPage> {
    return this.#parts.history.page(actor, id, query)
  }

  export(actor: Actor, id: string, format: 'markdown' | 'json' | 'html') {
    return exportSession(this.#parts, actor, id, format)
  }

  toolOutput(actor: Actor, id: string, toolCallId: string, page: ParsedQuery<'getToolOutput'>) {
    return this.#parts.outputs.output(actor, id, toolCallId, page)
  }

  toolOutputFile(actor: Actor, id: string, toolCallId: string) {
    return this.#parts.outputs.outputFile(actor, id, toolCallId)
  }

  toolPicture(actor: Actor, id: string, toolCallId: string, index: number) {
    return this.#parts.outputs.toolPicture(actor, id, toolCallId, index)
  }

  messagePicture(actor: Actor, id: string, messageId: string, index: number) {
    return this.#parts.outputs.messagePicture(actor, id, messageId, index)
  }

  tasks(actor: Actor, id: string): Promise<Task[]> {
    return this.#tasks.list(actor, id)
  }

  taskOutput(actor: Actor, id: string, taskId: string, page: ParsedQuery<'getTaskOutput'>) {
    return this.#tasks.output(actor, id, taskId, page)
  }

  stopTask(actor: Actor, id: string, taskId: string): Promise<void> {
    return byAgent(() => this.#tasks.stop(actor, id, taskId))
  }

  async capabilities(actor: Actor, id: string) {
    const { agent } = await this.#running(actor, id)
    const { commands, models, agents, mcpServers } = await byAgent(() => agent.capabilities())
    return { commands, models, agents, mcp_servers: mcpServers }
  }

  async contextUsage(actor: Actor, id: string): Promise<Record<string, unknown>> {
    const { agent } = await this.#running(actor, id)
    return byAgent(() => agent.contextUsage())
  }

  search(actor: Actor, query: ParsedQuery<'searchSessions'>) {
    const { directory, transcripts } = this.#parts
    return searchSessions(directory.cliSessions, transcripts, actor, query)
  }

  visible(actor: Actor, ids: readonly string[]): Promise<Set<string>> {
    return this.#parts.directory.visible(actor, ids)
  }

  async snapshot(actor: Actor, id: string): Promise<SessionSnapshot> {
    const { coordination, directory, costs } = this.#parts
    await directory.check(actor, id)
    return sessionSnapshot(coordination, () => directory.get(actor, id), costs, id)
  }

  /** Undefined where the fork begins with nothing of the session. */
  async #forkPoint(actor: Actor, id: string, { message_id, before }: ParsedBody<'forkSession'>) {
    const { history } = this.#parts
    if (!before) return history.forkPoint(actor, id, message_id)
    if (message_id === undefined) throw new AppError('invalid_request', say('fork_message_missing'))
    return history.forkPointBefore(actor, id, message_id)
  }

  #now(): string {
    return isoTime(this.#parts.clock.now())
  }

  /** Removes all that is stored of a session; what the audit log says of it stays. */
  async #forget(record: SessionRecord): Promise<void> {
    const { coordination, sessions, directory, forgetChanges } = this.#parts
    const { id } = record
    await forgetChanges(record)
    const { events, turns, approvals } = coordination
    await Promise.all([events.remove(id), turns.remove(id), approvals.remove(id)])
    await sessions.remove(id)
    directory.cliSessions.forget(id)
  }

  async #running(actor: Actor, id: string): Promise<SessionRunner> {
    await this.#parts.directory.check(actor, id)
    const runner = this.#parts.manager.peek(id)
    if (!runner?.live) throw new AppError('conflict', say('session_not_running'))
    return runner
  }

  async #run(actor: Actor, id: string, reason: string): Promise<SessionRunner> {
    return this.#parts.manager.own(await this.#records.runnable(actor, id), reason)
  }

  /** Starts the process ahead of the first message; that it cannot be started is published as an event. */
  async #prewarm(record: SessionRecord): Promise<void> {
    const runner = await this.#parts.manager.own(record, 'the session was created')
    runner.warm().catch((error: unknown) => runner.events.fault(error))
  }

  async #accept(
    actor: Actor,
    record: SessionRecord,
    content: MessageContent,
    delivery: 'queue' | 'steer',
    key: string | undefined,
  ): Promise<AcceptedMessage> {
    const end = await this.#parts.coordination.events.end(record.id)
    const turn = await this.#parts.manager.sendMessage(record, content, {
      principal: actor.principal,
      cause: causeOf(actor),
      delivery,
      ...(key !== undefined && { idempotencyKey: key }),
    })
    if (!record.firstPrompt) await this.#records.change(record.id, { firstPrompt: promptText(content) })
    return { turn, ...(end && { after: formatEventId(end) }) }
  }

  /** A live CLI writes its own title when it ends, so it is given the new one; otherwise the transcript is. */
  async #rename(record: SessionRecord, title: string): Promise<void> {
    const runner = this.#parts.manager.peek(record.id)
    if (runner?.live) return runner.agent.rename(title)
    const cliSessionId = record.cliSessionIds.at(-1)
    if (cliSessionId && (await this.#parts.transcripts.get(cliSessionId)))
      await this.#parts.renameTranscript(cliSessionId, title)
  }
}

const startProcess = (runner: SessionRunner): Promise<void> => byAgent(() => runner.start())

/** For the audit log, which can be looked through by workspace. */
function workspaceField({ workspaceId }: SessionRecord): { workspace_id?: string } {
  return workspaceId === undefined ? {} : { workspace_id: workspaceId }
}
