/** The turn queue in memory. */
import { isQueueHeld, say, type Turn } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import {
  type MoveResult,
  type NewTurn,
  steeredCause,
  type TurnQueue,
  waitingCause,
} from '../../core/ports/coordination.ts'
import type { Owners } from './memory-leases.ts'

interface Entry {
  turn: Turn
  rank: number
  number: number
  epoch: number | undefined
  key: string | undefined
  admitted: string
}

/** Ranks count up from one. */
const moreThanAnyRank = 2 ** 40

export interface MemoryTurnQueue {
  queue: TurnQueue
  runningEpoch(sessionId: string): number | undefined
}

export function createMemoryTurnQueue(owners: Owners): MemoryTurnQueue {
  const turns = new Turns()
  return {
    queue: { ...waitingTurns(turns), ...turnsOfOwner(turns, owners), ...turnViews(turns) },
    runningEpoch(sessionId) {
      const epochs = turns
        .of(sessionId)
        .filter((entry) => isOpen(entry.turn))
        .map((entry) => entry.epoch ?? 0)
      return epochs.length > 0 ? Math.max(...epochs) : undefined
    },
  }
}

class Turns {
  #entries: Entry[] = []
  #count = 0

  of(sessionId: string): Entry[] {
    return this.#entries.filter((entry) => entry.turn.session_id === sessionId)
  }

  all(): Entry[] {
    return this.#entries
  }

  queued(sessionId: string): Entry[] {
    return this.of(sessionId)
      .filter((entry) => entry.turn.state === 'queued')
      .toSorted((a, b) => a.rank - b.rank)
  }

  find(sessionId: string, turnId: string): Entry | undefined {
    return this.of(sessionId).find((entry) => entry.turn.id === turnId)
  }

  findQueued(sessionId: string, turnId: string): Entry | undefined {
    return this.queued(sessionId).find((entry) => entry.turn.id === turnId)
  }

  expect(sessionId: string, turnId: string, states: Turn['state'][]): Entry {
    const entry = this.find(sessionId, turnId)
    if (!entry)
      throw new AppError('not_found', say('turn_not_in_session', { id: turnId, session: sessionId }))
    if (!states.includes(entry.turn.state))
      throw new AppError(
        'conflict',
        say('turn_in_other_state', { id: turnId, state: entry.turn.state, states }),
      )
    return entry
  }

  /** The rank before all others. */
  first(sessionId: string): number {
    return Math.min(...this.of(sessionId).map(({ rank }) => rank)) - 1
  }

  add(turn: Turn, more: { epoch?: number; key?: string | undefined }): Entry {
    if (this.find(turn.session_id, turn.id))
      throw new AppError('conflict', say('turn_exists', { id: turn.id, session: turn.session_id }))
    this.#count += 1
    const entry: Entry = {
      turn: structuredClone(turn),
      rank: this.#count,
      number: this.#count,
      epoch: more.epoch,
      key: more.key,
      admitted: JSON.stringify(turn.content),
    }
    this.#entries.push(entry)
    return entry
  }

  remove(sessionId: string): void {
    this.#entries = this.#entries.filter((entry) => entry.turn.session_id !== sessionId)
  }
}

function isOpen(turn: Turn): boolean {
  return turn.state === 'claimed' || turn.state === 'running'
}

function copyOf(entry: Entry | undefined): Turn | undefined {
  return entry && structuredClone(entry.turn)
}

function admit(turns: Turns, { sessionId, createdAt, idempotencyKey, ...rest }: NewTurn) {
  const before =
    idempotencyKey === undefined
      ? undefined
      : turns
          .of(sessionId)
          .find((entry) => entry.key === idempotencyKey && entry.turn.principal === rest.principal)
  if (before) {
    const same = before.admitted === JSON.stringify(rest.content)
    return {
      outcome: same ? ('duplicate' as const) : ('mismatch' as const),
      turn: structuredClone(before.turn),
    }
  }
  const turn: Turn = { ...rest, session_id: sessionId, state: 'queued', created_at: createdAt }
  if (rest.replaces !== undefined) checkReplaceable(turns, sessionId, rest.replaces)
  const first = turns.first(sessionId)
  release(turns, sessionId)
  const entry = turns.add(turn, { key: idempotencyKey })
  if (rest.replaces !== undefined) entry.rank = first
  return { outcome: 'admitted' as const, turn: structuredClone(entry.turn) }
}

