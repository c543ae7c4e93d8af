/** Figures and times for people, in the language of the page. */
const language = 'en'

/** $1,234.50, rounded to cents; what would round to nothing is <$0.01. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return '<$0.01'
  return `$${usd.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** 950, 1.2K, 35K, 1.4M. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count)
}

/** 1,000,000. */
export function formatNumber(value: number): string {
  return value.toLocaleString(language)
}

/** 1000000.25, as one would type it. */
export function formatPlainNumber(value: number): string {
  return value.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 10 })
}

/** 97%, 12.5%. */
export function formatPercent(part: number): string {
  return part.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
}

/** 8 ms, 940 ms, 1.4 s. */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

/** 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(ms: number): string {
  if (ms < 950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function formatDateTime(time: string): string {
  return new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Of a day of UTC, as `2026-11-15`: Nov 15, with the year Nov 15, 26. */
export function formatDay(day: string, withYear: boolean): string {
  const year = withYear ? ({ year: '2-digit' } as const) : {}
  const options = { month: 'short', day: 'numeric', timeZone: 'UTC', ...year } as const
  return new Date(`${day}T00:00:00.000Z`).toLocaleDateString(language, options)
}

/** Wednesday, November 18; with the year in any other year. */
export function formatWeekday(time: string, now = Date.now()): string {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  const year = isThisYear ? {} : ({ year: 'numeric' } as const)
  return date.toLocaleDateString(language, { weekday: 'long', day: 'numeric', month: 'long', ...year })
}

export function formatTime(time: string): string {
  return new Date(time).toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' })
}

const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
  format.format(count, unit).replace('.', '')

/** "now", "5 min ago", "2 hr ago", "yesterday"; the date from a month on. */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000)
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.round(seconds / unit))
  if (Math.abs(seconds) < 45) return relative(0, 'second')
  if (minutes !== undefined && Math.abs(minutes) < 60) return relative(minutes, 'minute')
  if (hours !== undefined && Math.abs(hours) < 24) return relative(hours, 'hour')
  if (days !== undefined && Math.abs(days) < 30) return relative(days, 'day')
  return new Date(time).toLocaleDateString(language, { dateStyle: 'medium' })
}
