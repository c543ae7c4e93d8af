/** Days of UTC, as `2026-11-15`: what the ledger counts by. */
import { formatDay } from '../ui/format.ts'
import type { Period } from './cost-view.ts'

const dayMs = 86_400_000
/** More bars than this are unreadable. */
const mostDays = 400

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time) && dayOf(time) === text
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return dayOf(Date.parse(`${day}T00:00:00.000Z`) + count * dayMs)
}

/** Every day from the first to the last; the last ones where there are too many. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = last; day >= first && days.length < mostDays; day = addDays(day, -1)) days.push(day)
  return days.reverse()
}

export function daysOf(period: Period, today: string): string[] {
  return period.kind === 'custom'
    ? daysBetween(period.first, period.last)
    : daysBetween(addDays(today, 1 - period.days), today)
}

/** The times for the API: from the start of the first day to the end of the last. */
export function timesOf(days: readonly string[]): { from: string; to: string } | undefined {
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return undefined
  return { from: `${first}T00:00:00.000Z`, to: `${addDays(last, 1)}T00:00:00.000Z` }
}

/** `Nov 15`, with the year where it is not the one of the last day. */
export function dayLabel(day: string, lastDay: string): string {
  return formatDay(day, day.slice(0, 4) !== lastDay.slice(0, 4))
}
