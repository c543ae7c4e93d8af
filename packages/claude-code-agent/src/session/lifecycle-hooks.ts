/** `SessionStart` and `SessionEnd`, which the CLI does not raise at start and exit (2.1.325): once each, in pairs. */
import type { HookInput } from '../hooks.ts'
import type { HookRegistry } from '../protocol/hook-registry.ts'
import { type FileEnvironment, transcriptPath } from '../transcripts/transcript-path.ts'

export interface LifecycleSetup {
  hooks: HookRegistry
  sessionId: string
  cwd: string
  /** What is laid over the program's environment for the CLI: it says where the transcript will be. */
  env?: FileEnvironment | undefined
  warn(warning: string): void
}

export class LifecycleHooks {
  readonly #setup: LifecycleSetup
  #started = false

  constructor(setup: LifecycleSetup) {
    this.#setup = setup
  }

  start(source: string): void {
    this.#started = true
    this.#raise('SessionStart', { source })
  }

  end(reason: string): void {
    if (this.#started) this.#raise('SessionEnd', { reason })
  }

  #raise(event: 'SessionStart' | 'SessionEnd', extra: Record<string, unknown>): void {
    const { hooks, sessionId, cwd, env, warn } = this.#setup
    if (!hooks.has(event)) return
    const input: HookInput = {
      hook_event_name: event,
      session_id: sessionId,
      transcript_path: transcriptPath(sessionId, cwd, { ...process.env, ...env }),
      cwd,
      ...extra,
    }
    void hooks.raise(event, input, (error) => warn(`A ${event} hook failed: ${String(error)}`))
  }
}
