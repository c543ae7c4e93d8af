import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDay,
  formatDuration,
  formatMs,
  formatNumber,
  formatPercent,
  formatPlainNumber,
  formatRelative,
  formatTime,
  formatUsd,
  formatWeekday,
} from './format.ts'

/** In this machine's zone, whichever it is. */
const at = (...[hours, minutes = 0, day = 18, month = 11, year = 2026]: number[]) =>
  new Date(year, month - 1, day, hours, minutes).toISOString()
const noon = Date.parse(at(12))
const ago = (seconds: number) => formatRelative(new Date(noon - seconds * 1000).toISOString(), noon)
const [minute, hour, day] = [60, 3600, 86_400]

/** Each with the words for it; those of the style page are among them. */
const cases = {
  formatRelative: [
    [ago(0), 'now'],
    [ago(44), 'now'],
    [ago(45), '1 min ago'],
    [ago(5 * minute), '5 min ago'],
    [ago(59 * minute + 29), '59 min ago'],
    [ago(59 * minute + 31), '1 hr ago'],
    [ago(2 * hour), '2 hr ago'],
    [ago(23 * hour + 31 * minute), 'yesterday'],
    [ago(day), 'yesterday'],
    [ago(3 * day), '3 days ago'],
    [ago(29 * day), '29 days ago'],
    [ago(30 * day), 'Oct 19, 2026'],
    [ago(-5 * minute), 'in 5 min'],
    [ago(-day), 'tomorrow'],
  ],
  formatTime: [
    [formatTime(at(21, 28)), '9:28 PM'],
    [formatTime(at(0, 5)), '12:05 AM'],
    [formatTime(at(12)), '12:00 PM'],
  ],
  formatDateTime: [[formatDateTime(at(21, 28)), 'Nov 18, 2026, 9:28 PM']],
  formatWeekday: [
    [formatWeekday(at(21), noon), 'Wednesday, November 18'],
    [formatWeekday(at(1, 0, 1, 1, 2025), noon), 'Wednesday, January 1, 2025'],
  ],
  formatDay: [
    [formatDay('2026-11-18', false), 'Nov 18'],
    [formatDay('2025-12-31', true), 'Dec 31, 25'],
  ],
  formatDuration: [
    [formatDuration(0), '0.0 s'],
    [formatDuration(400), '0.4 s'],
    [formatDuration(12_000), '12 s'],
    [formatDuration(60_000), '1 min'],
    [formatDuration(200_000), '3 min 20 s'],
    [formatDuration(7_200_000), '2 h'],
    [formatDuration(7_500_000), '2 h 5 min'],
  ],
  formatMs: [
    [formatMs(8), '8 ms'],
    [formatMs(940), '940 ms'],
    [formatMs(1400), '1.4 s'],
  ],
  formatBytes: [
    [formatBytes(950), '950 B'],
    [formatBytes(1200), '1.2 kB'],
    [formatBytes(14_000_000), '14.0 MB'],
  ],
  formatUsd: [
    [formatUsd(0), '$0.00'],
    [formatUsd(0.000_001), '<$0.01'],
    [formatUsd(0.004_999), '<$0.01'],
    [formatUsd(0.005), '$0.01'],
    [formatUsd(0.007), '$0.01'],
    [formatUsd(2.8734), '$2.87'],
    [formatUsd(2.875_1), '$2.88'],
    [formatUsd(10), '$10.00'],
    [formatUsd(1234.5), '$1,234.50'],
  ],
  formatCount: [
    [formatCount(950), '950'],
    [formatCount(1234), '1.2K'],
    [formatCount(35_000), '35K'],
    [formatCount(1_400_000), '1.4M'],
  ],
  formatNumber: [[formatNumber(1_000_000), '1,000,000']],
  formatPlainNumber: [[formatPlainNumber(1_000_000.25), '1000000.25']],
  formatPercent: [
    [formatPercent(0.97), '97%'],
    [formatPercent(0.1254), '12.5%'],
  ],
} satisfies Record<string, [shown: string, expected: string][]>

/** Intl puts a narrow space before AM and PM. */
const plain = (shown: string) => shown.replaceAll('\u202F', ' ')

it.each(Object.entries(cases))('%s', (_, rows) => {
  expect(rows.map(([shown]) => plain(shown))).toEqual(rows.map(([, expected]) => expected))
})

const root = new URL('../../../../', import.meta.url).pathname

it('the examples of docs/style.md are among these', () => {
  const rows = readFileSync(join(root, 'docs/style.md'), 'utf8').matchAll(
    /^\| .+ \| (.+) \| `(format\w+)` \|$/gm,
  )
  const seen = [...rows].map(([, examples = '', name = '']) => {
    const known = (cases[name as keyof typeof cases] ?? []).map(([, expected]) => expected)
    const found = known.filter((one) => examples.includes(one))
    expect(found, name).not.toEqual([])
    // Longest first: `$2.87` is in `$2.875`.
    const rest = found
      .toSorted((a, b) => b.length - a.length)
      .reduce((text, one) => text.replaceAll(one, ''), examples.replaceAll(/"[^"]*"/g, ''))
    expect(rest, name).not.toMatch(/\d/)
    return name
  })
  expect(seen.toSorted()).toEqual(Object.keys(cases).toSorted())
})

it('nothing else of the page formats figures and times', () => {
  const folder = join(root, 'packages/client/src')
  const own = /\.toLocale(String|DateString|TimeString)\(|\.toFixed\(|\bIntl\.(?!supported)\w*Format\(/
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !/\.test\.|^(text|ui)[\\/](en[\\/]|format\.ts)/.test(file) &&
      own.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(found).toEqual([])
})
