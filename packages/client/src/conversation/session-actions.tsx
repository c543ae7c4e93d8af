/** What can be done with the whole session. */
import type { Session } from '@dorkos/shared'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { fetchedPart } from '../ui/deferred.tsx'
import { Menu } from '../ui/menu.tsx'

const [ActionItems, load] = fetchedPart(async () => (await import('./action-items.tsx')).ActionItems)

interface SessionActionsProps {
  session: Session
  onRename: () => void
}

export function SessionActions({ session, onRename }: SessionActionsProps) {
  const [asksStop, setAsksStop] = useState(false)
  return (
    <>
      <Menu load={load} trigger={<IconButton label={text.conversation.actions} icon={Ellipsis} />}>
        <ActionItems session={session} onRename={onRename} onStop={() => setAsksStop(true)} />
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
