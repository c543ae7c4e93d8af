/** What a subagent says and does. Of many only the newest are in the document until one asks for all. */
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Item } from '../../live/page-session.ts'
import { text } from '../../text/text.ts'
import { useOpened } from '../conversation-context.tsx'
import { createRowCache, makeRows, type Row } from '../rows.ts'

/** How a row is drawn; given from above, because rows hold cards and cards hold rows. */
export const NestedRowContext = createContext<(row: Row) => ReactNode>(() => null)

const mostShown = 20

export function NestedItems({ itemKey, items }: { itemKey: string; items: readonly Item[] }) {
  const [cache] = useState(createRowCache)
  const [showsAll, setShowsAll] = useOpened(`${itemKey}:all`)
  const draw = useContext(NestedRowContext)
  const rows = makeRows(items, cache, { working: false, dayOf: () => '' })
  const hidden = showsAll ? 0 : Math.max(0, rows.length - mostShown)
  return (
    <>
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="min-h-8 rounded-md px-2 text-xs font-medium link max-sm:min-h-10"
        >
          {text.conversation.showEarlier(hidden)}
        </button>
      )}
      {rows.slice(hidden).map((row) => (
        <div key={row.key}>{draw(row)}</div>
      ))}
    </>
  )
}
