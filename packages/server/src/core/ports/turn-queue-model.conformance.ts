/** A turn queue tried with random steps, next to a model of it. */
import type { Turn, TurnOutcome } from '@dorkos/shared'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Coordination, LeaseGrant } from './coordination.ts'
import { acquire, newSessionId, newTurn, time } from './fixtures.conformance.ts'

const later = '2025-06-01T12:05:00.000Z'
const actions = [
  'admit',
  'claim',
  'claimTurn',
  'start',
  'unclaim',
  'end',
  'unconfirm',
  'withdraw',
  'run',
  'drop',
  'move',
  'hold',
  'release',
] as const
type Action = (typeof actions)[number]
interface ModelTurn {
  id: string
  state: Turn['state']
  outcome: TurnOutcome | undefined
}

/** The queue as a list: waiting turns stand in the order they will run. */
class Model {
  readonly turns: ModelTurn[] = []
  /** Turns that wait and are held; one holds all. */
  readonly held = new Set<string>()

  get waiting(): ModelTurn[] {
    return this.turns.filter(({ state }) => state === 'queued')
  }

  get isHeld(): boolean {
    return this.waiting.some(({ id }) => this.held.has(id))
  }

  /** Gives the waiting turns another order among the places that they have. */
  move(turn: ModelTurn, before: ModelTurn | undefined): boolean {
    const { waiting } = this
    if (!waiting.includes(turn) || (before && !waiting.includes(before))) return false
    if (turn === before) return true
    const order = waiting.filter((one) => one !== turn)
    order.splice(before ? order.indexOf(before) : order.length, 0, turn)
    for (const [index, one] of this.turns.entries())
      if (one.state === 'queued') this.turns[index] = order.shift() ?? one
    return true
  }

  /** Changes the turn if the action is allowed. Answers with whether it was. */
  change(action: Action, turn: ModelTurn): boolean {
    const { state, outcome } = turn
    const set = (next: Turn['state'], ended?: TurnOutcome): boolean => {
      this.held.delete(turn.id)
      turn.state = next
      turn.outcome = ended
      return true
    }
    if (action === 'claimTurn') return state === 'queued' && set('claimed')
    if (action === 'start') return state === 'claimed' && set('running')
    if (action === 'unclaim') return state === 'claimed' && set('queued')
    if (action === 'withdraw') return state === 'queued' && set('ended', 'withdrawn')
    if (action === 'drop') return outcome === 'unconfirmed' && set('ended', 'withdrawn')
    if (action === 'end') return (state === 'claimed' || state === 'running') && set('ended', 'completed')
    if (action === 'unconfirm')
      return (state === 'claimed' || state === 'running') && set('ended', 'unconfirmed')
    if (outcome !== 'unconfirmed') return false
    this.held.clear()
    this.turns.splice(this.turns.indexOf(turn), 1)
    this.turns.unshift(turn)
    return set('queued')
  }
}

/** Does it in the store. Answers with whether the store allowed it. */
async function perform(
  { turns }: Coordination,
  { sessionId, epoch }: { sessionId: string; epoch: number },
  action: Action,
  id: string,
): Promise<boolean> {
  const end = {
    outcome: action === 'end' ? ('completed' as const) : ('unconfirmed' as const),
    endedAt: later,
  }
  const writes: Partial<Record<Action, () => Promise<unknown>>> = {
    claimTurn: () => turns.claimTurn(sessionId, epoch, id),
    start: () => turns.start(sessionId, epoch, id, time).then(() => true),
    unclaim: () => turns.unclaim(sessionId, epoch, id).then(() => true),
    end: () => turns.end(sessionId, epoch, id, end).then(() => true),
    unconfirm: () => turns.end(sessionId, epoch, id, end).then(() => true),
    withdraw: () => turns.withdraw(sessionId, id, later),
    run: () => turns.settle(sessionId, id, 'run', later),
    drop: () => turns.settle(sessionId, id, 'drop', later),
  }
  const result = await writes[action]?.().catch((error: { code?: unknown }) => {
    expect(error.code).toBe('conflict')
  })
  return result !== undefined
}

/** One step in the model and in the store, with the same answer. */
async function step(
  coordination: Coordination,
  grant: LeaseGrant,
  model: Model,
  action: Action,
  indexes: readonly [number, number],
): Promise<void> {
  const { turns } = coordination
  const { sessionId, epoch } = grant
  const [turn, other] = indexes.map((index) => model.turns[index % model.turns.length])
  if (action === 'admit') {
    const { turn: added } = await turns.admit(newTurn(sessionId, 'x'))
    model.held.clear()
    model.turns.push({ id: added.id, state: 'queued', outcome: undefined })
  } else if (action === 'claim') {
    const expected = model.isHeld ? undefined : model.waiting[0]
    if (expected) model.change('claimTurn', expected)
    expect((await turns.claim(sessionId, epoch))?.id).toBe(expected?.id)
  } else if (action === 'hold') {
    for (const { id } of model.waiting) model.held.add(id)
    expect(await turns.hold(sessionId)).toBe(model.waiting.length > 0)
  } else if (action === 'release') {
    expect(await turns.release(sessionId)).toBe(model.isHeld)
    model.held.clear()
  } else if (action === 'move' && turn) {
    // The last place stands for the end.
    const before = other === model.turns.at(-1) ? undefined : other
    const { outcome } = await turns.move(sessionId, turn.id, before?.id)
    expect(outcome === 'moved').toBe(model.move(turn, before))
  } else if (turn) {
    const allowed = model.change(action, turn)
    expect([action, await perform(coordination, grant, action, turn.id)]).toEqual([action, allowed])
  }
}

export function turnQueueModelTests(get: () => Coordination): void {
  it('moves turns as the model says, whatever is tried', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(6), fc.nat(6)), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const grant = await acquire(get(), newSessionId())
        const model = new Model()
        for (const [action, index, other] of [['admit', 0, 0] as const, ...taken])
          await step(get(), grant, model, action, [index, other])
        const waiting = model.waiting.map(({ id }) => ({ id, held: model.held.has(id) }))
        const queue = await get().turns.queued(grant.sessionId)
        expect(queue.map(({ id, held = false }) => ({ id, held }))).toEqual(waiting)
        const states = new Map(model.turns.map(({ id, state, outcome }) => [id, { state, outcome }]))
        for (const { id, state, outcome } of await get().turns.list(grant.sessionId, { limit: 100 }))
          expect({ state, outcome }).toEqual(states.get(id))
      }),
      { numRuns: 30 },
    )
  })
}
