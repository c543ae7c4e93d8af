import type { McpServer } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { type Shape, StateGlyph, toneTexts } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import type { Tone } from '../ui/notice.tsx'
import { type ShownState, shownState, stateTone, stateWord } from './server-state.ts'

export function StateMark({ server }: { server: McpServer }) {
  return <StateWord state={shownState(server)} />
}

const shapeOf: Partial<Record<Tone, Shape>> = {
  neutral: 'ring',
  running: 'arc',
  attention: 'diamond',
  danger: 'cross',
}

/** A glyph and a word. */
export function StateWord({ state }: { state: ShownState }) {
  const tone = stateTone(state)
  return (
    <span
      title={text.mcp.stateHints[state]}
      className={cx(
        'inline-flex items-center gap-1.5 text-sm whitespace-nowrap',
        tone === 'neutral' ? 'text-soft' : toneTexts[tone],
      )}
    >
      <StateGlyph shape={shapeOf[tone] ?? 'disc'} tone={tone} moves={tone === 'running'} />
      {stateWord(state)}
    </span>
  )
}
