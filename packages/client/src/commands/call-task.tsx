/** In the card of a call whose command runs: what can be done about it. */
import { SquareTerminal } from 'lucide-react'
import { useContext } from 'react'
import { TasksContext, useConversation } from '../conversation/conversation-context.tsx'
import { openPanel } from '../conversation/panel-address.ts'
import { text } from '../text/panel-text.ts'
import { Button } from '../ui/button.tsx'
import { StopTask } from './stop-task.tsx'

export function CallTask({ callId }: { callId: string }) {
  const { sessionId } = useConversation()
  const task = useContext(TasksContext).find(({ tool_call_id }) => tool_call_id === callId)
  if (task?.status !== 'running') return null
  return (
    <div className="flex flex-wrap items-center gap-2 pb-1">
      <StopTask sessionId={sessionId} task={task} name={task.label} />
      <Button size="sm" variant="ghost" icon={SquareTerminal} onClick={() => openPanel('commands')}>
        {text.commands.showOutput}
      </Button>
    </div>
  )
}