function checkReplaceable(turns: Turns, sessionId: string, replaced: string): void {
  turns.expect(sessionId, replaced, ['ended'])
  const isReplacing = ({ turn }: Entry) => turn.state !== 'ended' && turn.replaces === replaced
  if (turns.of(sessionId).some(isReplacing))
    throw new AppError('conflict', say('turn_being_replaced', { id: replaced }))
}

function release(turns: Turns, sessionId: string): boolean {
  const held = turns.queued(sessionId).filter(({ turn }) => turn.held)
  for (const { turn } of held) delete turn.held
  return held.length > 0
}

function move(turns: Turns, sessionId: string, turnId: string, before: string | undefined): MoveResult {
  const queue = turns.queued(sessionId)
  const entry = turns.findQueued(sessionId, turnId)
  if (!entry) return { outcome: 'not_waiting' }
  if (before !== undefined && !turns.findQueued(sessionId, before)) return { outcome: 'target_not_waiting' }
  const ranks = queue.map(({ rank }) => rank)
  if (before !== turnId) {
    queue.splice(queue.indexOf(entry), 1)
    const index = queue.findIndex(({ turn }) => turn.id === before)
    queue.splice(index === -1 ? queue.length : index, 0, entry)
  }
  for (const [index, one] of queue.entries()) one.rank = ranks[index] ?? one.rank
  return { outcome: 'moved', turn: structuredClone(entry.turn) }
}

/** What anybody may do with a turn that waits, or waits for a decision. */
function waitingTurns(
  turns: Turns,
): Pick<TurnQueue, 'admit' | 'withdraw' | 'edit' | 'move' | 'hold' | 'release' | 'settle'> {
  return {
    admit: async (turn) => admit(turns, turn),
    move: async (sessionId, turnId, before) => move(turns, sessionId, turnId, before),
    async hold(sessionId) {
      const queue = turns.queued(sessionId)
      for (const { turn } of queue) turn.held = true
      return queue.length > 0
    },
    release: async (sessionId) => release(turns, sessionId),
    async withdraw(sessionId, turnId, at) {
      const entry = turns.findQueued(sessionId, turnId)
      delete entry?.turn.held
      if (entry) Object.assign(entry.turn, { state: 'ended', outcome: 'withdrawn', ended_at: at })
      return copyOf(entry)
    },
    async edit(sessionId, turnId, content) {
      const entry = turns.findQueued(sessionId, turnId)
      if (entry) entry.turn.content = structuredClone(content)
      return copyOf(entry)
    },
    async settle(sessionId, turnId, action, at) {
      const entry = turns.find(sessionId, turnId)
      if (entry?.turn.outcome !== 'unconfirmed') return undefined
      if (action === 'drop') Object.assign(entry.turn, { outcome: 'withdrawn', ended_at: at })
      else {
        const {
          outcome: _,
          ended_at: __,
          started_at: ___,
          reason: ____,
          reason_code: _____,
          ...rest
        } = entry.turn
        release(turns, sessionId)
        entry.turn = { ...rest, state: 'queued', cause: waitingCause(rest.cause) }
        entry.epoch = undefined
        entry.rank = turns.first(sessionId)
      }
      return copyOf(entry)
    },
  }
}

