/** The end of a turn: quiet when all went well, loud when not. */

import type { TurnOutcome } from '@dorkos/shared'
import {
  Ban,
  CircleAlert,
  CircleDollarSign,
  CircleHelp,
  CircleStop,
  Footprints,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import type { TextItem, TurnItem } from '../live/page-session.ts'
import { sequence } from '../render/sequence.ts'
import { useServerWords } from '../text/server-words.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { formatCount, formatDateTime, formatDuration, formatTime, formatUsd } from '../ui/format.ts'
import { Notice, toneClasses } from '../ui/notice.tsx'
import { useConversation } from './conversation-context.tsx'
import { MessageTools } from './message-tools.tsx'
import { outcomeView } from './outcome-text.ts'
import { useCommand, useRetry } from './session-commands.ts'

const BudgetActions = deferred(async () => (await import('./budget-actions.tsx')).BudgetActions)

const icons: Readonly<Partial<Record<TurnOutcome, LucideIcon>>> = {
  interrupted: CircleStop,
  failed: CircleAlert,
  structured_output_failed: CircleAlert,
  max_turns: Footprints,
  budget: CircleDollarSign,
  withdrawn: Ban,
  unconfirmed: CircleHelp,
}

/** What the server says of every turn with that outcome: no news. */
const plainReasons = new Set(['The turn was interrupted.'])

export function TurnRow({ item, answer }: { item: TurnItem; answer?: TextItem | undefined }) {
  const inWords = useServerWords()
  if (item.outcome === 'unconfirmed') return <Unconfirmed item={item} />
  const { words, tone, loud } = outcomeView(item.outcome, item.reasonCode)
  const Icon = icons[item.outcome] ?? CircleAlert
  if (!loud) {
    return (
      <div className="flex flex-wrap items-center gap-x-2 pb-4 text-xs text-faint">
        {item.outcome === 'withdrawn' && <span>{words}</span>}
        <TurnFigures item={item} />
        <AnswerTools answer={answer} />
      </div>
    )
  }
  return (
    <div className="pt-1 pb-4">
      <div className={cx('flex items-start gap-2 rounded-lg px-3 py-2 text-sm', toneClasses[tone])}>
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{words}</p>
          {item.reason !== undefined && !plainReasons.has(item.reason) && (
            <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
              {inWords(item.said, item.reason)}
            </p>
          )}
          {item.outcome === 'budget' && (
            <div className="mt-2 min-h-8 max-sm:min-h-10">
              <BudgetActions code={item.reasonCode} />
            </div>
          )}
        </div>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <TurnFigures item={item} />
        <AnswerTools answer={answer} />
        <Retry turnId={item.turnId} />
      </div>
    </div>
  )
}

/** A turn that did not end well is tried again with its own message. */
function Retry({ turnId }: { turnId: string }) {
  const { retry, busy } = useRetry(turnId)
  if (!retry) return null
  return (
    <Button size="sm" busy={busy} onClick={retry}>
      {text.conversation.retry}
    </Button>
  )
}

function AnswerTools({ answer }: { answer?: TextItem | undefined }) {
  if (answer === undefined) return null
  return <MessageTools value={answer.text} linkKey={answer.key} messageId={answer.messageId} />
}

function TurnFigures({ item }: { item: TurnItem }) {
  const { tokens, usd, durationMs } = item
  const { demo, estimate } = useConversation()
  const parts: ReactNode[] = [
    <time key="time" dateTime={item.time} title={formatDateTime(item.time)}>
      {formatTime(item.time)}
    </time>,
  ]
  if (durationMs !== undefined) {
    const took = formatDuration(durationMs)
    parts.push(
      <span key="duration" title={text.conversation.took(took)}>
        {took}
      </span>,
    )
  }
  // What was cut off before the model reported its figures has none.
  if (tokens && Object.values(tokens).some((count) => count > 0)) {
    const [input, output, read, write] = [
      tokens.input,
      tokens.output,
      tokens.cache_read,
      tokens.cache_write,
    ].map((count) => formatCount(count))
    const whole = formatCount(tokens.input + tokens.cache_read + tokens.cache_write)
    parts.push(
      <span
        key="tokens"
        title={text.conversation.tokensTitle(input ?? '', output ?? '', read ?? '', write ?? '')}
      >
        {text.conversation.tokens(whole, output ?? '')}
      </span>,
    )
  }
  if (!demo && usd !== undefined) {
    parts.push(
      <span key="cost" title={estimate ? text.conversation.costEstimate : undefined}>
        {estimate ? `≈ ${formatUsd(usd)} (${text.conversation.estimateShort})` : formatUsd(usd)}
      </span>,
    )
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2 tabular-nums">
      {sequence(parts, (part, index) => (
        <span className="flex items-center gap-2">
          {index > 0 && <span aria-hidden>{text.conversation.dot}</span>}
          {part}
        </span>
      ))}
    </span>
  )
}

/** A message that may or may not have reached the agent before the server stopped: a person decides. */
function Unconfirmed({ item }: { item: TurnItem }) {
  const { sessionId, canChat } = useConversation()
  const [run, busy] = useCommand()
  const settle = (action: 'run' | 'drop') =>
    run(() => api.settleMessage({ params: { id: sessionId, messageId: item.turnId }, body: { action } }))
  return (
    <div className="pt-1 pb-4">
      <Notice>
        <p>{text.conversation.unconfirmed}</p>
        {canChat && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" variant="primary" busy={busy} onClick={() => settle('run')}>
              {text.conversation.unconfirmedRun}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => settle('drop')}>
              {text.conversation.unconfirmedDrop}
            </Button>
          </div>
        )}
      </Notice>
    </div>
  )
}
