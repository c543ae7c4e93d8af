/** Work on one thing that only one of all servers does at a time. */
import { randomUUID } from 'node:crypto'
import type { Clock } from './ports/clock.ts'
import type { ShortLived } from './ports/coordination.ts'

/** Of one kind of work, on as many things. */
const most = 10_000
const pollMs = 200

/** `forMs`: longer than the work takes; for so long others wait for a server that is gone. */
export async function oneAtATime<T>(
  { shortLived, clock }: { shortLived: Pick<ShortLived, 'put' | 'take'>; clock: Clock },
  { kind, thing, forMs }: { kind: string; thing: string; forMs: number },
  work: () => Promise<T>,
): Promise<T> {
  // An id of its own: who was too slow gives back nobody else's.
  const id = randomUUID()
  const entry = () => ({ kind, id, source: thing, value: '{}', expiresAt: clock.now() + forMs })
  while (!(await shortLived.put(entry(), { ofKind: most, ofSource: 1 })))
    await new Promise<void>((resolve) => clock.after(pollMs, resolve))
  try {
    return await work()
  } finally {
    // It ends by itself, too.
    await shortLived.take(kind, id).catch(() => undefined)
  }
}
