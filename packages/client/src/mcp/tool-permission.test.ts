import type { Rule } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { chosenPermission, maySet, permissionChange, toolRules } from './tool-permission.ts'

const workspace = { id: 'ws_1', name: 'home' }
const tool = 'mcp__files__read'
let rules = 0
const rule = (change: Partial<Rule> = {}): Rule => ({
  id: `rule_${++rules}`,
  effect: 'allow',
  tool,
  scope: { kind: 'workspace', workspace_id: 'ws_1' },
  origin: 'api',
  principal: 'owner',
  created_at: '2026-01-01T00:00:00.000Z',
  ...change,
})
const configured = (change: Partial<Rule>): Rule =>
  rule({ origin: 'configuration', pattern: true, scope: { kind: 'everywhere' }, ...change })
const of = (...all: Rule[]) => toolRules(all, tool, workspace)

describe('the rules of a tool', () => {
  it('are those of its workspace, with the strongest in force', () => {
    const everywhere = rule({ effect: 'ask', scope: { kind: 'everywhere' } })
    const own = rule()
    const found = of(own, everywhere, rule({ tool: 'mcp__files__write' }), rule({ revoked_at: 'then' }))
    expect(found).toEqual({ own: [own], inForce: everywhere, partial: [] })
    expect(chosenPermission(found)).toBe('allow')
    expect(chosenPermission(of(everywhere))).toBe('usual')
    expect(of(rule({ scope: { kind: 'workspace', workspace_id: 'ws_2' } })).inForce).toBeUndefined()
  })

  it('of equals the own one is shown', () => {
    const own = rule({ effect: 'deny' })
    expect(of(configured({ effect: 'deny' }), own).inForce).toBe(own)
  })

  it('for one input or one session are distinguished', () => {
    const session = rule({ scope: { kind: 'session', session_id: '11111111-1111-4111-8111-111111111111' } })
    const input = rule({ match: '{}' })
    expect(of(session, input)).toEqual({ own: [], inForce: undefined, partial: [session, input] })
  })

  it.each([
    ['mcp__*', true],
    ['*', true],
    ['mcp__files__read', true],
    ['mcp__*__read', true],
    ['*files*', true],
    ['mcp__files__read*read', false],
    ['mcp__files', false],
    ['*write', false],
    ['*ead*ead', false],
  ])('a pattern of the configuration: %s', (pattern, fits) => {
    expect(of(configured({ tool: pattern })).inForce !== undefined).toBe(fits)
  })

  it('of the configuration name the workspace by its name', () => {
    const at = (name: string) => configured({ scope: { kind: 'workspace', workspace_id: name } })
    expect([of(at('home')).inForce !== undefined, of(at('ws_1')).inForce]).toEqual([true, undefined])
  })
})

describe('a choice', () => {
  it('makes a rule, changes it, and takes it away', () => {
    expect(permissionChange(of(), 'deny', tool, 'ws_1')).toEqual({
      create: { effect: 'deny', tool, scope: { kind: 'workspace', workspace_id: 'ws_1' } },
      revoke: [],
    })
    const own = rule()
    expect(permissionChange(of(own), 'ask', tool, 'ws_1')).toEqual({
      change: { id: own.id, effect: 'ask' },
      revoke: [],
    })
    expect(permissionChange(of(own), 'usual', tool, 'ws_1')).toEqual({ revoke: [own.id] })
    expect(permissionChange(of(own), 'allow', tool, 'ws_1')).toEqual({ revoke: [] })
  })

  it('leaves one rule of several, and touches no other', () => {
    const weak = rule()
    const strong = rule({ effect: 'deny' })
    const found = of(weak, strong, rule({ scope: { kind: 'everywhere' } }), configured({}))
    expect(permissionChange(found, 'allow', tool, 'ws_1')).toEqual({
      change: { id: strong.id, effect: 'allow' },
      revoke: [weak.id],
    })
  })

  it('needs the rights that its rule needs', () => {
    const approver = { admin: false, approve: true }
    expect(maySet(of(rule()), 'usual', approver)).toBe(true)
    expect(maySet(of(rule()), 'deny', approver)).toBe(false)
    expect(maySet(of(rule({ effect: 'deny' })), 'usual', approver)).toBe(false)
    expect(maySet(of(rule()), 'usual', { admin: false, approve: false })).toBe(false)
    expect(maySet(of(), 'allow', { admin: true, approve: true })).toBe(true)
  })
})
