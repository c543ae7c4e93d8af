/** A server process and all that it started, ended together. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasLivingMembers, readProcess } from './process-table.ts'

const firstPollMs = 5
const slowestPollMs = 100

/** Those that end with this program. A program that dies of a signal runs no code; for that there is `endOrphans`. */
const living = new Set<ProcessGroup>()

function endAll(): void {
  for (const group of living) group.signal('SIGKILL')
}

export class ProcessGroup {
  readonly #leader: number
  readonly #startTime: string | undefined
  #gone = false

  /** `leader` must be a child of ours that was started as the head of its own group, and lives. */
  constructor(leader: number) {
    this.#leader = leader
    this.#startTime = readProcess(leader)?.startTime
    if (living.size === 0) process.on('exit', endAll)
    living.add(this)
  }

  /** False when nothing was there to signal. Never throws. */
  signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#gone) return false
    // A group's id is given to nobody else while the group has a member: a stranger with that id means that ours is long gone.
    const startTime = readProcess(this.#leader)?.startTime
    if (startTime !== undefined && this.#startTime !== undefined && startTime !== this.#startTime)
      return false
    try {
      process.kill(process.platform === 'win32' ? this.#leader : -this.#leader, signal)
      return true
    } catch {
      return false
    }
  }

  /** Whether nothing of it lives. Zombies do not count: in a container, nobody may ever collect them. */
  isGone(): boolean {
    if (this.#gone) return true
    if (this.signal(0) && (process.platform !== 'linux' || hasLivingMembers(this.#leader))) return false
    this.#gone = true
    if (living.delete(this) && living.size === 0) process.off('exit', endAll)
    return true
  }

  /** True as soon as nothing of it lives, false after `ms`. */
  async goneWithin(ms: number): Promise<boolean> {
    let pollMs = firstPollMs
    for (let waited = 0; !this.isGone(); waited += pollMs, pollMs = Math.min(pollMs * 2, slowestPollMs)) {
      if (waited >= ms) return false
      await sleep(pollMs)
    }
    return true
  }
}
