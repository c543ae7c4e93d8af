import type { Session } from 'claude-code-agent'

/**
 * Settings that a CLI is given while it runs. With them it also picks up what settings files say by now, although it
 * was started with an option against that (2.1.325). So once a file has changed it is given nothing more: the next
 * process starts with what was read then.
 */
export class FlagSettings {
  #session: Pick<Session, 'applyFlagSettings'> | undefined
  #isClosed = false

  bind(session: Pick<Session, 'applyFlagSettings'>): void {
    this.#session = session
  }

  /** A settings file has changed. */
  close(): void {
    this.#isClosed = true
  }

  /** Laid over the settings of its start, which stay. False where they were not given. */
  async apply(settings: Record<string, unknown>): Promise<boolean> {
    if (!this.#session || this.#isClosed) return false
    await this.#session.applyFlagSettings(settings)
    return true
  }
}
