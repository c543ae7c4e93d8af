/** What the reducer of a session takes: all that can change what the page knows of it. */
import type { Approval, HistoryPage, Session, SessionSnapshot, StreamEvent } from '@dorkos/shared'

export type SessionInput =
  /** Replaces all live state; what came before it has to be loaded again. */
  | { readonly type: 'snapshot'; readonly snapshot: SessionSnapshot }
  | { readonly type: 'event'; readonly event: StreamEvent }
  | { readonly type: 'history_asked' }
  /** The page before `before`, as it was asked for. An answer to an older question changes nothing. */
  | { readonly type: 'history'; readonly page: HistoryPage; readonly before: string | undefined }
  | { readonly type: 'history_failed'; readonly fault: string }
  /** The newest page once more: a transcript that another process writes has grown. */
  | { readonly type: 'refresh'; readonly page: HistoryPage }
  /** From the server's own topic. */
  | { readonly type: 'session'; readonly session: Session }
  | { readonly type: 'approval'; readonly approval: Approval }
  /** It was deleted, or cannot be seen. */
  | { readonly type: 'gone' }
  /** The stream cannot go on without a gap; a snapshot follows. */
  | { readonly type: 'resync' }
