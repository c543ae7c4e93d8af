import { useQuery } from '@tanstack/react-query'
import { TextSearch } from 'lucide-react'
import { useLocation } from 'wouter'
import { type Hit, pathOfHit, searchQuery, useHitSessions } from '../sessions/conversation-search.ts'
import { hitLine } from '../sessions/hit-line.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { useDebounced } from '../sessions/use-debounced.ts'
import { useSessionList } from '../sessions/use-session-list.ts'
import type { PaletteCommand } from './palette-commands.ts'

const restMs = 250
/** One letter stands everywhere. */
const fewestLetters = 2
const mostShown = 8

export interface TextCommands {
  readonly commands: readonly PaletteCommand[]
  /** The server was not asked yet, or has not answered. */
  readonly searching: boolean
}

const none: readonly Hit[] = []

/** Places in conversations where the words of the palette stand: only those of what is typed now. */
export function useTextCommands(query: string): TextCommands {
  const [, go] = useLocation()
  const typed = query.trim()
  const words = typed.length < fewestLetters ? '' : typed
  const asked = useDebounced(words, restMs)
  const { sessions } = useSessionList('active')
  const { data, isFetching } = useQuery(searchQuery(asked))
  const hits = (asked === words ? data?.hits.slice(0, mostShown) : undefined) ?? none
  const known = useHitSessions(hits, sessions)
  const commands = hits.map((hit, index): PaletteCommand => {
    const session = known.get(hit.session_id)
    const marked = hitLine(hit.snippet, asked)
    return {
      id: `text:${index}`,
      group: 'text',
      title: marked.map((part) => part.text).join(''),
      marked,
      hint: session && sessionTitle(session),
      icon: TextSearch,
      run: () => go(pathOfHit(hit)),
    }
  })
  return { commands, searching: words !== '' && (asked !== words || isFetching) }
}
