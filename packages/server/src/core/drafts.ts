/** What people are writing, kept on the server so that another of their devices has it. Nobody else sees it, and it is in no log. */
import { type Draft, say } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { PublishServer } from './events/event-hub.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { DraftStore } from './ports/drafts.ts'
import type { DraftService, SessionService } from './services.ts'

/** Of one principal; the oldest go. */
const mostDrafts = 100

export interface DraftDeps {
  store: DraftStore
  clock: Clock
  publish: PublishServer
  sessions: Pick<SessionService, 'get'>
}

export function createDrafts({ store, clock, publish, sessions }: DraftDeps): DraftService {
  return {
    list: ({ principal }) => store.list(principal),

    async save(actor, key, { text, base_revision: base }) {
      const { principal } = actor
      // To somebody else's session nobody writes.
      if (key !== 'new') await sessions.get(actor, key)
      const now = clock.now()
      // By the clock, so that one that was removed and begun anew has no revision that an older one had.
      const revision = Math.max(base + 1, Math.round(now))
      const draft: Draft = { key, text, revision, updated_at: isoTime(now) }
      const { saved, stored } = await store.save({ ...draft, principal }, base, mostDrafts)
      if (!saved)
        throw new AppError('conflict', say('draft_changed'), {
          details: { draft: stored ?? { ...draft, text: '', revision: 0 } },
        })
      publish({ type: 'draft_changed', time: draft.updated_at, draft }, principal)
      return draft
    },
  }
}
