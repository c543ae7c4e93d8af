import { deciderKinds } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { actionName, auditSubject, deciderWords, outcomeOf } from './audit-words.ts'

describe('lines of the audit log in words', () => {
  it('names actions, also those that it does not know', () => {
    expect(actionName('tool_decided')).toBe('Tool decided')
    expect(actionName('something_new')).toBe('Something new')
    expect(actionName('constructor')).toBe('Constructor')
  })

  it('says who decided, and with which device', () => {
    expect(deciderWords({ kind: 'person', token_name: 'Phone' })).toBe('Phone')
    expect(deciderWords({ kind: 'rule', rule_id: 'rule_12345678' })).toBe('a rule')
    expect(deciderWords({ kind: 'schedule', schedule_id: 'sched_1' })).toBe('a schedule')
    for (const kind of deciderKinds) expect(deciderWords({ kind })).toMatch(/^[a-z]+ ?/)
  })

  it('distinguishes a denial and a failure from success', () => {
    expect(outcomeOf({ action: 'tool_decided', decision: 'deny' })?.tone).toBe('denied')
    expect(outcomeOf({ action: 'tool_finished', detail: { is_error: true } })?.words).toBe('Failed')
    expect(outcomeOf({ action: 'tool_finished', detail: { is_error: false } })).toBeUndefined()
    expect(outcomeOf({ action: 'signed_in', detail: null })).toBeUndefined()
    expect(outcomeOf({ action: 'message_settled', detail: { action: 'drop' } })?.words).toBe('dropped')
    // Nobody must answer now: it was asked then.
    expect(outcomeOf({ action: 'tool_decided', decision: 'ask' })?.tone).toBe('neutral')
  })

  it('finds what a line is about, and keeps it short', () => {
    expect(auditSubject({ input: { description: 'List', command: 'ls -la' } })).toBe('ls -la')
    expect(auditSubject({ subject: 'ls', detail: { name: 'x' } })).toBe('ls')
    expect(auditSubject({ input: { command: 'ls -la' }, subject: 'ls' })).toBe('ls -la')
    expect(auditSubject({ input: {}, detail: { name: 'phone' } })).toBe('phone')
    // Which one was removed, accepted, changed.
    expect(auditSubject({ detail: { server: 'calendar' } })).toBe('calendar')
    expect(auditSubject({ detail: { server: 'calendar', tool: 'add' } })).toBe('calendar: add')
    expect(auditSubject({ detail: { server: 'calendar', sharing: 'shared' } })).toBe('calendar: shared')
    expect(auditSubject({ detail: { set: { 'budgets.dayUsd': 5, 'sessions.model': 'opus' } } })).toBe(
      'budgets.dayUsd, sessions.model',
    )
    expect(auditSubject({ detail: { token_id: 'tok_1', workspace_id: 'ws_1' } })).toBeUndefined()
    expect(auditSubject({ input: 'text', detail: 5 })).toBeUndefined()
    expect(auditSubject({ input: { command: 'x'.repeat(100_000) } })?.length).toBe(200)
  })
})
