import type { Session } from '@dorkos/shared'
import { Pause, Play, Power, SquareTerminal } from 'lucide-react'
import { api } from '../api.ts'
import { ChangeItems, CopyItems, DeleteItem } from '../sessions/session-menu-items.tsx'
import { text } from '../text/text.ts'
import { MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useConversation } from './conversation-context.tsx'
import { resumeCommand } from './resume-command.ts'
import { copyText, useCommand, useFork } from './session-commands.ts'

interface ActionItemsProps {
  session: Session
  onRename: () => void
  onStop: () => void
}

/** The menu above a conversation. */
export function ActionItems({ session, onRename, onStop }: ActionItemsProps) {
  const fork = useFork(session.id)
  const { canChat } = useConversation()
  return (
    <>
      <ChangeItems
        session={session}
        rename={text.conversation.rename}
        onRename={onRename}
        onFork={() => fork()}
      />
      {canChat && <MenuSeparator />}
      <CopyItems session={session} />
      <ResumeItem session={session} />
      <MenuSeparator />
      {canChat && <ProcessItems session={session} onStop={onStop} />}
      <DeleteItem session={session} />
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
  const [run] = useCommand()
  const { id, live, state } = session
  const words = text.conversation
  return (
    <>
      {state === 'paused' ? (
        <MenuItem icon={Play} onSelect={() => run(() => api.resumeSession({ params: { id }, body: {} }))}>
          {words.resume}
        </MenuItem>
      ) : (
        <MenuItem
          icon={Pause}
          disabled={!live}
          hint={live ? words.pauseHint : words.notRunning}
          onSelect={() => run(() => api.pauseSession({ params: { id }, body: {} }))}
        >
          {words.pause}
        </MenuItem>
      )}
      <MenuItem
        icon={Power}
        disabled={!live}
        hint={live ? words.stopProcessHint : words.notRunning}
        onSelect={onStop}
      >
        {words.stopProcess}
      </MenuItem>
    </>
  )
}
