/** How a turn ended, in words and in how loud they are. */
import type { TurnOutcome, TurnReasonCode } from '@dorkos/shared'
import { text } from '../text/text.ts'
import type { Tone } from '../ui/notice.tsx'

export interface OutcomeView {
  words: string
  tone: Tone
  /** A line among others, or a box that cannot be overlooked. */
  loud: boolean
}

const tones: Readonly<Record<TurnOutcome, Tone>> = {
  completed: 'neutral',
  joined: 'neutral',
  withdrawn: 'neutral',
  interrupted: 'neutral',
  failed: 'danger',
  structured_output_failed: 'danger',
  max_turns: 'warn',
  budget: 'warn',
  unconfirmed: 'neutral',
}

const quiet: ReadonlySet<TurnOutcome> = new Set(['completed', 'joined', 'withdrawn'])

export function outcomeView(outcome: TurnOutcome, reasonCode?: TurnReasonCode): OutcomeView {
  if (outcome === 'completed' && reasonCode === 'all_denied')
    return { words: text.conversation.allDenied, tone: 'warn', loud: true }
  // A newer server may know more outcomes than this page.
  const words: string | undefined = text.conversation.outcomes[outcome]
  const tone: Tone | undefined = tones[outcome]
  return { words: words ?? outcome, tone: tone ?? 'warn', loud: !quiet.has(outcome) }
}
