/** What a session is called: its title, else how it began. Both are written by others, so they are made harmless and short. */
import type { Session } from '@dorkos/shared'
import { text } from '../text/text.ts'

const longest = 200
/** Controls, and marks that turn the direction of writing or take no room. */
const unseen = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

export function sessionTitle(session: Pick<Session, 'title' | 'first_prompt'>): string {
  return plain(session.title) || plain(session.first_prompt) || text.sessions.untitled
}

function plain(value: string | undefined): string {
  const line = (value ?? '')
    .slice(0, longest * 4)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
