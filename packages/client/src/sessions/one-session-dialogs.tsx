/** The windows that `session-dialogs.tsx` opens. */
import type { Session } from '@dorkos/shared'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { text } from '../text/text.ts'
import { Confirm } from '../ui/confirm.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { dropSession } from './page-cache.ts'
import { changeSession } from './session-actions.ts'
import { sessionTitle } from './session-title.ts'

interface OneSession {
  session: Session
  onClose: () => void
}

export function RenameDialog({ session, onClose }: OneSession) {
  return (
    <NameDialog
      title={text.sessions.renameTitle}
      label={text.sessions.renameLabel}
      name={session.title ?? sessionTitle(session).slice(0, 200)}
      maxLength={200}
      missing={text.sessions.renameMissing}
      onSave={(title) => changeSession(session, { title })}
      onClose={onClose}
    />
  )
}

export function DeleteDialog({ session, onClose }: OneSession) {
  const [path, go] = useLocation()
  return (
    <Confirm
      open
      danger
      onClose={onClose}
      title={text.sessions.deleteTitle}
      message={text.sessions.deleteMessage(sessionTitle(session))}
      action={text.sessions.deleteAction}
      onConfirm={async () => {
        await api.deleteSession({ params: { id: session.id } })
        dropSession(session.id)
        toast.ok(text.sessions.deleted)
        if (path === `/sessions/${session.id}`) go('/')
      }}
    />
  )
}
