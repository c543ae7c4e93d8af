import { matchesHook } from 'claude-code-agent'
import { describe, expect, it } from 'vitest'
import { policyHook } from '../../../test/support/policy-hook.ts'
import { PolicyOpinions } from './policy-opinions.ts'

const says = (permissionDecision: string) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } })
const ended = (tool: string, stdout: string, more: object = {}) => ({
  ...{ type: 'system', subtype: 'hook_response', hook_event: 'PreToolUse', hook_name: `PreToolUse:${tool}` },
  ...{ stdout, stderr: '', exit_code: 0, outcome: 'success', ...more },
})
const opinionsOf = (...hooks: ReturnType<typeof policyHook>[]) => new PolicyOpinions(hooks, matchesHook)

describe('what a hook of the policy said', () => {
  it('is about the next call of its tool, once, and names the hook', () => {
    const opinions = opinionsOf(policyHook('PreToolUse', 'Bash'), policyHook('PreToolUse', 'Read'))
    opinions.see(ended('Bash', says('allow')))
    expect(opinions.take('Read')).toBeUndefined()
    const by = { kind: 'hook', hook_name: 'PreToolUse: x', hook_digest: 'd-Bash', principal: 'owner' }
    expect(opinions.take('Bash')).toEqual({ says: 'allow', by })
    expect(opinions.take('Bash')).toBeUndefined()
  })

  it('is a refusal where one of several refuses, by an answer or by its status', () => {
    const opinions = opinionsOf(policyHook('PreToolUse', 'Bash'), policyHook('PreToolUse', ''))
    opinions.see(ended('Bash', says('allow')))
    opinions.see(ended('Bash', '', { exit_code: 2, stderr: 'no', outcome: 'error' }))
    expect(opinions.take('Bash')).toEqual({
      says: 'deny',
      by: { kind: 'hook', hook_name: 'PreToolUse: one of 2 hooks of the machine’s policy' },
    })
    expect(opinions.take('Bash')).toBeUndefined()
  })

  it('decides nothing where it is no decision, of another event, or of no hook that was allowed', () => {
    const opinions = opinionsOf(
      policyHook('PreToolUse', 'Bash'),
      policyHook('PreToolUse', 'Read', { state: 'off' }),
    )
    for (const answer of [says('ask'), 'words', '{}']) opinions.see(ended('Bash', answer))
    opinions.see(ended('Bash', says('allow'), { hook_event: 'PostToolUse', hook_name: 'PostToolUse:Bash' }))
    opinions.see(ended('Bash', says('allow'), { hook_name: 7 }))
    opinions.see(ended('Read', says('allow')))
    for (const tool of ['Bash', 'Read']) expect(opinions.take(tool)).toBeUndefined()
  })

  it('is forgotten where calls never come', () => {
    const opinions = opinionsOf(policyHook('PreToolUse', ''))
    for (let at = 0; at < 200; at++) opinions.see(ended(`Tool${at}`, says('allow')))
    expect(opinions.take('Tool0')).toBeUndefined()
    expect(opinions.take('Tool199')).toBeDefined()
  })
})
