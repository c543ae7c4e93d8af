/** An event log tried with random steps, next to a model of it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Coordination } from './coordination.ts'
import { acquire, batchOf, brief, newSessionId } from './fixtures.conformance.ts'

type Step =
  | { do: 'acquire'; session: number }
  | { do: 'append'; batches: { session: number; epochBack: number; seqOff: number; size: number }[] }
  | { do: 'remove'; session: number }

const session = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('acquire' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      batches: fc.array(
        fc.record({
          session,
          epochBack: fc.oneof(
            { weight: 5, arbitrary: fc.constant(0) },
            { weight: 1, arbitrary: fc.constant(1) },
          ),
          seqOff: fc.oneof(
            { weight: 5, arbitrary: fc.constant(0) },
            { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
          ),
          size: fc.nat(4),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), session }) },
)

/** What a session's log must hold. */
interface Model {
  id: string
  epoch: number
  lastSeq: number
  events: string[]
}

async function apply(coordination: Coordination, models: Model[], taken: Step): Promise<void> {
  if (taken.do === 'append') return applyAppend(coordination, models, taken.batches)
  const model = models[taken.session]
  if (!model) return
  if (taken.do === 'remove') {
    await coordination.events.remove(model.id)
    model.events = []
    return
  }
  const grant = await acquire(coordination, model.id)
  model.epoch += 1
  model.lastSeq = 1
  model.events.push(`${model.epoch}-1`)
  expect(grant.epoch).toBe(model.epoch)
}

async function applyAppend(
  coordination: Coordination,
  models: Model[],
  batches: { session: number; epochBack: number; seqOff: number; size: number }[],
): Promise<void> {
  const expected: string[] = []
  const input = batches.flatMap(({ session, epochBack, seqOff, size }) => {
    const model = models[session]
    if (!model) return []
    const epoch = model.epoch - epochBack
    const firstSeq = model.lastSeq + 1 + seqOff
    const texts = Array.from({ length: size }, (_, index) => `${index}`)
    if (epochBack > 0 || epoch < 1) expected.push('StaleEpochError')
    else if (seqOff !== 0) expected.push('RangeError')
    else {
      expected.push('fulfilled')
      for (const text of texts) {
        model.lastSeq += 1
        model.events.push(`${epoch}-${model.lastSeq} ${text}`)
      }
    }
    return [batchOf({ sessionId: model.id, epoch }, firstSeq, texts)]
  })
  const results = await coordination.events.append(input)
  expect(results.map((one) => (one.status === 'fulfilled' ? one.status : one.reason.name))).toEqual(expected)
}

export function eventLogModelTests(get: () => Coordination): void {
  it('holds just what was accepted, in order, whatever is tried', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const models = [0, 1, 2].map((): Model => ({ id: newSessionId(), epoch: 0, lastSeq: 0, events: [] }))
        for (const taken of steps) await apply(get(), models, taken)
        for (const model of models)
          expect(brief(await get().events.readSession(model.id, undefined, 1000))).toEqual(model.events)
      }),
      { numRuns: 25 },
    )
  })
}
