import type { ApprovalAnswer, Covers } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { proposedRule, ruleOfAnswer } from './proposed-rule.ts'

const call = (tool: string, input: Record<string, unknown>, subject = JSON.stringify(input)) => ({
  tool,
  input,
  subject,
})
const from = { session_id: '11111111-1111-4111-8111-111111111111', workspace_id: 'ws_1' }
const tool = 'mcp__git__push'
const input = { remote: 'origin', branch: 'main', force: false }

describe('what is proposed', () => {
  it('are the fields of an MCP tool’s input', () => {
    expect(proposedRule(call(tool, input), 'ws_1')).toEqual({
      tool,
      match: JSON.stringify(input),
      scope: 'workspace',
      fields: ['remote', 'branch', 'force'],
    })
    expect(proposedRule(call('mcp__dorkos__ping', {}), undefined)).toMatchObject({
      scope: 'session',
      fields: [],
    })
  })

  it('is no field that a page would not show, or that is too long for a rule', () => {
    const forged = JSON.parse('{"__proto__":{"a":1},"constructor":2,"a":3}') as Record<string, unknown>
    expect(proposedRule(call(tool, forged), 'ws_1')?.fields).toEqual(['constructor', 'a'])
    const long = { a: 1, text: 'x'.repeat(100_000) }
    expect(proposedRule(call(tool, long), 'ws_1')).toEqual({ tool, scope: 'workspace', fields: ['a'] })
  })

  it('is the exact call alone of other tools', () => {
    expect(proposedRule(call('WebFetch', { url: 'https://a' }), 'ws_1')).toEqual({
      tool: 'WebFetch',
      match: '{"url":"https://a"}',
      scope: 'workspace',
    })
    expect(proposedRule(call('WebFetch', {}, 'x'.repeat(100_001)), 'ws_1')).toBeUndefined()
  })

  it.each([
    ['npm test *', true],
    ['./run.sh build *', true],
    ['npm test', false],
    ['*', false],
    [' *', false],
    ['npm *  *', false],
    ['npm test; rm *', false],
    ['npm test) Bash( *', false],
    ['echo "a *', false],
    ['npm\ntest *', false],
    ['npm test *\n', false],
    ['npm $X *', false],
  ])('is the CLI’s own rule for commands, in plain words: %j', (prefix, is) => {
    const bash = call('Bash', { command: 'npm test' }, 'npm test')
    expect(proposedRule(bash, 'ws_1', prefix)?.prefix).toBe(is ? prefix : undefined)
    expect(proposedRule(call(tool, input), 'ws_1', prefix)?.prefix).toBeUndefined()
  })

  it('is nothing where a person is asked each time, or for a command outside of the sandbox', () => {
    expect(proposedRule(call('mcp__dorkos__set_config', {}), 'ws_1')).toBeUndefined()
    expect(proposedRule(call('AskUserQuestion', {}), 'ws_1')).toBeUndefined()
    const outside = { command: 'ls', dangerouslyDisableSandbox: true }
    expect(proposedRule(call('Bash', outside), 'ws_1', 'npm test *')).toBeUndefined()
  })
})

describe('the rule of an answer', () => {
  const proposed = proposedRule(call(tool, input), 'ws_1')
  const bash = proposedRule(call('Bash', { command: 'npm test' }, 'npm test'), 'ws_1', 'npm test *')
  const always = (covers?: Covers): ApprovalAnswer => ({
    decision: 'allow',
    scope: 'always',
    ...(covers && { covers }),
  })
  const scope = { kind: 'workspace', workspace_id: 'ws_1' }
  const fields = (...names: string[]): Covers => ({ kind: 'fields', fields: names })

  it.each<[string, ApprovalAnswer, unknown]>([
    ['exactly this call', always(), { match: JSON.stringify(input) }],
    ['the same in words', always({ kind: 'call' }), { match: JSON.stringify(input) }],
    [
      'fixed fields',
      always(fields('remote', 'branch', 'remote')),
      { match: '{"branch":"main","remote":"origin"}', fields: ['branch', 'remote'] },
    ],
    ['the tool', always({ kind: 'tool' }), {}],
  ])('is for %s', (_, answer, rule) => {
    expect(ruleOfAnswer(proposed, input, answer, from)).toEqual({ tool, ...(rule as object), scope })
  })

  it('is the CLI’s own for commands', () => {
    expect(ruleOfAnswer(bash, {}, always({ kind: 'prefix' }), from)).toEqual({
      tool: 'Bash',
      match: 'npm test *',
      prefix: true,
      scope,
    })
  })

  it('holds where the answer says', () => {
    const at = (where: 'session' | 'everywhere') =>
      ruleOfAnswer(proposed, input, { decision: 'allow', scope: where }, from)?.scope
    expect(at('everywhere')).toEqual({ kind: 'everywhere' })
    expect(at('session')).toEqual({ kind: 'session', session_id: from.session_id })
  })

  it('is none for a denial, and for once', () => {
    expect(ruleOfAnswer(proposed, input, { decision: 'deny' }, from)).toBeUndefined()
    expect(ruleOfAnswer(proposed, input, { decision: 'allow', scope: 'once' }, from)).toBeUndefined()
  })

  it.each<[string, typeof proposed, ApprovalAnswer, typeof from | { session_id: string }]>([
    ['what cannot last', undefined, always(), from],
    ['a field that is not there', proposed, always(fields('remote', 'nothing')), from],
    ['a field that nobody can see', proposed, always(fields('__proto__')), from],
    ['fields of a command', bash, always(fields('command')), from],
    ['every command', bash, always({ kind: 'tool' }), from],
    ['a prefix that the CLI did not propose', proposed, always({ kind: 'prefix' }), from],
    [
      'more than this call for once',
      proposed,
      { decision: 'allow', scope: 'once', covers: { kind: 'tool' } },
      from,
    ],
    ['a workspace that is none', proposed, always(), { session_id: from.session_id }],
    ['too long an input', { tool, scope: 'workspace', fields: [] }, always(), from],
  ])('is refused for %s', (_, offered, answer, where) => {
    expect(() => ruleOfAnswer(offered, input, answer, where)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  it('fixes no more than a rule can hold', () => {
    const long = { a: 'x'.repeat(60_000), b: 'x'.repeat(60_000) }
    const offered = proposedRule(call(tool, long), 'ws_1')
    expect(offered?.fields).toEqual(['a', 'b'])
    expect(() => ruleOfAnswer(offered, long, always(fields('a', 'b')), from)).toThrow('stay the same')
  })
})