function turnsOfOwner(
  turns: Turns,
  owners: Owners,
): Pick<TurnQueue, 'claim' | 'claimTurn' | 'start' | 'unclaim' | 'giveBack' | 'startBackground' | 'end'> {
  function claim(entry: Entry | undefined, epoch: number): Turn | undefined {
    if (entry) {
      entry.turn.state = 'claimed'
      delete entry.turn.held
      entry.epoch = epoch
    }
    return copyOf(entry)
  }
  return {
    async claim(sessionId, epoch) {
      owners.check(sessionId, epoch)
      const queue = turns.queued(sessionId)
      return isQueueHeld(queue.map(({ turn }) => turn)) ? undefined : claim(queue[0], epoch)
    },
    async claimTurn(sessionId, epoch, turnId) {
      owners.check(sessionId, epoch)
      const entry = turns.findQueued(sessionId, turnId)
      if (entry) entry.turn.cause = steeredCause(entry.turn.cause)
      return claim(entry, epoch)
    },
    async start(sessionId, epoch, turnId, startedAt) {
      owners.check(sessionId, epoch)
      const entry = turns.expect(sessionId, turnId, ['claimed'])
      Object.assign(entry.turn, { state: 'running', started_at: startedAt })
      entry.epoch = epoch
    },
    async unclaim(sessionId, epoch, turnId) {
      owners.check(sessionId, epoch)
      const entry = turns.expect(sessionId, turnId, ['claimed'])
      Object.assign(entry.turn, { state: 'queued', cause: waitingCause(entry.turn.cause) })
      entry.epoch = undefined
    },
    async giveBack(sessionId, epoch, turnId, { id, at, reason }) {
      owners.check(sessionId, epoch)
      const { turn, rank } = turns.expect(sessionId, turnId, ['running'])
      const { started_at: _, ...waits } = { ...turn, cause: waitingCause(turn.cause) }
      const isReleased = turns.queued(sessionId).some((entry) => !entry.turn.held)
      const again = turns.add({ ...waits, id, state: 'queued', ...(!isReleased && { held: true }) }, {})
      // Before all that waited, and behind what was put back before it in the queue.
      again.rank = rank - moreThanAnyRank
      Object.assign(turn, { state: 'ended', outcome: 'withdrawn', reason, ended_at: at })
      return structuredClone(again.turn)
    },
    async startBackground(sessionId, epoch, { id, principal, startedAt }) {
      owners.check(sessionId, epoch)
      const times = { created_at: startedAt, started_at: startedAt }
      turns.add(
        { id, session_id: sessionId, cause: 'background', state: 'running', principal, ...times },
        { epoch },
      )
    },
    async end(sessionId, epoch, turnId, end) {
      const { outcome, endedAt, reason, reasonCode, said, joinedTurn, structuredOutput } = end
      owners.check(sessionId, epoch)
      const entry = turns.expect(sessionId, turnId, ['claimed', 'running'])
      Object.assign(entry.turn, {
        state: 'ended',
        outcome,
        ended_at: endedAt,
        ...(reason !== undefined && { reason }),
        ...(reasonCode !== undefined && { reason_code: reasonCode }),
        ...(said && { said }),
        ...(joinedTurn !== undefined && { joined_turn: joinedTurn }),
        ...(structuredOutput !== undefined && { structured_output: structuredClone(structuredOutput) }),
      })
    },
  }
}

function turnViews(turns: Turns): Pick<TurnQueue, 'get' | 'list' | 'queued' | 'unfinished' | 'remove'> {
  return {
    get: async (sessionId, turnId) => copyOf(turns.find(sessionId, turnId)),
    async list(sessionId, { state, until, limit }) {
      return turns
        .of(sessionId)
        .filter((entry) => state === undefined || entry.turn.state === state)
        .filter((entry) => until === undefined || entry.turn.created_at <= until)
        .toSorted((a, b) => b.number - a.number)
        .slice(0, limit)
        .map((entry) => structuredClone(entry.turn))
    },
    queued: async (sessionId) => turns.queued(sessionId).map((entry) => structuredClone(entry.turn)),
    async unfinished() {
      const sessions = [...new Set(turns.all().map((entry) => entry.turn.session_id))]
      return sessions
        .map((sessionId) => ({
          sessionId,
          queued: turns.queued(sessionId).length,
          open: turns
            .of(sessionId)
            .filter((entry) => isOpen(entry.turn))
            .toSorted((a, b) => a.rank - b.rank)
            .map((entry) => ({ ...structuredClone(entry.turn), epoch: entry.epoch ?? 0 })),
        }))
        .filter(({ queued, open }) => queued > 0 || open.length > 0)
    },
    remove: async (sessionId) => turns.remove(sessionId),
  }
}
