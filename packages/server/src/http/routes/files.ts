/** Files for mentions. */
import type { FileService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function fileRoutes(files: FileService) {
  return {
    searchSessionFiles: ({ params, query }) => files.ofSession(params.id, query),
    searchWorkspaceFiles: ({ params, query }) => files.ofWorkspace(params.id, query),
  } satisfies Partial<Handlers>
}
