import type { SessionFolder } from '@dorkos/shared'
import { useQueries } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Folders } from './file-tree.ts'

export interface KnownFolders {
  folders: Folders
  /** Of the session's directory itself. */
  root: { isPending: boolean; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  /** Nothing is left out of what is listed. */
  complete: boolean
}

/** The session's directory and the folders that are open, each asked for by itself. */
export function useFolders(sessionId: string, open: ReadonlySet<string>): KnownFolders {
  const paths = ['', ...open]
  const queries = useQueries({
    queries: paths.map((path) => ({
      queryKey: ['files', sessionId, 'folder', path],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<SessionFolder> =>
        api.listSessionFolder({ params: { id: sessionId }, query: { path }, signal }),
    })),
  })
  const known = queries.flatMap(({ data }, index) => (data ? [[paths[index] ?? '', data] as const] : []))
  const { isPending = true, error, isFetching = false, refetch } = queries[0] ?? {}
  return {
    folders: new Map(known),
    root: { isPending, error, isFetching, refetch: refetch ?? (() => Promise.resolve()) },
    complete: known.every(([, { complete }]) => complete),
  }
}
