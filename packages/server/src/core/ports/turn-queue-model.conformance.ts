/** A turn queue tried with random steps, next to a model of it. */
import type { Turn, TurnOutcome } from '@dorkos/shared'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Coordination } from './coordination.ts'
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

  /** Changes the turn if the action is allowed. Answers with whether it was. */
  change(action: Action, turn: ModelTurn): boolean {
    const { state, outcome } = turn
    const set = (next: Turn['state'], ended?: TurnOutcome): boolean => {
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

export function turnQueueModelTests(get: () => Coordination): void {
  it('moves turns as the model says, whatever is tried', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(6)), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const grant = await acquire(get(), newSessionId())
        const model = new Model()
        for (const [action, place] of [['admit', 0] as const, ...taken]) {
          if (action === 'admit') {
            const { turn } = await get().turns.admit(newTurn(grant.sessionId, 'x'))
            model.turns.push({ id: turn.id, state: 'queued', outcome: undefined })
          } else if (action === 'claim') {
            const expected = model.turns.find(({ state }) => state === 'queued')
            if (expected) model.change('claimTurn', expected)
            expect((await get().turns.claim(grant.sessionId, grant.epoch))?.id).toBe(expected?.id)
          } else {
            const turn = model.turns[place % model.turns.length]
            if (!turn) continue
            const allowed = model.change(action, turn)
            expect([action, await perform(get(), grant, action, turn.id)]).toEqual([action, allowed])
          }
        }
        const waiting = model.turns.filter(({ state }) => state === 'queued').map(({ id }) => id)
        expect((await get().turns.queued(grant.sessionId)).map(({ id }) => id)).toEqual(waiting)
        const states = new Map(model.turns.map(({ id, state, outcome }) => [id, { state, outcome }]))
        for (const { id, state, outcome } of await get().turns.list(grant.sessionId, { limit: 100 }))
          expect({ state, outcome }).toEqual(states.get(id))
      }),
      { numRuns: 30 },
    )
  })
}
