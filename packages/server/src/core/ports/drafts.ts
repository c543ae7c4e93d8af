/** What people are writing, so that it follows them to another device. */
import type { Draft } from '@dorkos/shared'

export interface SavedDraft extends Draft {
  principal: string
}

export interface DraftStore {
  /** The newest first. */
  list(principal: string): Promise<Draft[]>
  /**
   * Keeps the draft if `base` is the revision that is there (0: none is), else changes nothing and answers with what is there (undefined:
   * nothing is). One without text is removed. Of one principal's at most `most` are kept, the newest.
   */
  save(draft: SavedDraft, base: number, most: number): Promise<{ saved: boolean; stored: Draft | undefined }>
}
