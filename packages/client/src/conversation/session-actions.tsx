/** What can be done with the whole session. */
import type { Session } from '@dorkos/shared'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileBraces,
  FileDown,
  GitFork,
  Link,
  Pause,
  Pencil,
  Pin,
  PinOff,
  Play,
  Power,
  SquareTerminal,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { archiveSession, copySessionLink, exportSession, pinSession } from '../sessions/session-actions.ts'
import { askDelete } from '../sessions/session-dialogs.tsx'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useConversation } from './conversation-context.tsx'
import { copyText, useCommand, useFork } from './session-commands.ts'

interface SessionActionsProps {
  session: Session
  onRename: () => void
}

export function SessionActions({ session, onRename }: SessionActionsProps) {
  const [asksStop, setAsksStop] = useState(false)
  return (
    <>
      <Menu trigger={<IconButton label={text.conversation.actions} icon={Ellipsis} />}>
        <ChangeItems session={session} onRename={onRename} />
        <MenuSeparator />
        <CopyItems session={session} />
        <MenuSeparator />
        <ProcessItems session={session} onStop={() => setAsksStop(true)} />
      </Menu>
      <Confirm
        open={asksStop}
        onClose={() => setAsksStop(false)}
        title={text.conversation.stopTitle}
        message={text.conversation.stopMessage}
        action={text.conversation.stopProcess}
        onConfirm={() => api.stopSession({ params: { id: session.id }, body: {} })}
      />
    </>
  )
}

function ChangeItems({ session, onRename }: SessionActionsProps) {
  const { canChat } = useConversation()
  const fork = useFork(session.id)
  const { pinned, archived } = session
  const words = text.conversation
  return (
    <>
      <MenuItem icon={Pencil} disabled={!canChat} onSelect={onRename}>
        {words.rename}
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
      <MenuItem icon={GitFork} disabled={!canChat} hint={words.forkHint} onSelect={() => fork()}>
        {words.fork}
      </MenuItem>
    </>
  )
}

function CopyItems({ session }: { session: Session }) {
  const cliId = session.cli_session_ids.at(-1) ?? session.id
  const words = text.conversation
  return (
    <>
      <MenuItem icon={FileDown} onSelect={() => void exportSession(session, 'markdown')}>
        {words.exportMarkdown}
      </MenuItem>
      <MenuItem icon={FileBraces} onSelect={() => void exportSession(session, 'json')}>
        {words.exportJson}
      </MenuItem>
      <MenuItem icon={Link} onSelect={() => void copySessionLink(session)}>
        {words.copyLink}
      </MenuItem>
      <MenuItem
        icon={SquareTerminal}
        hint={words.resumeCommand(`${cliId.slice(0, 8)}…`)}
        onSelect={() => copyText(words.resumeCommand(cliId))}
      >
        {words.copyResume}
      </MenuItem>
    </>
  )
}

function ProcessItems({ session, onStop }: { session: Session; onStop: () => void }) {
  const { canChat } = useConversation()
  const canDelete = useCan('admin')
  const [run] = useCommand()
  const { id, live, state } = session
  const words = text.conversation
  return (
    <>
      {state === 'paused' ? (
        <MenuItem
          icon={Play}
          disabled={!canChat}
          onSelect={() => run(() => api.resumeSession({ params: { id }, body: {} }))}
        >
          {words.resume}
        </MenuItem>
      ) : (
        <MenuItem
          icon={Pause}
          disabled={!canChat || !live}
          hint={words.pauseHint}
          onSelect={() => run(() => api.pauseSession({ params: { id }, body: {} }))}
        >
          {words.pause}
        </MenuItem>
      )}
      <MenuItem icon={Power} disabled={!canChat || !live} hint={words.stopProcessHint} onSelect={onStop}>
        {words.stopProcess}
      </MenuItem>
      {canDelete && (
        <MenuItem icon={Trash2} danger onSelect={() => askDelete(session)}>
          {words.deleteSession}
        </MenuItem>
      )}
    </>
  )
}
