import type { Session } from '@dorkos/shared'
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  EllipsisVertical,
  FileJson,
  GitFork,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react'
import { useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/text.ts'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { archiveSession, copySessionLink, exportSession, forkSession, pinSession } from './session-actions.ts'
import { askDelete, askRename } from './session-dialogs.tsx'
import { sessionTitle } from './session-title.ts'

/** The menu of a row in the list. */
export function SessionMenu({ session }: { session: Session }) {
  const [, go] = useLocation()
  const canChat = useCan('chat')
  const canDelete = useCan('admin')
  const { pinned, archived } = session
  const words = text.sessions
  const fork = async () => {
    const id = await forkSession(session)
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
      <MenuItem
        icon={pinned ? PinOff : Pin}
        disabled={!canChat}
        onSelect={() => void pinSession(session, !pinned)}
      >
        {pinned ? words.unpin : words.pin}
      </MenuItem>
      <MenuItem icon={Pencil} disabled={!canChat} onSelect={() => askRename(session)}>
        {words.rename}
      </MenuItem>
      <MenuItem
        icon={archived ? ArchiveRestore : Archive}
        disabled={!canChat}
        onSelect={() => void archiveSession(session, !archived)}
      >
        {archived ? words.unarchive : words.archive}
      </MenuItem>
      <MenuItem icon={GitFork} disabled={!canChat} onSelect={() => void fork()}>
        {words.fork}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Copy} onSelect={() => void copySessionLink(session)}>
        {words.copyLink}
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => void exportSession(session, 'markdown')}>
        {words.exportMarkdown}
      </MenuItem>
      <MenuItem icon={FileJson} onSelect={() => void exportSession(session, 'json')}>
        {words.exportJson}
      </MenuItem>
      {canDelete && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onSelect={() => askDelete(session)}>
            {words.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
