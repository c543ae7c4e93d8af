import type { Session } from '@dorkos/shared'
import { sessionTitle } from './session-title.ts'

export type ExportFormat = 'markdown' | 'json' | 'html'

/** A name that every file system takes, and that says what is in the file. */
export function exportFileName(
  session: Pick<Session, 'title' | 'first_prompt' | 'id'>,
  format: ExportFormat,
): string {
  const words = sessionTitle(session)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${words || session.id}.${format === 'markdown' ? 'md' : format}`
}
