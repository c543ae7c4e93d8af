import type { Task } from '@dorkos/shared'
import { openPanel } from '../conversation/panel-address.ts'
import { text } from '../text/panel-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { runningTasks } from './shown-tasks.ts'

/** The turn is over and something still runs. */
export function BackgroundNotice({ tasks }: { tasks: readonly Task[] }) {
  const count = runningTasks(tasks).length
  if (count === 0) return null
  return (
    <Notice
      tone="neutral"
      action={
        <Button size="sm" onClick={() => openPanel('commands')}>
          {text.commands.open}
        </Button>
      }
    >
      {text.commands.inBackground(count)}
    </Notice>
  )
}
