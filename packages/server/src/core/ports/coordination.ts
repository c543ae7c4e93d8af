/**
 * Coordination: what the processes of a DorkOS must agree on. Who runs a session (lease), what happened in it (event log),
 * what it has to do (turn queue), what people decided (approvals), what the turns that run cost (running costs), and who may
 * sign in within minutes (short-lived).
 *
 * Every write that an owner makes carries its epoch. An owner whose session was taken over by another process has a stale
 * epoch: its writes are refused with `StaleEpochError` and change nothing. All methods are asynchronous, and their effect
 * is durable when they resolve (events: after a crash of the process; turns and approvals: also after a power cut).
 * Each interface has a conformance suite beside it that every adapter passes.
 */
import type {
  AllowScope,
  Approval,
  Decider,
  EventPosition,
  MessageContent,
  NewEvent,
  Said,
  StreamEvent,
  Turn,
  TurnCause,
  TurnOutcome,
  TurnReasonCode,
} from '@dorkos/shared'

/** The writer is no longer the session's owner. It must stop what it does for the session at once. */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError'
  readonly sessionId: string
  readonly epoch: number

  constructor(sessionId: string, epoch: number) {
    super(`session ${sessionId}: epoch ${epoch} is not the current one`)
    this.sessionId = sessionId
    this.epoch = epoch
  }
}

export interface LeaseGrant {
  sessionId: string
  epoch: number
}

/** One run of one server: `<node>/<run>`, neither with a slash. A node is a server over its restarts, and has one run at a time. */
export type LeaseOwner = `${string}/${string}`

export interface RunningLease {
  owner: LeaseOwner
  epoch: number
}

/** Times are the wall clock's: a lease is read by other processes, and after restarts. */
export interface Lease {
  /**
   * Makes `owner` the session's owner and raises its epoch by one; undefined while another owner's lease runs. The first
   * event of the new epoch, `session_taken_over`, is appended in the same step, so the log itself distinguishes epochs. An
   * owner that holds the lease and acquires again gets a new epoch too: its older grant is stale from then on.
   */
  acquire(
    sessionId: string,
    owner: LeaseOwner,
    ttlMs: number,
    reason: string,
  ): Promise<LeaseGrant | undefined>
  /** Extends all of these; answers with those that could not be (lost to another owner). */
  renew(grants: LeaseGrant[], owner: LeaseOwner, ttlMs: number): Promise<LeaseGrant[]>
  /** Gives the session back. A stale grant is ignored. */
  release(grant: LeaseGrant, owner: LeaseOwner): Promise<void>
  /** Gives back what is no session and never will be: its epoch and its events are gone too. A stale grant is ignored. */
  forget(grant: LeaseGrant, owner: LeaseOwner): Promise<void>
  /** The current epoch; 0 for a session that nobody ever owned. */
  epochOf(sessionId: string): Promise<number>
  /** The leases that run now, by session; of these sessions, or of all. */
  running(sessionIds?: readonly string[]): Promise<Map<string, RunningLease>>
  /**
   * Ends the leases of earlier runs of the owner's node, which are known to be dead. They have run out then, and are
   * `abandoned` until each is acquired and released.
   */
  inherit(owner: LeaseOwner): Promise<void>
  /** Sessions whose lease ran out and was not given back: their owner is gone, and what it left is to be recovered. */
  abandoned(): Promise<string[]>
}

export interface AppendBatch {
  sessionId: string
  epoch: number
  /** The seq of the first event; the others follow without a gap. Anything but the next free seq is refused (`RangeError`). */
  firstSeq: number
  events: { time: string; event: NewEvent }[]
}

export const keptEventTypes = [
  'rate_limit',
  'notice',
  'error',
  'session_taken_over',
  'tool_call_allowed',
  'tool_call_denied',
  'hook_result',
] as const satisfies StreamEvent['type'][]

/** Of one session, once they are trimmed: a hook's output may be long, and a session may live for years. */
export const maxKeptEvents = 5000

/** Limits that are kept to are in the log alone. */
export function isKeptEvent(event: StreamEvent): boolean {
  const types: readonly string[] = keptEventTypes
  return types.includes(event.type) && !(event.type === 'rate_limit' && event.status === 'allowed')
}

