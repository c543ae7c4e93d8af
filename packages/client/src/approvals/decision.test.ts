import { type Decider, deciderKinds, standardDenials } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../live/page-session.ts'
import { decisionOf, decisionWords } from './decision.ts'
import { sampleApproval } from './test-support/sample-approval.ts'

const person: Decider = { kind: 'person', principal: 'owner', token_name: 'Laptop' }
const decision = (change: Partial<Decision>): Decision => ({
  state: 'allowed',
  by: person,
  time: '2026-01-01T10:00:00.000Z',
  message: undefined,
  edited: false,
  answer: undefined,
  ...change,
})
const words = (...args: Parameters<typeof decisionWords>) => {
  const { verb, parts, message } = decisionWords(...args)
  return [verb, ...parts, message].filter(Boolean).join(' | ')
}

describe('a decision', () => {
  it('says who, how long, and with what', () => {
    expect(words(decision({}))).toBe('Allowed | by Laptop')
    expect(words(decision({}), 'tool', 'session')).toBe('Allowed | by Laptop | for this session')
    expect(words(decision({ edited: true }), 'tool', 'once')).toBe(
      'Allowed | by Laptop | once | with edited input',
    )
    expect(words(decision({ state: 'denied', message: 'No.' }))).toBe('Denied | by Laptop | No.')
    expect(words(decision({ by: { kind: 'person', principal: 'owner' } }))).toBe('Allowed | by owner')
    expect(words(decision({}), 'question')).toBe('Answered | by Laptop')
    expect(words(decision({}), 'plan')).toBe('Approved | by Laptop')
    expect(words(decision({ state: 'denied' }), 'elicitation')).toBe('Declined | by Laptop')
    expect(words(decision({ state: 'denied', message: 'More steps.' }), 'plan')).toBe(
      'Sent back | by Laptop | More steps.',
    )
    expect(words(decision({ state: 'denied', by: { kind: 'unattended' } }), 'plan')).toMatch(/^Denied/)
  })

  it.each(deciderKinds.filter((kind) => kind !== 'person'))('by %s has words', (kind) => {
    const { parts } = decisionWords(decision({ by: { kind } }))
    expect(parts).toHaveLength(1)
    expect(parts[0]).not.toBe('')
  })

  it('by a rule of the owner’s says so', () => {
    const by: Decider = { kind: 'rule', rule_id: 'rule_1', rule_name: 'Bash(npm test)' }
    expect(words(decision({ by }))).toBe('Allowed | by your rule')
  })

  it('does not quote what nobody wrote', () => {
    const denied = (message: string) => words(decision({ state: 'denied', message }))
    expect(denied(standardDenials.tool)).toBe('Denied | by Laptop')
    expect(denied('Use the other file.')).toBe('Denied | by Laptop | Use the other file.')
  })

  it('that nobody made looks different from a denial', () => {
    expect(decisionWords(decision({ state: 'expired', by: { kind: 'deadline' } }))).toMatchObject({
      tone: 'warn',
    })
    expect(
      words(decision({ state: 'void', by: { kind: 'server' }, message: 'The session was closed.' })),
    ).toBe('Not answered | The session was closed.')
    expect(decisionWords(decision({ state: 'denied' }))).toMatchObject({ tone: 'denied' })
  })

  it('is none while an approval waits', () => {
    expect(decisionOf(sampleApproval())).toBeUndefined()
    expect(
      decisionOf(sampleApproval({ state: 'expired', decided_at: '2026-01-01T12:00:00.000Z' })),
    ).toMatchObject({
      state: 'expired',
      edited: false,
      time: '2026-01-01T12:00:00.000Z',
    })
  })
})
