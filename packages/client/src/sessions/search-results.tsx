import type { Session } from '@dorkos/shared'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { errorText } from '../api.ts'
import { fuzzyRank } from '../composer/fuzzy.ts'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/text.ts'
import { Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/spinner.tsx'
import { Time } from '../ui/time.tsx'
import { type Hit, pathOfHit, searchQuery, useHitSessions } from './conversation-search.ts'
import { hitLine } from './hit-line.ts'
import { MarkedText } from './marked-text.tsx'
import { SessionRow } from './session-row.tsx'
import { sessionTitle } from './session-title.ts'
import { useUnread } from './unread-store.ts'
import { useDebounced } from './use-debounced.ts'
import { useSessionList } from './use-session-list.ts'

const restMs = 250
const mostTitles = 6

/** Sessions whose title fits, and places in conversations where the words stand. */
export function SearchResults({ query }: { query: string }) {
  const asked = useDebounced(query.trim(), restMs)
  const { sessions } = useSessionList('active')
  const unread = useUnread()
  const search = useQuery({ ...searchQuery(asked), placeholderData: keepPreviousData })
  const titles = useMemo(
    () => fuzzyRank(query.trim(), sessions, (session) => [sessionTitle(session)]).slice(0, mostTitles),
    [query, sessions],
  )
  const hits = asked === '' ? [] : (search.data?.hits ?? [])
  const known = useHitSessions(hits, sessions)
  const found = titles.length + hits.length
  return (
    <div className="flex flex-col gap-2 px-2">
      <p role="status" className="sr-only">
        {!search.isFetching && text.sessions.searchCount(found)}
      </p>
      {titles.length > 0 && <Heading>{text.sessions.searchTitles}</Heading>}
      <ul>
        {titles.map((session, index) => (
          <li key={session.id}>
            <SessionRow session={session} index={index} current={false} unread={unread(session)} />
          </li>
        ))}
      </ul>
      {hits.length > 0 && <Heading>{text.sessions.searchText}</Heading>}
      <ul className="flex flex-col gap-0.5">
        {/* Several places of one answer have its id: only the place in the list is their own. */}
        {sequence(hits, (hit) => (
          <li>
            <HitLink hit={hit} session={known.get(hit.session_id)} query={asked} />
          </li>
        ))}
      </ul>
      {search.isFetching && found === 0 && <Loading />}
      {search.error && <Notice tone="danger">{errorText(search.error)}</Notice>}
      {search.data?.complete === false && <Notice tone="neutral">{text.sessions.searchIncomplete}</Notice>}
      {found === 0 && !search.isFetching && !search.error && asked === query.trim() && (
        <p className="px-1 py-2 text-sm text-faint break-words">{text.sessions.searchNothing(asked)}</p>
      )}
    </div>
  )
}

function Heading({ children }: { children: string }) {
  return <h3 className="px-1 pt-1 text-xs font-medium text-soft">{children}</h3>
}

function HitLink({ hit, session, query }: { hit: Hit; session: Session | undefined; query: string }) {
  const { roles } = text.sessions
  const role = hit.role === 'user' ? roles.user : hit.role === 'assistant' ? roles.assistant : roles.other
  return (
    <Link href={pathOfHit(hit)} className="block rounded-md px-2 py-1.5 hover:bg-hover max-md:py-2">
      <span dir="auto" className="block truncate text-sm">
        {session ? sessionTitle(session) : hit.session_id}
      </span>
      <span dir="auto" className="line-clamp-3 text-xs break-words text-soft">
        <MarkedText parts={hitLine(hit.snippet, query)} />
      </span>
      <span className="flex gap-1.5 text-xs text-faint">
        {role}
        {hit.time !== undefined && <Time value={hit.time} />}
      </span>
    </Link>
  )
}
