/** Files for mentions. */
import type { FileService, SessionService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'
import { checkFolder } from '../session-rights.ts'

export function fileRoutes(files: FileService, sessions: Pick<SessionService, 'get'>) {
  return {
    async searchSessionFiles({ actor, params, query }) {
      checkFolder(actor, await sessions.get(actor, params.id))
      return files.ofSession(actor, params.id, query)
    },
    searchWorkspaceFiles: ({ actor, params, query }) => files.ofWorkspace(actor, params.id, query),
  } satisfies Partial<Handlers>
}
