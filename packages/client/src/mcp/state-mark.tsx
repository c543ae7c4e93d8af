import type { McpServer } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { toneFills } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import type { Tone } from '../ui/notice.tsx'
import { type ShownState, shownState, stateTone, stateWord } from './server-state.ts'

const words: Record<Tone, string> = {
  neutral: 'text-soft',
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
  accent: 'text-accent',
  plan: 'text-plan',
}

export function StateMark({ server }: { server: McpServer }) {
  return <StateWord state={shownState(server)} />
}

/** A dot and a word. */
export function StateWord({ state }: { state: ShownState }) {
  const tone = stateTone(state)
  return (
    <span
      title={text.mcp.stateHints[state]}
      className={cx('inline-flex items-center gap-1.5 text-sm whitespace-nowrap', words[tone])}
    >
      <span
        aria-hidden
        className={cx(
          'size-2 shrink-0 rounded-full',
          toneFills[tone],
          state === 'pending' && 'motion-safe:animate-pulse',
        )}
      />
      {stateWord(state)}
    </span>
  )
}
