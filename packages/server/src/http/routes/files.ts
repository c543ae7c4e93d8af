/** Files for mentions. */
import type { FileService, SessionService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'
import { checkFolder } from '../session-rights.ts'

export function fileRoutes(files: FileService, sessions: Pick<SessionService, 'get'>) {
  return {
    async searchSessionFiles({ caller, params, query }) {
      checkFolder(caller, await sessions.get(params.id))
      return files.ofSession(params.id, query)
    },
    searchWorkspaceFiles: ({ params, query }) => files.ofWorkspace(params.id, query),
  } satisfies Partial<Handlers>
}
