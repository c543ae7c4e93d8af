/** Ends a process and what it started: gracefully first, in bounded time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessGroup } from './process-group.ts'
import type { TerminateOptions } from './transport.ts'

const defaultGraceMs = 2000
const defaultKillMs = 2000
/** SIGKILL cannot be refused, but a process that waits for a dead disk does not see it. */
const lastWaitMs = 2000
const firstPollMs = 5
const slowestPollMs = 200

export interface TerminationTarget {
  /** Tells the process that no more input comes. */
  endInput(): void
  signal(signal: NodeJS.Signals): void
  /** Resolves once the process has ended. */
  exited: Promise<unknown>
}

/**
 * End of input, then SIGTERM, then SIGKILL, with a wait after each. False when the process is still there after
 * all of that.
 */
export async function terminateProcess(
  target: TerminationTarget,
  options: TerminateOptions = {},
): Promise<boolean> {
  target.endInput()
  if (await endsWithin(target.exited, options.graceMs ?? defaultGraceMs)) return true
  target.signal('SIGTERM')
  if (await endsWithin(target.exited, options.killMs ?? defaultKillMs)) return true
  target.signal('SIGKILL')
  return endsWithin(target.exited, lastWaitMs)
}

export interface EndGroupOptions {
  killMs?: number | undefined
  /** Whether waiting keeps this program running. Default true. */
  ref?: boolean
}

/**
 * Ends a whole group with SIGTERM, then SIGKILL: what the first process left behind, or an orphaned group.
 * True when nothing of it is left.
 */
export async function endGroup(group: ProcessGroup, options: EndGroupOptions = {}): Promise<boolean> {
  const { killMs = defaultKillMs, ref = true } = options
  if (!group.signal('SIGTERM')) return true
  if (await isEmptyWithin(group, killMs, ref)) return true
  group.signal('SIGKILL')
  return isEmptyWithin(group, lastWaitMs, ref)
}

async function isEmptyWithin(group: ProcessGroup, ms: number, ref: boolean): Promise<boolean> {
  let pollMs = firstPollMs
  for (let waited = 0; group.hasMembers(); waited += pollMs, pollMs = Math.min(pollMs * 2, slowestPollMs)) {
    if (waited >= ms) return false
    await sleep(pollMs, undefined, { ref })
  }
  return true
}

async function endsWithin(exited: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const timeout = sleep(ms, false, { signal: timer.signal }).catch(() => false)
  const ended = await Promise.race([exited.then(() => true), timeout])
  timer.abort()
  return ended
}
