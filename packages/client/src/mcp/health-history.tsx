import type { McpServerDetails } from '@dorkos/shared'
import { useNow } from '../conversation/use-now.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { StateStrip } from '../render/state-strip.tsx'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { formatDateTime, formatTime } from '../ui/format.ts'
import { historyStrip } from './history-parts.ts'

const tickMs = 15_000

/** How a server's state went, as a strip, and each change with its reason. */
export function HealthHistory({ name, history }: { name: string; history: McpServerDetails['history'] }) {
  const now = useNow(history.length > 0, tickMs)
  const strip = historyStrip(history, now)
  const words = text.mcp.history
  if (!strip) return <p className="text-sm text-soft">{words.none}</p>
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <StateStrip
        title={words.strip(withVisibleControls(name))}
        parts={strip.parts}
        from={strip.from}
        to={strip.to}
        fromLabel={startLabel(strip.from, strip.to)}
        toLabel={words.now}
      />
      <Disclosure label={words.list(history.length)}>
        <ol className="flex flex-col gap-1 text-sm">
          {sequence(history.toReversed(), ({ state, time, reason }) => (
            <li className="flex flex-wrap gap-x-3">
              <time dateTime={time} className="text-soft tabular-nums">
                {formatDateTime(time)}
              </time>
              <span className="font-medium">{text.mcp.states[state]}</span>
              {reason !== undefined && (
                <span className="min-w-0 break-words text-soft">
                  <SafeText text={reason} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </Disclosure>
    </div>
  )
}

const dayMs = 86_400_000

function startLabel(from: number, to: number): string {
  const time = new Date(from).toISOString()
  return to - from < dayMs ? formatTime(time) : formatDateTime(time)
}