/** An event's position is its session, epoch and seq. Nothing orders events of different sessions. */
export interface EventLog {
  /** Names this log. Another id means that event ids of before say nothing any more. */
  readonly id: string
  /** Appends batches of any sessions in one commit; all or nothing per batch: a stale one fails alone. */
  append(batches: AppendBatch[]): Promise<PromiseSettledResult<StreamEvent[]>[]>
  /** Events of one session after a position, oldest first. */
  readSession(sessionId: string, after: EventPosition | undefined, limit: number): Promise<StreamEvent[]>
  /** The newest event that the session ever had, also when it was trimmed; undefined when it never had one. */
  end(sessionId: string): Promise<EventPosition | undefined>
  /**
   * Whether a reader who has a session up to this event can go on without a gap: the event was the session's, and nothing that
   * came after it was trimmed. `logStart` is before the first.
   */
  continues(sessionId: string, after: EventPosition): Promise<boolean>
  /** The newest event of one of these types, such as the last `session_status`. */
  latest(sessionId: string, type: StreamEvent['type']): Promise<StreamEvent | undefined>
  /**
   * Of what neither the transcript nor another record of the session has (`isKeptEvent`), the newest `limit` from a time on
   * and before another, oldest first. The newest `maxKeptEvents` are there after their events were trimmed; all go with `remove`.
   */
  kept(
    sessionId: string,
    range: { from?: string | undefined; until?: string | undefined; limit: number },
  ): Promise<StreamEvent[]>
  /** Drops events older than a time, but never those of the newest epoch that has a turn running. Answers with how many. */
  trim(before: string): Promise<number>
  /** Forgets a session's events. Its epochs go on, so no old id ever means something new. */
  remove(sessionId: string): Promise<void>
}

/** A turn as it is admitted. What begins by itself, `startBackground` records. */
export interface NewTurn {
  id: string
  sessionId: string
  cause: Exclude<TurnCause, 'background'>
  content: MessageContent
  principal: string
  createdAt: string
  idempotencyKey?: string
  /** The turn whose message it is sent in place of. */
  replaces?: string
}

/** Of a turn that is put into the one that runs. What a schedule or a run caused, stays its own. */
export function steeredCause(cause: TurnCause): TurnCause {
  return cause === 'message' ? 'steer' : cause
}

/** Of a turn that waits again: it will begin as any other. */
export function waitingCause(cause: TurnCause): TurnCause {
  return cause === 'steer' ? 'message' : cause
}

export interface TurnQueue {
  /**
   * Stores the turn, and releases a held queue in the same step: who sends wants the agent to go on. With an idempotency key
   * that the principal used before for this session, answers with the turn of then (`duplicate`), or `mismatch` when its
   * content was another; that releases nothing. One that replaces another turn is the first to run; refused (`conflict`) unless that turn
   * has ended, or where another that replaces it waits or runs.
   */
  admit(turn: NewTurn): Promise<{ outcome: 'admitted' | 'duplicate' | 'mismatch'; turn: Turn }>
  /** The next queued turn, now `claimed` by this epoch; undefined when there is none, or they are held. It has not been sent yet. */
  claim(sessionId: string, epoch: number): Promise<Turn | undefined>
  /**
   * Claims one that waits, out of order and also when held: to steer it into the running turn, which is its cause from then on
   * (`steeredCause`), until it waits again (`waitingCause`). Undefined when it no longer waits.
   */
  claimTurn(sessionId: string, epoch: number, turnId: string): Promise<Turn | undefined>
  /** `claimed` → `running`. Called before the message goes to the CLI, so a claimed turn was certainly never sent. */
  start(sessionId: string, epoch: number, turnId: string, startedAt: string): Promise<void>
  /** Puts a claimed turn that was never sent back in its place. */
  unclaim(sessionId: string, epoch: number, turnId: string): Promise<void>
  /** Records a turn that no message caused. */
  startBackground(
    sessionId: string,
    epoch: number,
    turn: { id: string; principal: string; startedAt: string },
  ): Promise<void>
  end(sessionId: string, epoch: number, turnId: string, end: TurnEndRecord): Promise<void>
  /**
   * A running turn whose message the CLI gave back unread: it ends `withdrawn`, and its message waits again, first, as a turn
   * of another id (the CLI takes an id only once); several keep the order in which they had come. It is held, unless one waits that is not: a message that came after the stop
   * has released the queue. Answers with that turn.
   */
  giveBack(
    sessionId: string,
    epoch: number,
    turnId: string,
    again: { id: string; at: string; reason: string },
  ): Promise<Turn>
  /** Takes back or changes a turn that is still queued; undefined when it no longer is. */
  withdraw(sessionId: string, turnId: string, at: string): Promise<Turn | undefined>
  edit(sessionId: string, turnId: string, content: MessageContent): Promise<Turn | undefined>
  /** Puts one that waits before another that does, or at the end. Says which of the two does not wait (any more), and then moves nothing. */
  move(sessionId: string, turnId: string, before: string | undefined): Promise<MoveResult>
  /** All that wait now are `held` until `release` or the next `admit`. False when none waits. */
  hold(sessionId: string): Promise<boolean>
  /** False when none was held. */
  release(sessionId: string): Promise<boolean>
  /** A turn that ended `unconfirmed`: queued again at the head (`run`, which releases a held queue), or ended for good (`drop`). Undefined when it is not one. */
  settle(sessionId: string, turnId: string, action: 'run' | 'drop', at: string): Promise<Turn | undefined>
  get(sessionId: string, turnId: string): Promise<Turn | undefined>
  /** Newest first; with `until`, those that were made by then. */
  list(sessionId: string, filter: { state?: Turn['state']; until?: string; limit: number }): Promise<Turn[]>
  /** Queued turns in the order they will run. */
  queued(sessionId: string): Promise<Turn[]>
  /** Sessions that have queued turns; and turns that an owner left claimed or running, with their epoch. For the start after a crash. */
  unfinished(): Promise<{ sessionId: string; queued: number; open: (Turn & { epoch: number })[] }[]>
  remove(sessionId: string): Promise<void>
}

