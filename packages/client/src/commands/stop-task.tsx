import type { Task } from '@dorkos/shared'
import { Square } from 'lucide-react'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/panel-text.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

/** Of one that runs. It goes when the task has ended, which an event reports. */
export function StopTask({ sessionId, task, name }: { sessionId: string; task: Task; name: string }) {
  const canChat = useCan('chat')
  const [isAsked, setAsked] = useState(false)
  const stop = () => {
    setAsked(true)
    api.stopTask({ params: { id: sessionId, taskId: task.task_id }, body: {} }).catch((error: unknown) => {
      setAsked(false)
      toast.error(errorText(error))
    })
  }
  if (!canChat) return <p className="text-xs text-soft">{text.commands.needsChat}</p>
  return (
    <Button size="sm" icon={Square} busy={isAsked} aria-label={text.commands.stopNamed(name)} onClick={stop}>
      {isAsked ? text.commands.stopping : text.commands.stop}
    </Button>
  )
}
