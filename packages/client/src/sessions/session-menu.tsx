import type { Session } from '@dorkos/shared'
import { EllipsisVertical } from 'lucide-react'
import { useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/text.ts'
import { Menu, MenuSeparator } from '../ui/menu.tsx'
import { forkSession } from './session-actions.ts'
import { askRename } from './session-dialogs.tsx'
import { ChangeItems, CopyItems, DeleteItem } from './session-menu-items.tsx'
import { sessionTitle } from './session-title.ts'

/** The menu of a row in the list. */
export function SessionMenu({ session }: { session: Session }) {
  const [, go] = useLocation()
  const canDelete = useCan('admin')
  const words = text.sessions
  const fork = async () => {
    const id = await forkSession(session.id)
    if (id !== undefined) go(`/sessions/${id}`)
  }
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={words.actions(sessionTitle(session))}
          className="flex size-8 max-md:size-10 items-center justify-center rounded-md text-soft hover:bg-line hover:text-text"
        >
          <EllipsisVertical aria-hidden size={16} />
        </button>
      }
    >
      <ChangeItems
        session={session}
        rename={words.rename}
        onRename={() => askRename(session)}
        onFork={() => void fork()}
      />
      <MenuSeparator />
      <CopyItems session={session} />
      {canDelete && <MenuSeparator />}
      <DeleteItem session={session} />
    </Menu>
  )
}
