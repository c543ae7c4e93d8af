import { useEffect, useRef } from 'react'
import { resolvedColor } from '../ui/resolved-color.ts'
import { type ChartSeries, chartColor, labelIndexes, stackedColumns } from './chart-data.ts'
import { loadPlot } from './load-plot.ts'
import { type PageTheme, usePageTheme } from './page-theme.ts'

type PlotModule = typeof import('./uplot-module.ts')
type Plot = InstanceType<PlotModule['uPlot']>

interface BarPlotProps {
  labels: readonly string[]
  series: readonly ChartSeries[]
  format: (value: number) => string
  height: number
  /** The bar under the pointer, or undefined. */
  onPoint: (index: number | undefined) => void
  /** The plot could not be loaded or drawn. */
  onFailed: () => void
}

const labelWidth = 70

/** The canvas alone. It is decoration for those who do not see it: the chart around it has a table. */
export function BarPlot({ labels, series, format, height, onPoint, onFailed }: BarPlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const theme = usePageTheme()
  const latest = useRef({ format, onPoint, onFailed })
  latest.current = { format, onPoint, onFailed }
  useEffect(() => {
    const element = box.current
    if (!element) return
    let plot: Plot | undefined
    let stopped = false
    const observer = new ResizeObserver(() => {
      if (plot && element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height })
    })
    loadPlot()
      .then(({ uPlot }) => {
        if (stopped) return
        const options = plotOptions(uPlot, element, { labels, series, height, theme, latest })
        plot = new uPlot(options, stackedColumns(labels, series) as [number[], ...number[][]], element)
        observer.observe(element)
      })
      .catch(() => stopped || latest.current.onFailed())
    return () => {
      stopped = true
      observer.disconnect()
      plot?.destroy()
    }
  }, [labels, series, height, theme])
  return <div ref={box} aria-hidden className="w-full overflow-hidden" style={{ height }} />
}

interface PlotInput {
  labels: readonly string[]
  series: readonly ChartSeries[]
  height: number
  theme: PageTheme
  latest: { current: Pick<BarPlotProps, 'format' | 'onPoint'> }
}

function plotOptions(
  uPlot: PlotModule['uPlot'],
  element: HTMLElement,
  input: PlotInput,
): ConstructorParameters<PlotModule['uPlot']>[0] {
  const { labels, series, height, latest } = input
  const color = (name: `--${string}`) => resolvedColor(name, element)
  const bars = uPlot.paths.bars?.({ size: [0.72, 56], radius: 0.08 })
  const axis = { stroke: color('--soft'), font: '12px system-ui, sans-serif' }
  return {
    width: Math.max(50, element.clientWidth),
    height,
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [(plot) => latest.current.onPoint(plot.cursor.idx ?? undefined)] },
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(0.5, labels.length - 0.5)] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        ticks: { show: false },
        splits: (plot) => labelIndexes(labels.length, Math.floor(plot.width / labelWidth)),
        values: (_, indexes) => indexes.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 64,
        grid: { stroke: color('--line'), width: 1 },
        ticks: { show: false },
        values: (_, values) => values.map((value) => latest.current.format(value)),
      },
    ],
    series: [
      {},
      ...series.toReversed().map((one, index) => {
        const fill = color(chartColor(series.length - 1 - index))
        return {
          label: one.name,
          fill,
          stroke: fill,
          width: 0,
          points: { show: false },
          ...(bars && { paths: bars }),
        }
      }),
    ],
  }
}
