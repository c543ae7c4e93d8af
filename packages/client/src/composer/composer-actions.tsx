import { ArrowUp, CornerDownRight, GitFork, ListPlus, Play, Square } from 'lucide-react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { commandKeyName, useSendsWithCommand } from './send-keys.ts'
import type { Stop } from './use-stop.ts'

interface ComposerActionsProps {
  running: boolean
  paused: boolean
  isEmpty: boolean
  stop: Stop
  submit: (how: 'send' | 'steer') => void
  onResume: () => void
}

/** Send and, while a turn runs, Queue, Send now and Stop. */
export function ComposerActions({ running, paused, isEmpty, stop, submit, onResume }: ComposerActionsProps) {
  const words = text.composer
  const steerKeys = words.steerKeys(useSendsWithCommand(), commandKeyName)
  const isStopping = stop.state.state === 'stopping'
  return (
    <span className="flex items-center gap-1.5">
      {paused && (
        <Tooltip label={words.resumeHint}>
          <Button size="sm" icon={Play} onClick={onResume}>
            {words.resume}
          </Button>
        </Tooltip>
      )}
      {running && !isEmpty && (
        <Tooltip label={`${words.steerHint} (${steerKeys})`}>
          <Button size="sm" variant="ghost" icon={CornerDownRight} onClick={() => submit('steer')}>
            {words.steer}
          </Button>
        </Tooltip>
      )}
      {running && (
        <Tooltip label={`${words.stop} (${words.stopKeys})`}>
          <Button size="sm" icon={Square} busy={isStopping} onClick={stop.stop}>
            {isStopping ? words.stopping : words.stop}
          </Button>
        </Tooltip>
      )}
      {(!running || !isEmpty) && (
        <ReasonButton
          size="sm"
          variant="primary"
          icon={running || paused ? ListPlus : ArrowUp}
          reason={isEmpty ? words.needsText : undefined}
          onClick={() => submit('send')}
        >
          {running || paused ? words.queue : words.send}
        </ReasonButton>
      )}
      <span role="status" className="sr-only">
        {isStopping && words.stopping}
      </span>
    </span>
  )
}

export function ForkAction({ busy, onFork }: { busy: boolean; onFork: () => void }) {
  return (
    <Tooltip label={text.composer.forkHint}>
      <Button size="sm" variant="primary" icon={GitFork} busy={busy} onClick={onFork}>
        {text.composer.fork}
      </Button>
    </Tooltip>
  )
}
