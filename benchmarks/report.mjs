/** Samples → one line of JSON a metric, and a table. */
import { median } from './measure.mjs'

/**
 * @typedef {object} Line
 * @property {string} metric
 * @property {string} unit
 * @property {number | null} ours Null: it cannot be done with the page that was named.
 * @property {number | null} peer
 * @property {number | null} floor
 * @property {number | null} ratio ours / peer
 * @property {string | null} target
 * @property {boolean | null} holds
 * @property {number} rounds
 * @property {[number, number]} range The least and the most of ours, to show how steady it was.
 */

/**
 * @param {import('./question.mjs').Metric} metric
 * @param {Record<string, import('./question.mjs').Sample[]>} samples
 * @returns {Line}
 */
export function toLine(metric, samples) {
  const own = valuesOf(samples, metric.ours)
  const ours = median(own)
  const peer = metric.peer === undefined ? null : medianOf(samples, metric.peer)
  const floor = metric.floor === undefined ? null : medianOf(samples, metric.floor)
  const ratio = peer === null ? null : ours / peer
  const { target } = metric
  const judged = ratio ?? ours
  const holds = target
    ? judged <= (target.most ?? Number.POSITIVE_INFINITY) && judged >= (target.least ?? 0)
    : null
  return {
    metric: metric.metric,
    unit: metric.unit,
    ours: Number.isNaN(ours) ? null : round(ours),
    peer: peer === null ? null : round(peer),
    floor: floor === null ? null : round(floor),
    ratio: ratio === null ? null : round(ratio),
    target: target ? targetText(target, peer !== null) : null,
    holds,
    rounds: own.length,
    range: [round(Math.min(...own)), round(Math.max(...own))],
  }
}

/** @param {Line[]} lines */
export function toTable(lines) {
  const rows = lines.map((line) => [
    line.metric,
    line.ours === null ? 'not possible' : `${line.ours} ${line.unit}`,
    `${line.peer ?? '–'}`,
    `${line.floor ?? '–'}`,
    `${line.ratio ?? '–'}`,
    line.target ?? '–',
    line.holds === null ? '–' : line.holds ? 'yes' : 'NO',
  ])
  const all = [['metric', 'ours', 'peer', 'floor', 'ours / peer', 'target', 'holds'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  /** @param {string[]} row */
  const format = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = all
  const rule = widths.map((width) => '-'.repeat(width))
  return [format(head), format(rule), ...body.map(format)].join('\n')
}

/** @param {Record<string, import('./question.mjs').Sample[]>} samples @param {string} path */
function medianOf(samples, path) {
  return median(valuesOf(samples, path))
}

/** @param {Record<string, import('./question.mjs').Sample[]>} samples @param {string} path */
function valuesOf(samples, path) {
  const [subject = '', value = ''] = path.split('.')
  return (samples[subject] ?? []).map((sample) => Number(sample[value]))
}

/** @param {import('./question.mjs').Target} target @param {boolean} isRatio */
function targetText({ most, least }, isRatio) {
  const unit = isRatio ? ' x peer' : ''
  return most === undefined ? `>= ${least}${unit}` : `<= ${most}${unit}`
}

/** Three digits that count; whole numbers stay whole. @param {number} value */
function round(value) {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3))
}
