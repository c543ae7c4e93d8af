/** Publishes on the server's topic that sessions changed: each once per short while, however often it changed in between. */
import { serverActor } from '../actor.ts'
import type { PublishServer } from '../events/event-hub.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { CliSessions } from './cli-sessions.ts'
import type { SessionDirectory } from './session-directory.ts'

const delayMs = 40

export interface ChangeNotifier {
  changed(sessionId: string): void
  /** Published at once, and the last that is published of it. */
  deleted(sessionId: string, principal: string): void
}

export function createChangeNotifier(parts: {
  clock: Clock
  sessions(): Pick<SessionDirectory, 'get'> & { cliSessions: Pick<CliSessions, 'principalOf'> }
  publish: PublishServer
}): ChangeNotifier {
  const { clock, sessions, publish } = parts
  let changed = new Set<string>()
  /** Those that are being published; undefined while none are, or wait to be. */
  let publishing: Set<string> | undefined

  function schedule(): void {
    if (publishing || changed.size === 0) return
    publishing = new Set()
    clock.after(delayMs, () => void publishAll())
  }

  async function publishAll(): Promise<void> {
    const now = changed
    publishing = now
    changed = new Set()
    try {
      for (const id of now) {
        // A session that is gone by now was published as deleted.
        const principal = sessions().cliSessions.principalOf(id)
        const reader = serverActor(principal, ['read'])
        const session = await sessions()
          .get(reader, id)
          .catch(() => undefined)
        if (session && now.has(id))
          publish({ type: 'session_changed', time: isoTime(clock.now()), session }, principal)
      }
    } finally {
      publishing = undefined
      schedule()
    }
  }

  return {
    changed(sessionId) {
      changed.add(sessionId)
      schedule()
    },
    deleted(sessionId, principal) {
      changed.delete(sessionId)
      // What was read of it before it went must not bring it back.
      publishing?.delete(sessionId)
      publish({ type: 'session_deleted', time: isoTime(clock.now()), session_id: sessionId }, principal)
    },
  }
}