export type MoveResult = { outcome: 'moved'; turn: Turn } | { outcome: 'not_waiting' | 'target_not_waiting' }

export interface TurnEndRecord {
  outcome: TurnOutcome
  endedAt: string
  reason?: string
  reasonCode?: TurnReasonCode
  said?: Said
  joinedTurn?: string
  structuredOutput?: unknown
}

/** How an approval was settled. */
export interface Settlement {
  state: 'allowed' | 'denied' | 'expired' | 'void'
  decidedAt: string
  decidedBy: Decider
  message?: string
  said?: Said
  edited?: boolean
  answer?: unknown
  /** What runs in place of the input, when edited. */
  updatedInput?: Record<string, unknown>
  scope?: AllowScope
  /** The rule that the answer makes. */
  ruleId?: string
}

/** The record of an approval once it is settled. */
export function settledApproval(approval: Approval, settlement: Settlement): Approval {
  const { state, decidedAt, decidedBy, message, said, edited, answer, updatedInput, scope, ruleId } =
    settlement
  return {
    ...approval,
    state,
    decided_at: decidedAt,
    decided_by: decidedBy,
    ...(message !== undefined && { message }),
    ...(said && { said }),
    ...(edited !== undefined && { edited }),
    ...(updatedInput !== undefined && { updated_input: updatedInput }),
    ...(scope !== undefined && { scope }),
    ...(ruleId !== undefined && { rule_id: ruleId }),
    ...(answer !== undefined && { answer }),
  }
}

export interface ApprovalStore {
  /** Stores a pending approval of the session's current owner. */
  open(approval: Approval, epoch: number): Promise<void>
  /**
   * Settles it if it is still pending: the first answer wins. `inputHash` must be the one that was shown, and the deadline
   * must not have passed (unless it settles as expired or void). Answers with the record as it is now, and whether it was this call that settled it.
   */
  settle(
    id: string,
    settlement: Settlement,
    expect: { inputHash?: string; now: string },
  ): Promise<{ won: boolean; approval: Approval } | undefined>
  get(id: string): Promise<Approval | undefined>
  /** Newest first; `pending` oldest first. With `until`, those that were made by then. */
  list(filter: {
    /** Null: everybody's, for the server itself. */
    principal: string | null
    state?: Approval['state']
    sessionId?: string
    until?: string
    limit: number
  }): Promise<Approval[]>
  /** Voids all pending ones of a session whose epoch is older than this. Answers with them. */
  voidBefore(sessionId: string, epoch: number, settlement: Omit<Settlement, 'state'>): Promise<Approval[]>
  /** By session. Null: everybody's, for the server itself. */
  countPending(principal: string | null): Promise<Map<string, number>>
  remove(sessionId: string): Promise<void>
}

/** What a session has used and the ledger does not have yet. */
export interface RunningCost {
  usd: number
  /** The session's newest row of the ledger then; 0 before its first. Later rows hold what `usd` counts. */
  bookedTo: number
}

/**
 * What the turns that run have cost so far, at whichever server, for the budget of the day. Ledger and coordination change one after the
 * other: who adds the two up reads these first, and of the ledger what they say was booked before them.
 */
export interface RunningCosts {
  /** In place of what was reported before; nothing is left of 0. */
  report(sessionId: string, epoch: number, cost: RunningCost): Promise<void>
  /** Of all sessions whose lease runs, as their owners of now reported them. */
  list(): Promise<(RunningCost & { sessionId: string })[]>
}

/** What is good for minutes, such as a sign-in code. */
export interface ShortLivedEntry {
  kind: string
  /** One of its kind has it. */
  id: string
  /** Who asked for it, such as an address: nobody may fill the room of all. */
  source: string
  /** JSON text. */
  value: string
  /** On the wall clock: it is gone from then on. */
  expiresAt: number
}

export interface ShortLived {
  /** Stores it, unless as many of its kind are there, or of its kind and source. False then. */
  put(entry: ShortLivedEntry, most: { ofKind: number; ofSource: number }): Promise<boolean>
  get(kind: string, id: string): Promise<ShortLivedEntry | undefined>
  /** Those that end first come first. */
  list(kind: string): Promise<ShortLivedEntry[]>
  /** Changes the value if it is still what the caller has read. */
  replace(entry: ShortLivedEntry, value: string): Promise<boolean>
  /** Removes it. Of several who take it at once, one gets it. */
  take(kind: string, id: string): Promise<ShortLivedEntry | undefined>
}

export interface Coordination {
  shortLived: ShortLived
  events: EventLog
  leases: Lease
  turns: TurnQueue
  approvals: ApprovalStore
  runningCosts: RunningCosts
}
