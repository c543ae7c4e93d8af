/** A child that leads its own process group, so that it can be ended together with all that it started. */
import { readGroupMembers, readProcessStat } from './process-stat.ts'

export class ProcessGroup {
  readonly pid: number
  /** `undefined` where the system does not tell. */
  readonly startTime: string | undefined

  /** Without `startTime`, `pid` must be a running child of this process. */
  constructor(pid: number, startTime = readProcessStat(pid)?.startTime) {
    this.pid = pid
    this.startTime = startTime
  }

  /** False when nothing was there to signal. Never throws. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#kill(signal)
  }

  /**
   * Whether a living member is left. Zombies do not count (in a container, nobody may ever collect them), except
   * where there is no /proc to tell them apart.
   */
  hasMembers(): boolean {
    if (!this.#kill(0)) return false
    return process.platform !== 'linux' || readGroupMembers(this.pid).length > 0
  }

  /** Whether the first process of the group has ended, collected by its parent or not. */
  leaderEnded(): boolean {
    const stat = readProcessStat(this.pid)
    if (stat) return stat.state === 'Z' || this.#isAnother(stat.startTime)
    return process.platform === 'linux' || !this.#kill(0)
  }

  #isAnother(startTime: string): boolean {
    return this.startTime !== undefined && startTime !== this.startTime
  }

  #kill(signal: NodeJS.Signals | 0): boolean {
    // A group's id is not given to a new process while the group has a member. So either our leader still has
    // it, or nobody; a process with that id and another start time means that our group is long gone.
    const stat = readProcessStat(this.pid)
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
