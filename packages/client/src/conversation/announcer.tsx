import { useEffect, useRef, useState } from 'react'
import type { LiveSession } from '../live/live-session.ts'
import { announcements } from './announcements.ts'

/** The one place of the conversation that speaks by itself. */
export function Announcer({ state }: { state: LiveSession }) {
  const before = useRef(state)
  const [said, setSaid] = useState<readonly { id: number; words: string }[]>([])
  useEffect(() => {
    const news = announcements(before.current, state)
    before.current = state
    if (news.length === 0) return
    setSaid((old) => {
      const first = (old.at(-1)?.id ?? 0) + 1
      return [...old, ...news.map((words, index) => ({ id: first + index, words }))].slice(-4)
    })
  }, [state])
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {said.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}
