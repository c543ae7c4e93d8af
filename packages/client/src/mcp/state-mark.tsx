import type { McpServer } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { cx } from '../ui/class-names.ts'
import type { Tone } from '../ui/notice.tsx'
import { shownState, stateTone, stateWord } from './server-state.ts'

const dots: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  ok: 'bg-ok',
  info: 'bg-info',
  warn: 'bg-warn',
  danger: 'bg-danger',
  accent: 'bg-accent-fill',
  plan: 'bg-plan',
}

const words: Record<Tone, string> = {
  neutral: 'text-soft',
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
  accent: 'text-accent',
  plan: 'text-plan',
}

/** A dot and a word. */
export function StateMark({ server }: { server: McpServer }) {
  const state = shownState(server)
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
          dots[tone],
          state === 'pending' && 'motion-safe:animate-pulse',
        )}
      />
      {stateWord(state)}
    </span>
  )
}
