/** What can be done with the whole session. */
import type { Session } from '@dorkos/shared'
import { Ellipsis, Pause, Play, Power, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { ChangeItems, CopyItems, DeleteItem } from '../sessions/session-menu-items.tsx'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useConversation } from './conversation-context.tsx'
import { resumeCommand } from './resume-command.ts'
import { copyText, useCommand, useFork } from './session-commands.ts'

interface SessionActionsProps {
  session: Session
  onRename: () => void
}

export function SessionActions({ session, onRename }: SessionActionsProps) {
  const [asksStop, setAsksStop] = useState(false)
  const fork = useFork(session.id)
  return (
    <>
      <Menu trigger={<IconButton label={text.conversation.actions} icon={Ellipsis} />}>
        <ChangeItems
          session={session}
          rename={text.conversation.rename}
          onRename={onRename}
          onFork={() => fork()}
        />
        <MenuSeparator />
        <CopyItems session={session} />
        <ResumeItem session={session} />
        <MenuSeparator />
        <ProcessItems session={session} onStop={() => setAsksStop(true)} />
        <DeleteItem session={session} />
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

function ResumeItem({ session }: { session: Session }) {
  const cliId = session.cli_session_ids.at(-1) ?? session.id
  const words = text.conversation
  return (
    <MenuItem
      icon={SquareTerminal}
      hint={words.resumeHint(`${cliId.slice(0, 8)}…`)}
      onSelect={() => copyText(resumeCommand(session.cwd, cliId))}
    >
      {words.copyResume}
    </MenuItem>
  )
}

function ProcessItems({ session, onStop }: { session: Session; onStop: () => void }) {
  const { canChat } = useConversation()
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
    </>
  )
}
