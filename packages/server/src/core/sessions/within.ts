import type { Clock } from '../ports/clock.ts'

/** Whether the promise settled in time. Rejections count as settled: the caller only wants an answer. */
export async function within(ms: number, clock: Clock, promise: Promise<unknown>): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false))
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, late]).finally(cancel)
}
