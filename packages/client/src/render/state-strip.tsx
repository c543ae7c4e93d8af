import { text as words } from '../text/text.ts'
import { toneFills } from '../ui/badge.tsx'
import { type StatePart, stripParts } from './chart-data.ts'

interface StateStripProps {
  title: string
  parts: readonly StatePart[]
  /** The time that the strip spans, in milliseconds since the epoch. */
  from: number
  to: number
  /** Under its ends. */
  fromLabel?: string
  toLabel?: string
}

/** How a state went over time, as a coloured strip. Each part has its name in its title; all of them are said. */
export function StateStrip({ title, parts, from, to, fromLabel, toLabel }: StateStripProps) {
  const shown = stripParts(parts, from, to)
  const summary = words.render.stripSummary(title, shown.map((part) => part.label).join(', '))
  return (
    <div className="min-w-0">
      <div role="img" aria-label={summary} className="relative h-3 overflow-hidden rounded-sm bg-raised">
        {shown.map((part) => (
          <span
            key={`${part.from}:${part.label}`}
            title={part.label}
            className={`absolute inset-y-0 min-w-px ${toneFills[part.tone]}`}
            style={{ left: `${part.left}%`, width: `${part.width}%` }}
          />
        ))}
      </div>
      {(fromLabel !== undefined || toLabel !== undefined) && (
        <div className="flex justify-between text-xs text-faint">
          <span>{fromLabel}</span>
          <span>{toLabel}</span>
        </div>
      )}
    </div>
  )
}
