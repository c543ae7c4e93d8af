import { useCallback, useSyncExternalStore } from 'react'
import { type Draft, draftOf, onDraftChange } from './drafts.ts'

/** What is being written, kept over navigation and reloads. */
export function useDraft(key: string): Draft {
  return useSyncExternalStore(
    onDraftChange,
    useCallback(() => draftOf(key), [key]),
  )
}
