/**
 * Whether a session's process goes by what counts of its workspace now. It has loaded what counted when it was started,
 * and loads by itself what changes. So a change of trust, at whichever server it was made or seen, ends it: an idle one
 * at once where less counts.
 */
import type { SessionRunner } from '../sessions/session-runner.ts'
import { sayTrust, trustNotice } from './trust-notice.ts'
import type { CheckedWorkspace, TrustTransition } from './workspace-trust.ts'

/** All that it needs of a session. */
export type TrustingRunner = Pick<
  SessionRunner,
  'live' | 'starting' | 'busy' | 'events' | 'restartWhenIdle' | 'stop'
>

/** The digest of what is trusted; undefined where nothing is. */
type Counting = string | undefined

export class ProcessTrust {
  readonly #loaded = new WeakMap<TrustingRunner, Counting>()

  /** A process is about to be started, and nothing of the workspace was read for it: what changes later is found. */
  starts(runner: TrustingRunner, checked: CheckedWorkspace | undefined): void {
    this.#loaded.set(runner, countingOf(checked))
  }

  /** Trust has changed, as this server saw. */
  changed(runner: TrustingRunner, { how, digest }: Pick<TrustTransition, 'how' | 'digest'>): void {
    if (!runner.live && !runner.starting) return
    this.#loaded.set(runner, digest)
    runner.events.emit(trustNotice(how))
    const why = sayTrust(how)
    runner.restartWhenIdle(why)
    if (digest === undefined && runner.live && !runner.busy)
      void runner.stop(why).catch((error: unknown) => runner.events.fault(error))
  }

  /** Trust may have changed at another server: what is stored is compared with what the process was started with. */
  compare(runner: TrustingRunner, checked: CheckedWorkspace | undefined): void {
    // One that is about to start has not read anything yet.
    if (!this.#loaded.has(runner)) return
    const how = transitionSince(this.#loaded.get(runner), checked)
    if (how) this.changed(runner, { how, digest: countingOf(checked) })
  }
}

const countingOf = (checked: CheckedWorkspace | undefined): Counting => checked?.covers?.digest

/** What became of trust since this counted; undefined where it still does. A workspace that is gone is not trusted. */
export function transitionSince(
  before: Counting,
  checked: CheckedWorkspace | undefined,
): TrustTransition['how'] | undefined {
  const now = countingOf(checked)
  if (now === before) return undefined
  if (now !== undefined) return 'given'
  return checked?.workspace.trust === 'changed' ? 'lost' : 'taken'
}
