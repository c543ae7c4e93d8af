/** The windows that `session-dialogs.tsx` opens. */
import type { Session } from '@dorkos/shared'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api, errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { dropSession } from './page-cache.ts'
import { changeSession } from './session-actions.ts'
import { sessionTitle } from './session-title.ts'

interface OneSession {
  session: Session
  onClose: () => void
}

export function RenameDialog({ session, onClose }: OneSession) {
  const [title, setTitle] = useState(session.title ?? sessionTitle(session).slice(0, 200))
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === '') return setFault(text.sessions.renameMissing)
    setBusy(true)
    try {
      await changeSession(session, { title: title.trim() })
      onClose()
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.sessions.renameTitle}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button variant="primary" type="submit" form="rename-session" busy={busy}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id="rename-session" onSubmit={(event) => void save(event)} className="pb-2">
        <Field label={text.sessions.renameLabel} fault={fault}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              dir="auto"
              maxLength={200}
              value={title}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

export function DeleteDialog({ session, onClose }: OneSession) {
  const [place, go] = useLocation()
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
        if (place === `/sessions/${session.id}`) go('/')
      }}
    />
  )
}
