/** What the menus of a session have in common: the one of its row in the list, and the one above its conversation. */
import type { Session } from '@dorkos/shared'
import {
  Archive,
  ArchiveRestore,
  FileBraces,
  FileDown,
  GitFork,
  Link,
  Pencil,
  Pin,
  PinOff,
  Share,
  Trash2,
} from 'lucide-react'
import { useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/text.ts'
import { MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { archiveSession, copySessionLink, exportSession, forkSession, pinSession } from './session-actions.ts'
import { askDelete, askRename } from './session-dialogs.tsx'

/** Of a row in the list. */
export function RowItems({ session }: { session: Session }) {
  const [, go] = useLocation()
  const canChat = useCan('chat')
  const canDelete = useCan('admin')
  const fork = async () => {
    const id = await forkSession(session.id)
    if (id !== undefined) go(`/sessions/${id}`)
  }
  return (
    <>
      <ChangeItems
        session={session}
        rename={text.sessions.rename}
        onRename={() => askRename(session)}
        onFork={() => void fork()}
      />
      {canChat && <MenuSeparator />}
      <CopyItems session={session} />
      {canDelete && <MenuSeparator />}
      <DeleteItem session={session} />
    </>
  )
}

interface ChangeItemsProps {
  session: Session
  /** The words for renaming: with or without a window that asks. */
  rename: string
  onRename: () => void
  onFork: () => void
}

export function ChangeItems({ session, rename, onRename, onFork }: ChangeItemsProps) {
  const canChat = useCan('chat')
  // Who only looks has nothing to change.
  if (!canChat) return null
  const { pinned, archived } = session
  const words = text.sessions
  return (
    <>
      <MenuItem icon={Pencil} onSelect={onRename}>
        {rename}
      </MenuItem>
      <MenuItem icon={pinned ? PinOff : Pin} onSelect={() => void pinSession(session, !pinned)}>
        {pinned ? words.unpin : words.pin}
      </MenuItem>
      <MenuItem
        icon={archived ? ArchiveRestore : Archive}
        onSelect={() => void archiveSession(session, !archived)}
      >
        {archived ? words.unarchive : words.archive}
      </MenuItem>
      <MenuItem icon={GitFork} hint={words.forkHint} onSelect={onFork}>
        {words.fork}
      </MenuItem>
    </>
  )
}

export function CopyItems({ session }: { session: Session }) {
  const words = text.sessions
  return (
    <>
      <MenuItem icon={FileDown} onSelect={() => void exportSession(session, 'markdown')}>
        {words.exportMarkdown}
      </MenuItem>
      <MenuItem icon={FileBraces} onSelect={() => void exportSession(session, 'json')}>
        {words.exportJson}
      </MenuItem>
      <MenuItem
        icon={Share}
        hint={text.sessions.shareHint}
        onSelect={() => void exportSession(session, 'html')}
      >
        {text.sessions.share}
      </MenuItem>
      <MenuItem icon={Link} onSelect={() => void copySessionLink(session)}>
        {words.copyLink}
      </MenuItem>
    </>
  )
}

/** Only for those who may. */
export function DeleteItem({ session }: { session: Session }) {
  if (!useCan('admin')) return null
  return (
    <MenuItem icon={Trash2} danger onSelect={() => askDelete(session)}>
      {text.sessions.delete}
    </MenuItem>
  )
}
