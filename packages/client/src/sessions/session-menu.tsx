import type { Session } from '@dorkos/shared'
import { EllipsisVertical } from 'lucide-react'
import { text } from '../text/text.ts'
import { fetchedPart } from '../ui/deferred.tsx'
import { Menu } from '../ui/menu.tsx'
import { sessionTitle } from './session-title.ts'

const [RowItems, load] = fetchedPart(async () => (await import('./session-menu-items.tsx')).RowItems)

/** The menu of a row in the list. */
export function SessionMenu({ session }: { session: Session }) {
  return (
    <Menu
      load={load}
      trigger={
        <button
          type="button"
          aria-label={text.sessions.actions(sessionTitle(session))}
          className="flex size-8 max-md:size-10 items-center justify-center rounded-md text-soft hover:bg-line hover:text-text"
        >
          <EllipsisVertical aria-hidden size={16} />
        </button>
      }
    >
      <RowItems session={session} />
    </Menu>
  )
}
