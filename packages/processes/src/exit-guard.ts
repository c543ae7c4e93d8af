/**
 * Takes the children along when this program ends by itself: at its normal end, `process.exit()` or an uncaught
 * exception. A program that dies of a signal runs no code: its children must be found by the next one. No signal
 * handlers are installed: they would change how the program behaves.
 */
import type { ProcessGroup } from './process-group.ts'

/** Time for a child to save its state, taken only when children are alive at the end of the program. */
const graceMs = 250
const pollMs = 5

const guarded = new Set<ProcessGroup>()

/** From now until the returned function is called, the group ends with this program. */
export function guardExit(group: ProcessGroup): () => void {
  if (guarded.size === 0) process.on('exit', endAll)
  guarded.add(group)
  return () => {
    if (guarded.delete(group) && guarded.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  const groups = [...guarded].filter((group) => group.signal('SIGTERM'))
  const still = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < graceMs && !groups.every((group) => group.leaderEnded()); waited += pollMs) {
    Atomics.wait(still, 0, 0, pollMs)
  }
  for (const group of groups) group.signal('SIGKILL')
}
