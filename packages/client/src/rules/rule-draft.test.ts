import type { Rule } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { draftOfRule, isChosenOnCard, newRuleDraft, ruleFaults, ruleOf, sortRules } from './rule-draft.ts'

const rule = (change: Partial<Rule> = {}): Rule => ({
  id: 'rule_1',
  effect: 'allow',
  tool: 'Bash',
  match: 'ls',
  scope: { kind: 'workspace', workspace_id: 'ws_1' },
  origin: 'api',
  principal: 'owner',
  created_at: '2026-01-01T00:00:00.000Z',
  ...change,
})

describe('a rule', () => {
  it('stays the same when nothing is changed', () => {
    for (const scope of [
      { kind: 'everywhere' },
      { kind: 'workspace', workspace_id: 'ws_1' },
      { kind: 'session', session_id: '11111111-1111-4111-8111-111111111111' },
    ] as const) {
      const { effect, tool, match } = rule()
      expect(ruleOf(draftOfRule(rule({ scope })))).toEqual({ effect, tool, match, scope })
    }
  })

  it('whose calls were chosen on a card is sent back with the same ones', () => {
    const fixed = rule({ tool: 'mcp__x__y', match: '{"a":1}', fields: ['a'] })
    expect([fixed, rule({ prefix: true }), rule()].map(isChosenOnCard)).toEqual([true, true, false])
    expect(ruleOf({ ...draftOfRule(fixed), effect: 'deny' })).toMatchObject({
      effect: 'deny',
      tool: 'mcp__x__y',
      match: '{"a":1}',
    })
    expect(ruleFaults(draftOfRule(fixed), fixed)).toEqual({})
  })

  it('without a match is for every call', () => {
    expect(ruleOf({ ...newRuleDraft, tool: ' Bash ' })).toEqual({
      effect: 'deny',
      tool: 'Bash',
      scope: { kind: 'everywhere' },
    })
  })

  it('says what is missing', () => {
    expect(Object.keys(ruleFaults(newRuleDraft))).toEqual(['tool'])
    expect(Object.keys(ruleFaults({ ...newRuleDraft, tool: 'mcp__*' }))).toEqual(['tool'])
    expect(Object.keys(ruleFaults({ ...newRuleDraft, tool: 'Bash', scope: 'workspace' }))).toEqual(['scope'])
    expect(Object.keys(ruleFaults({ ...newRuleDraft, tool: 'Bash', scope: 'session' }))).toEqual(['scope'])
    expect(ruleFaults({ ...newRuleDraft, tool: 'Bash' })).toEqual({})
    // The server keeps a match that is not named, so taking it away would do nothing.
    expect(Object.keys(ruleFaults({ ...draftOfRule(rule()), match: '' }, rule()))).toEqual(['match'])
  })

  it('stands in the order in which rules beat each other', () => {
    const rules = [
      rule({ id: 'a' }),
      rule({ id: 'gone', effect: 'deny', revoked_at: '2026-01-02T00:00:00.000Z' }),
      rule({ id: 'd', effect: 'deny' }),
      rule({ id: 'k', effect: 'ask' }),
      rule({ id: 'newer', created_at: '2026-01-03T00:00:00.000Z' }),
    ]
    expect(sortRules(rules).map(({ id }) => id)).toEqual(['d', 'k', 'newer', 'a', 'gone'])
  })
})
