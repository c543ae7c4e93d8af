/** A child that leads its own process group, so that it can be ended together with all that it started. */
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMembers, readProcess } from './process-table.ts'

const firstPollMs = 5
const slowestPollMs = 200

export class ProcessGroup {
  readonly pid: number
  /** `undefined` where the system does not say. */
  readonly startTime: string | undefined
  #isGone = false

  /** Without `startTime`, `pid` must be a running child of this process. */
  constructor(pid: number, startTime = readProcess(pid)?.startTime) {
    this.pid = pid
    this.startTime = startTime
  }

  /** False when nothing was there to signal. Never throws. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#kill(signal)
  }

  /** Whether a living member is left. Zombies count only where there is no /proc to distinguish them. */
  hasMembers(): boolean {
    const isThere = this.#kill(0) && (process.platform !== 'linux' || groupMembers(this.pid).length > 0)
    // Nobody joins a group that has no members: whoever has its id later is a stranger.
    if (!isThere) this.#isGone = true
    return isThere
  }

  /** True as soon as nothing of it lives, false after `ms`. With `ref` false, waiting keeps no program running. */
  async endsWithin(ms: number, ref = true): Promise<boolean> {
    let pollMs = firstPollMs
    for (let waited = 0; this.hasMembers(); waited += pollMs, pollMs = Math.min(pollMs * 2, slowestPollMs)) {
      if (waited >= ms) return false
      await sleep(pollMs, undefined, { ref })
    }
    return true
  }

  /** Whether the first process of the group has ended, collected by its parent or not. */
  leaderEnded(): boolean {
    const stat = readProcess(this.pid)
    if (stat) return !stat.isLiving || this.#isAnother(stat.startTime)
    return process.platform === 'linux' || !this.#kill(0)
  }

  #isAnother(startTime: string): boolean {
    return this.startTime !== undefined && startTime !== this.startTime
  }

  #kill(signal: NodeJS.Signals | 0): boolean {
    if (this.#isGone) return false
    // A group's id is not given to a new process while the group has a member. So either our leader still has
    // it, or nobody; a process with that id and another start time means that our group is long gone.
    const stat = readProcess(this.pid)
    if (stat && this.#isAnother(stat.startTime)) return false
    try {
      // Windows has no process groups.
      process.kill(process.platform === 'win32' ? this.pid : -this.pid, signal)
      return true
    } catch {
      return false
    }
  }
}
