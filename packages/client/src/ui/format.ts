/** Figures and times for people, in the language of the page. */
const language = 'en'

/** $1,234.50; what is less than a cent is not nothing. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return '<$0.01'
  return `$${usd.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** 950, 1.2k, 35k, 1.4M. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count)
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

export function formatTime(time: string): string {
  return new Date(time).toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' })
}

const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
  format.format(count, unit).replace('.', '')

/** "now", "5 min ago", "yesterday". */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return relative(0, 'second')
  if (size < 3600) return relative(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return relative(Math.round(seconds / 3600), 'hour')
  if (size < 30 * 86_400) return relative(Math.round(seconds / 86_400), 'day')
  return new Date(time).toLocaleDateString(language, { dateStyle: 'medium' })
}
