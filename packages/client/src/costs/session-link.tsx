import { Link } from 'wouter'
import type { SessionName } from '../queries/use-session-titles.ts'
import { text } from '../text/page-text.ts'

/** A session by its title, or what can be said of one that is gone. */
export function SessionLink({ id, name }: { id: string; name: SessionName }) {
  if (name === 'gone') return <span className="text-faint">{text.costs.goneSession(id.slice(0, 8))}</span>
  return (
    <Link href={`/sessions/${id}`} title={name?.title ?? id} className="block truncate link">
      <bdi>{name?.title ?? id.slice(0, 8)}</bdi>
    </Link>
  )
}
