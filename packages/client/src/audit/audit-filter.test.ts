import { describe, expect, it } from 'vitest'
import {
  type AuditFilter,
  auditQuery,
  fits,
  isFiltered,
  noFilter,
  readFilter,
  writeFilter,
} from './audit-filter.ts'

const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'

describe('filters of the audit log', () => {
  it('stand in the address', () => {
    const filter: AuditFilter = {
      session: id,
      workspace: 'ws_12345678',
      tool: 'mcp__a b__c',
      action: 'tool_requested',
      decision: 'deny',
    }
    expect(readFilter(writeFilter(filter))).toEqual(filter)
    expect(readFilter('')).toEqual(noFilter)
    expect(isFiltered(noFilter)).toBe(false)
    expect(readFilter('?decision=maybe').decision).toBeUndefined()
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
    expect(fits({ decision: 'deny' }, filter)).toBe(true)
    expect(fits({ decision: 'allow' }, filter)).toBe(false)
    expect(fits({}, filter)).toBe(false)
    expect(fits({}, noFilter)).toBe(true)
  })
})
