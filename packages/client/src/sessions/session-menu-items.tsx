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
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/text.ts'
import { MenuItem } from '../ui/menu.tsx'
import { archiveSession, copySessionLink, exportSession, pinSession } from './session-actions.ts'
import { askDelete } from './session-dialogs.tsx'

interface ChangeItemsProps {
  session: Session
  /** The words for renaming: with or without a window that asks. */
  rename: string
  onRename: () => void
  onFork: () => void
}

export function ChangeItems({ session, rename, onRename, onFork }: ChangeItemsProps) {
  const canChat = useCan('chat')
  const { pinned, archived } = session
  const words = text.sessions
  return (
    <>
      <MenuItem icon={Pencil} disabled={!canChat} onSelect={onRename}>
        {rename}
      </MenuItem>
      <MenuItem
        icon={pinned ? PinOff : Pin}
        disabled={!canChat}
        onSelect={() => void pinSession(session, !pinned)}
      >
        {pinned ? words.unpin : words.pin}
      </MenuItem>
      <MenuItem
        icon={archived ? ArchiveRestore : Archive}
        disabled={!canChat}
        onSelect={() => void archiveSession(session, !archived)}
      >
        {archived ? words.unarchive : words.archive}
      </MenuItem>
      <MenuItem icon={GitFork} disabled={!canChat} hint={words.forkHint} onSelect={onFork}>
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
      <MenuItem icon={Share} hint={text.bulk.shareHint} onSelect={() => void exportSession(session, 'html')}>
        {text.bulk.share}
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
