import { describe, expect, it } from 'vitest'
import {
  type AuditFilter,
  auditQuery,
  fitsFilter,
  isFiltered,
  noFilter,
  readFilter,
  writeFilter,
} from './audit-filter.ts'

const now = new Date(2026, 4, 6, 15).getTime()
const time = new Date(now).toISOString()
const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'

describe('filters of the audit log', () => {
  it('stand in the address', () => {
    const filter: AuditFilter = {
      session: id,
      workspace: 'ws_12345678',
      tool: 'mcp__a b__c',
      action: 'tool_requested',
      decision: 'deny',
      since: 'week',
    }
    expect(readFilter(writeFilter(filter))).toEqual(filter)
    expect(readFilter('')).toEqual(noFilter)
    expect(isFiltered(noFilter)).toBe(false)
    expect(readFilter('?decision=maybe').decision).toBeUndefined()
    expect(readFilter('?since=ever').since).toBeUndefined()
  })

  it('asks the server for no more than it takes', () => {
    expect(auditQuery(noFilter)).toEqual({})
    expect(auditQuery({ ...noFilter, session: 'not an id', tool: 'Bash' })).toEqual({ tool: 'Bash' })
    expect(auditQuery({ ...noFilter, session: id })).toEqual({ session_id: id })
    expect(auditQuery({ ...noFilter, workspace: 'ws_12345678' })).toEqual({ workspace_id: 'ws_12345678' })
    expect(auditQuery({ ...noFilter, workspace: 'the site' })).toEqual({})
  })

  it('finds decisions in the lines that have them', () => {
    const filter: AuditFilter = { ...noFilter, action: 'signed_in', decision: 'deny' }
    expect(auditQuery(filter)).toEqual({ action: 'tool_decided' })
    expect(fitsFilter({ decision: 'deny', time }, filter, now)).toBe(true)
    expect(fitsFilter({ decision: 'allow', time }, filter, now)).toBe(false)
    expect(fitsFilter({ time }, filter, now)).toBe(false)
    expect(fitsFilter({ time }, noFilter, now)).toBe(true)
  })

  it('goes back as far as was asked', () => {
    const within = (since: AuditFilter['since'], past: Date) =>
      fitsFilter({ time: past.toISOString() }, { ...noFilter, since }, now)
    const before = (hours: number) => new Date(now - hours * 3_600_000)
    expect([within('hour', before(0.9)), within('hour', before(1.1))]).toEqual([true, false])
    expect([within('week', before(167)), within('week', before(169))]).toEqual([true, false])
    expect(within('today', new Date(2026, 4, 6))).toBe(true)
    expect(within('today', new Date(2026, 4, 5, 23, 59))).toBe(false)
    expect(within(undefined, new Date(0))).toBe(true)
  })
})
