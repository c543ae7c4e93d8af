/** What people are writing. */
import type { DraftService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function draftRoutes(drafts: DraftService) {
  return {
    listDrafts: async ({ actor }) => ({ drafts: await drafts.list(actor) }),
    saveDraft: ({ actor, params, body }) => drafts.save(actor, params.key, body),
  } satisfies Partial<Handlers>
}
