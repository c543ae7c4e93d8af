import { createContext, useContext } from 'react'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { StateGlyph } from '../ui/badge.tsx'
import { formatDuration } from '../ui/format.ts'
import { startingSince } from './starting.ts'
import { useNow } from './use-now.ts'
import { workingOn } from './working.ts'

/** The state, for the one row that changes with all of it. */
export const WorkingContext = createContext<PageSession | undefined>(undefined)

/** Says that a turn begins or runs, what it does and for how long. */
export function WorkingRow() {
  const state = useContext(WorkingContext)
  const now = useNow(true)
  const startedAt = state && (state.turn?.startedAt ?? startingSince(state))
  if (state === undefined || startedAt === undefined) return null
  const items = state.turn === undefined ? [] : state.items
  const { verb, waits } = workingOn(items, startedAt, state.session?.state === 'waiting')
  const seconds = Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1000))
  return (
    <div className="flex items-center gap-2.5 py-3 text-sm text-soft">
      {waits ? (
        <StateGlyph shape="diamond" tone="attention" />
      ) : (
        <StateGlyph shape="arc" tone="running" moves />
      )}
      <span className="min-w-0 truncate">
        <bdi>{text.conversation.workingOn(verb)}</bdi>
      </span>
      <span className="text-faint tabular-nums">
        {seconds < 60 ? text.conversation.seconds(seconds) : formatDuration(seconds * 1000)}
      </span>
      {state.turn !== undefined && (
        // A card that has the focus is left by that key.
        <span className="ml-auto shrink-0 text-xs text-faint group-has-[[data-approval]:focus-within]/list:hidden max-sm:hidden">
          {text.conversation.stopHint}
        </span>
      )}
    </div>
  )
}
