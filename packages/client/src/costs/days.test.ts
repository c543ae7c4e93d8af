import { describe, expect, it } from 'vitest'
import { addDays, dayLabel, daysBetween, daysOf, isDay, timesOf } from './days.ts'

describe('days', () => {
  it('knows a day from what looks like one', () => {
    expect(isDay('2026-02-28')).toBe(true)
    expect(isDay('2028-02-29')).toBe(true)
    for (const text of ['2026-02-29', '2026-13-01', '2026-2-8', '', 'yesterday', '2026-02-28T00:00']) {
      expect(isDay(text), text).toBe(false)
    }
  })

  it('counts over the ends of months and years', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(daysBetween('2026-10-30', '2026-11-02')).toEqual([
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
      '2026-11-02',
    ])
  })

  it('has as many days as the period says, today as the last', () => {
    const days = daysOf({ kind: 'days', days: 30 }, '2026-11-15')
    expect(days).toHaveLength(30)
    expect(days[0]).toBe('2026-10-17')
    expect(days.at(-1)).toBe('2026-11-15')
  })

  it('keeps the newest days of a period that is too long', () => {
    const days = daysOf({ kind: 'custom', first: '1970-01-01', last: '2026-11-15' }, '2026-11-15')
    expect(days).toHaveLength(400)
    expect(days.at(-1)).toBe('2026-11-15')
  })

  it('asks for whole days', () => {
    expect(timesOf(['2026-11-14', '2026-11-15'])).toEqual({
      from: '2026-11-14T00:00:00.000Z',
      to: '2026-11-16T00:00:00.000Z',
    })
    expect(timesOf([])).toBeUndefined()
  })

  it('labels a day of UTC wherever the browser is', () => {
    expect(dayLabel('2026-11-01', '2026-11-15')).toBe('Nov 1')
    expect(dayLabel('2025-12-31', '2026-11-15')).toContain('25')
  })
})
