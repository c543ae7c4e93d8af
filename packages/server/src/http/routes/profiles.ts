/** Profiles. */
import type { ProfileService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function profileRoutes(profiles: ProfileService) {
  return {
    listProfiles: async ({ actor, query }) => ({ profiles: await profiles.list(actor, query.workspace_id) }),
    getProfile: ({ actor, params, query }) => profiles.get(actor, params.name, query),
    checkProfile: ({ actor, body }) => profiles.check(actor, body),
    saveProfile: ({ actor, params, body }) => profiles.save(actor, params.name, body),
    deleteProfile: ({ actor, params, query }) => profiles.remove(actor, params.name, query.workspace_id),
    listProfileImports: async ({ actor, query }) => ({
      found: await profiles.imports(actor, query.workspace_id),
    }),
    importProfile: ({ actor, body }) => profiles.import(actor, body),
  } satisfies Partial<Handlers>
}
