/** What the server knows of a session's changed files, asked for again when it says that they are others. */
import { ApiError, type ChangedFile, type Hunk } from '@dorkos/shared'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { runningTasks } from '../commands/shown-tasks.ts'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/panel-text.ts'
import { toast } from '../ui/toast.tsx'

/** While a turn runs nobody says when a file changes. */
const workingMs = 5000

const keyOf = (id: string) => ['changes', id]

export function useChanges(state: PageSession) {
  const { id } = state
  return useQuery({
    queryKey: [...keyOf(id), 'list', state.changesAt],
    queryFn: ({ signal }) => api.listChanges({ params: { id }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: state.turn || runningTasks(state.tasks).length > 0 ? workingMs : false,
  })
}

export function useComparison(id: string, path: string, span: string | undefined, hash: string) {
  return useQuery({
    queryKey: [...keyOf(id), 'file', path, span, hash],
    queryFn: ({ signal }) =>
      api.getChange({ params: { id }, query: { path, ...(span !== undefined && { span }) }, signal }),
    placeholderData: keepPreviousData,
  })
}

export function useGitState(state: PageSession, of: string) {
  const { id } = state
  return useQuery({
    queryKey: [...keyOf(id), 'git', state.changesAt, of],
    queryFn: ({ signal }) => api.getGitState({ params: { id }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function useStale(id: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keyOf(id) })
}

export type AskReason = 'changed_since' | 'command_or_person' | 'both'

interface Reverted {
  path: string
  span?: string | undefined
  hunk?: Hunk
  hash: string
  alsoOthers: boolean
}

/** Resolves with why a person has to say so first; undefined when it is done. Rejects when it cannot be done. */
export async function revert(id: string, { path, span, hunk, hash, alsoOthers }: Reverted) {
  try {
    await api.revertChange({
      params: { id },
      body: {
        path,
        expected_hash: hash,
        also_others: alsoOthers,
        ...(span !== undefined && { span }),
        ...(hunk && { hunk }),
      },
    })
    toast.ok(text.changes.reverted)
    return undefined
  } catch (error) {
    const reason = reasonOf(error)
    if (alsoOthers || reason === undefined) throw error
    return reason
  }
}

function reasonOf(error: unknown): AskReason | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { reason, path } = (error.details ?? {}) as { reason?: unknown; path?: unknown }
  const isReason = reason === 'changed_since' || reason === 'command_or_person' || reason === 'both'
  return isReason && path === undefined ? reason : undefined
}

/** Why it would ask, as far as the page knows. */
export function askReason({ by, changed_since }: Pick<ChangedFile, 'by' | 'changed_since'>) {
  if (changed_since) return 'changed_since'
  return by === 'agent' ? undefined : by
}
