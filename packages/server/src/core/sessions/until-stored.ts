/** Facts that must not be lost because the disk was full or busy for a while: they are stored as soon as it takes them. */
import { AppError } from '../app-error.ts'

const retryMs = 500

/** Tries until it is stored. Anything but a store that cannot write now is passed on at once. */
export async function untilStored<T>(store: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await store()
    } catch (error) {
      const canWait =
        error instanceof AppError && (error.code === 'storage_full' || error.code === 'unavailable')
      if (!canWait) throw error
      await new Promise<void>((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** One work of several steps that can be tried again: it goes on with the step that failed. */
export function inSteps(steps: readonly (() => Promise<unknown>)[]): () => Promise<void> {
  let done = 0
  return async () => {
    for (const step of steps.slice(done)) {
      await step()
      done++
    }
  }
}
