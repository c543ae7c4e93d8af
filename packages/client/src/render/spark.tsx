import { text as words } from '../text/text.ts'
import { sparkPoints } from './chart-data.ts'

interface SparkProps {
  /** What the line shows, for screen readers. */
  title: string
  values: readonly number[]
  format?: (value: number) => string
  width?: number
  height?: number
}

/** A small line without axes: how something went lately. */
export function Spark({ title, values, format = String, width = 120, height = 28 }: SparkProps) {
  const points = sparkPoints(values, width - 4, height - 4)
  const last = points.at(-1)
  const highest = format(Math.max(0, ...values.filter(Number.isFinite)))
  const label = words.render.chartSummary(title, values.length, highest)
  return (
    <svg role="img" aria-label={label} width={width} height={height} className="shrink-0 text-accent">
      <title>{label}</title>
      <g transform="translate(2 2)">
        <polyline
          points={points.map((point) => point.join(',')).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        {last && <circle cx={last[0]} cy={last[1]} r="2" fill="currentColor" />}
      </g>
    </svg>
  )
}
