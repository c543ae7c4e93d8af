/** Times and amounts for people. */

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(ms, 0) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.round(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${String(Math.floor(seconds % 60)).padStart(2, '0')}s`
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`
}

/** How long ago, in one word: `now`, `5m`, `3h`, `2d`, then the date. */
export function formatAge(time: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000)
  if (Number.isNaN(minutes)) return '?'
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}m`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}h`
  if (minutes < 30 * 24 * 60) return `${Math.floor(minutes / 60 / 24)}d`
  return time.slice(0, 10)
}

export function formatUsd(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`
}
