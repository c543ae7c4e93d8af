import type { Rule } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { commandRules, ruleApplies } from './rule-match.ts'
import { inspectCall } from './seen-call.ts'

const scope = { sessionId: 'here', workspace: { id: 'ws_1', name: 'home' } }

function rule(part: Partial<Rule>): Rule {
  return {
    id: 'rule_1',
    effect: 'allow',
    tool: 'mcp__git__push',
    scope: { kind: 'everywhere' },
    origin: 'approval',
    principal: 'owner',
    created_at: '2026-01-01T00:00:00.000Z',
    ...part,
  }
}

/** From the text on the wire: keys such as `__proto__` are fields like any other there. */
const calling = async (part: Partial<Rule>, input: string, tool = 'mcp__git__push') =>
  ruleApplies(rule(part), await inspectCall(tool, JSON.parse(input), '/'), scope)

describe('a rule with fixed fields', () => {
  const branch = { fields: ['branch'], match: '{"branch":"main"}' }
  const target = { fields: ['to'], match: '{"to":{"a":[1,2],"b":null}}' }

  it.each<[string, Partial<Rule>, string, boolean]>([
    ['the same field', branch, '{"branch":"main"}', true],
    ['other fields that vary', branch, '{"force":true,"branch":"main"}', true],
    ['another value', branch, '{"branch":"dev"}', false],
    ['a value of another kind', branch, '{"branch":["main"]}', false],
    ['a missing field', branch, '{"force":true}', false],
    ['a field that is null', branch, '{"branch":null}', false],
    ['the field in an inner object', branch, '{"args":{"branch":"main"}}', false],
    ['the field in a forged prototype', branch, '{"__proto__":{"branch":"main"}}', false],
    ['an inherited name', { fields: ['toString'], match: '{}' }, '{}', false],
    ['the field twice, of which the last counts', branch, '{"branch":"main","branch":"dev"}', false],
    ['keys in another order, deep', target, '{"to":{"b":null,"a":[1,2]}}', true],
    ['numbers that are spelt differently', target, '{"to":{"a":[1.0,2e0],"b":null}}', true],
    ['a number as text', target, '{"to":{"a":["1",2],"b":null}}', false],
    ['a list in another order', target, '{"to":{"a":[2,1],"b":null}}', false],
    ['more inside of the field', target, '{"to":{"a":[1,2],"b":null,"c":0}}', false],
    ['more inside of the field, as prototype', target, '{"to":{"a":[1,2],"b":null,"__proto__":{}}}', false],
    ['two of two', { fields: ['a', 'b'], match: '{"a":1,"b":2}' }, '{"b":2,"c":3,"a":1}', true],
    ['one of two', { fields: ['a', 'b'], match: '{"a":1,"b":2}' }, '{"a":1}', false],
    ['no field at all', { fields: [], match: '{}' }, '{}', false],
    ['fields without their values', { fields: ['a'] }, '{"a":1}', false],
    ['fields without their values, which are missing', { fields: ['a'] }, '{}', false],
  ])('and %s', async (_, part, input, applies) => {
    expect(await calling(part, input)).toBe(applies)
  })

  it('is for its tool, in its place, until it is revoked, and in the sandbox', async () => {
    const input = '{"branch":"main"}'
    expect(await calling(branch, input, 'mcp__git__pull')).toBe(false)
    expect(await calling({ ...branch, revoked_at: '2026-01-02T00:00:00.000Z' }, input)).toBe(false)
    expect(await calling({ ...branch, scope: { kind: 'session', session_id: 'there' } }, input)).toBe(false)
    expect(await calling({ ...branch, scope: { kind: 'session', session_id: 'here' } }, input)).toBe(true)
    expect(await calling(branch, '{"branch":"main","dangerouslyDisableSandbox":true}')).toBe(false)
  })

  it('denies what it would allow', async () => {
    expect(await calling({ ...branch, effect: 'deny' }, '{"branch":"main","force":true}')).toBe(true)
    expect(await calling({ ...branch, effect: 'deny' }, '{"branch":"dev"}')).toBe(false)
  })
})

describe('a rule that the CLI matches', () => {
  const npm = rule({ tool: 'Bash', match: 'npm test *', prefix: true })

  it.each(['npm test', 'npm test *', 'npm test x', 'npm test; rm x'])(
    'is never matched here: %s',
    async (command) => {
      expect(await calling(npm, JSON.stringify({ command }), 'Bash')).toBe(false)
    },
  )

  it('is given to the CLI where it holds', () => {
    const elsewhere = rule({ ...npm, scope: { kind: 'workspace', workspace_id: 'ws_2' } })
    const revoked = rule({ ...npm, revoked_at: '2026-01-02T00:00:00.000Z' })
    const exact = rule({ tool: 'Bash', match: 'npm test' })
    expect(commandRules([elsewhere, npm, revoked, exact], scope)).toEqual([npm])
  })
})
