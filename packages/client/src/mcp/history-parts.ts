/** A server's states over time → the parts of a strip. Pure. */
import type { McpServerDetails } from '@dorkos/shared'
import type { StatePart } from '../render/chart-data.ts'
import { text } from '../text/page-text.ts'
import { formatDuration } from '../ui/format.ts'
import { stateTone } from './server-state.ts'

type History = McpServerDetails['history']

export interface HistoryStrip {
  from: number
  to: number
  parts: StatePart[]
}

const shortestMs = 1000

/** `now` is the server's time. What lies in the future by a skewed clock has no length. */
export function historyStrip(history: History, now: number): HistoryStrip | undefined {
  const changes = history
    .map((one) => ({ ...one, at: Date.parse(one.time) }))
    .filter(({ at }) => Number.isFinite(at))
  const first = changes[0]
  if (!first) return undefined
  const to = Math.max(now, (changes.at(-1)?.at ?? now) + shortestMs)
  const parts = changes.map(({ at, state }, index): StatePart => {
    const end = changes[index + 1]?.at ?? to
    const label = text.mcp.history.part(text.mcp.states[state], formatDuration(Math.max(0, end - at)))
    return { from: at, to: end, tone: stateTone(state), label }
  })
  return { from: first.at, to, parts }
}
