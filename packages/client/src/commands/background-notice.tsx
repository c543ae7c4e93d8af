import type { Task } from '@dorkos/shared'
import { SquareTerminal } from 'lucide-react'
import { MeterButton } from '../conversation/meter-button.tsx'
import { openPanel } from '../conversation/panel-address.ts'
import { text } from '../text/panel-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { runningTasks } from './shown-tasks.ts'

interface BackgroundProps {
  tasks: readonly Task[]
}

/** In the header of a phone, where a notice would take the conversation's room. */
export function BackgroundChip({ tasks }: BackgroundProps) {
  const count = runningTasks(tasks).length
  if (count === 0) return null
  const words = text.commands.inBackground(count)
  return (
    <MeterButton aria-label={words} title={words} onClick={() => openPanel('commands')}>
      <SquareTerminal aria-hidden size={15} />
      {count}
    </MeterButton>
  )
}

/** The turn is over and something still runs. */
export function BackgroundNotice({ tasks }: BackgroundProps) {
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
