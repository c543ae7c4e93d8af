/** The way to owners within one process: for one server alone, and for tests of several. */
import { AppError, toAppError } from '../../core/app-error.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { LeaseOwner } from '../../core/ports/coordination.ts'
import { type OwnerSignals, OwnerUnreachableError } from '../../core/ports/owner-signals.ts'

export function createMemoryOwnerSignals(clock: Pick<Clock, 'after'>): OwnerSignals {
  const served = new Map<LeaseOwner, (request: unknown) => Promise<unknown>>()
  return {
    async ask(owner, request, deadlineMs) {
      const handle = served.get(owner)
      if (!handle) throw new OwnerUnreachableError(owner)
      let cancel = () => {}
      const late = new Promise<never>((_, reject) => {
        cancel = clock.after(deadlineMs, () => reject(new OwnerUnreachableError(owner)))
      })
      // What cannot travel does not arrive here either.
      const answer = asJson(request)
        .then(handle)
        .then(asJson, (error: unknown) => {
          const { code, saying, details } = toAppError(error)
          throw new AppError(code, saying, { details })
        })
      return Promise.race([answer, late]).finally(cancel)
    },
    async serve(owner, handle) {
      served.set(owner, handle)
      return () => served.delete(owner)
    },
  }
}

async function asJson(value: unknown): Promise<unknown> {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}
