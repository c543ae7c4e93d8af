/** Figures → what a plot draws. */
import type { Tone } from '../ui/notice.tsx'

export interface ChartSeries {
  name: string
  /** One for each label. */
  values: readonly number[]
}

/** There are so many colours; more series share the last. */
const chartColors = 6

export function chartColor(index: number): `--chart-${number}` {
  return `--chart-${Math.min(index, chartColors - 1) + 1}`
}

/** Columns for the plot: indexes, then the sums of the series up to each one, the whole first, so that the lower parts are drawn over it. */
export function stackedColumns(labels: readonly string[], series: readonly ChartSeries[]): number[][] {
  const sums: number[][] = []
  for (const { values } of series) {
    const below = sums.at(-1)
    sums.push(labels.map((_, index) => (below?.[index] ?? 0) + figure(values[index])))
  }
  return [labels.map((_, index) => index), ...sums.toReversed()]
}

export function totals(labels: readonly string[], series: readonly ChartSeries[]): number[] {
  return labels.map((_, index) => series.reduce((sum, { values }) => sum + figure(values[index]), 0))
}

/** Which labels have room: every one, or every so manieth, the last always near the end. */
export function labelIndexes(count: number, room: number): number[] {
  if (count === 0) return []
  const step = Math.max(1, Math.ceil(count / Math.max(1, room)))
  const indexes: number[] = []
  for (let index = (count - 1) % step; index < count; index += step) indexes.push(index)
  return indexes
}

const figure = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) ? Math.max(0, value) : 0

export interface StatePart {
  /** In milliseconds since the epoch. */
  from: number
  to: number
  tone: Tone
  label: string
}

export interface StripPart extends StatePart {
  /** In percent of the strip. */
  left: number
  width: number
}

/** Parts within the time shown, in percent; what lies outside is cut off. */
export function stripParts(parts: readonly StatePart[], from: number, to: number): StripPart[] {
  const span = to - from
  if (!(span > 0)) return []
  return parts.flatMap((part) => {
    const start = Math.max(from, part.from)
    const end = Math.min(to, part.to)
    return end > start
      ? [{ ...part, left: ((start - from) / span) * 100, width: ((end - start) / span) * 100 }]
      : []
  })
}

/** The corners of a small line, for a box of the given size. */
export function sparkPoints(values: readonly number[], width: number, height: number): [number, number][] {
  const real = values.filter(Number.isFinite)
  const max = Math.max(...real, 0)
  const min = Math.min(...real, 0)
  const range = max - min || 1
  const step = real.length > 1 ? width / (real.length - 1) : 0
  return real.map((value, index) => [index * step, height - ((value - min) / range) * height])
}
