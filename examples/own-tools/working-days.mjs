// Two tools of your own for every agent: put this file, and the folder lib beside it, into ~/.dorkos/tools.
import { tool } from 'claude-code-agent'
import { z } from 'zod'
import { dateText, isWorkingDay, toDate } from './lib/calendar.mjs'

const longestSpan = 3660

const day = z.iso.date().describe('A day, as in 2026-12-31')
const holidays = z
  .array(z.iso.date())
  .max(400)
  .default([])
  .describe('Days that count as free, besides Saturdays and Sundays')

export const count = tool({
  name: 'count_working_days',
  description:
    'Counts the working days from one day to another, both included. Use it for every question about working days; do not count yourself. ' +
    'Saturdays, Sundays and the given holidays are free; it knows no holidays by itself. Returns a number. Spans of at most ten years.',
  inputSchema: { from: day, to: day, holidays },
  annotations: { readOnlyHint: true },
  handler({ from, to, holidays }) {
    if (from > to) throw new Error(`${from} is after ${to}; give the earlier day as "from".`)
    const free = new Set(holidays)
    let days = 0
    let span = 0
    for (const date = toDate(from); dateText(date) <= to; date.setUTCDate(date.getUTCDate() + 1)) {
      span += 1
      if (span > longestSpan) throw new Error('That is more than ten years; ask for a shorter span.')
      if (isWorkingDay(date, free)) days += 1
    }
    return String(days)
  },
})

export const add = tool({
  name: 'add_working_days',
  description:
    'Finds the day that lies a number of working days after another, such as a deadline. Saturdays, Sundays and the given holidays are free. ' +
    'Returns one day, as in 2026-12-31. At most 1000 days.',
  inputSchema: { from: day, days: z.number().int().min(1).max(1000), holidays },
  annotations: { readOnlyHint: true },
  handler({ from, days, holidays }) {
    const free = new Set(holidays)
    const date = toDate(from)
    for (let left = days; left > 0; ) {
      date.setUTCDate(date.getUTCDate() + 1)
      if (isWorkingDay(date, free)) left -= 1
    }
    return dateText(date)
  },
})
