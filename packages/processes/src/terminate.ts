/** Ends a process and what it started: gracefully first, in bounded time. */
import { setTimeout as sleep } from 'node:timers/promises'

const defaultKillMs = 2000
/** SIGKILL cannot be refused, but a process that waits for a dead disk does not see it. */
const lastWaitMs = 2000

/** A process, or a `ProcessGroup`. */
export interface TerminationTarget {
  signal(signal: NodeJS.Signals): unknown
  /** True as soon as it has ended, false after `ms`. With `ref` false, waiting keeps no program running. */
  endsWithin(ms: number, ref: boolean): Promise<boolean>
}

export interface TerminationOptions {
  /** How long it may take to end by itself, before SIGTERM. Default 0. */
  graceMs?: number | undefined
  /** How long to wait after SIGTERM before SIGKILL. Default 2000 ms. */
  killMs?: number | undefined
  /** Whether waiting keeps this program running. Default true. */
  ref?: boolean
}

/** A wait, SIGTERM, a wait, SIGKILL, a last wait. False when it is still there after all of that. */
export async function terminate(
  target: TerminationTarget,
  { graceMs = 0, killMs = defaultKillMs, ref = true }: TerminationOptions = {},
): Promise<boolean> {
  if (await target.endsWithin(graceMs, ref)) return true
  target.signal('SIGTERM')
  if (await target.endsWithin(killMs, ref)) return true
  target.signal('SIGKILL')
  return target.endsWithin(lastWaitMs, ref)
}

/** True as soon as `ended` resolves, false after `ms`. */
export async function resolvesWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const timeout = sleep(ms, false, { signal: timer.signal }).catch(() => false)
  const isEnded = await Promise.race([ended.then(() => true), timeout])
  timer.abort()
  return isEnded
}
