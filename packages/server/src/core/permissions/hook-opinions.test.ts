import { describe, expect, it } from 'vitest'
import type { HookOpinion } from '../hooks/session-hooks.ts'
import { decideByHooks, weighHooks } from './hook-opinions.ts'

const says = (word: HookOpinion['says'], more: Partial<HookOpinion> = {}): HookOpinion => ({
  says: word,
  by: { kind: 'hook', hook_name: word },
  ...more,
})
const pass = { verdict: { verdict: 'pass', commandRules: [] }, by: undefined } as const
const ask = { verdict: { verdict: 'ask', reason: 'a rule' }, by: undefined } as const
const asks = (forPerson: boolean) => ({ kind: 'ask', forPerson }) as const

describe('before a call is decided about', () => {
  it('deny beats ask beats allow', () => {
    expect(weighHooks(pass, [says('allow'), says('ask'), says('deny')]).verdict.verdict).toBe('deny')
    expect(weighHooks(pass, [says('allow'), says('ask')]).verdict.verdict).toBe('ask')
    expect(weighHooks(pass, [says('nothing'), says('allow')])).toMatchObject({
      verdict: { verdict: 'allow' },
      by: { kind: 'hook', hook_name: 'allow' },
    })
    expect(weighHooks(pass, [])).toEqual(pass)
  })

  it('what asks without hooks is not allowed by one', () => {
    expect(weighHooks(ask, [says('allow')]).verdict.verdict).toBe('ask')
  })

  it('one that wants another input refuses', () => {
    expect(weighHooks(pass, [says('allow', { rewrites: true })]).verdict.verdict).toBe('deny')
    expect(weighHooks(pass, [says('nothing', { rewrites: true })]).verdict.verdict).toBe('deny')
  })

  it('words for the model come along, of all of them', () => {
    const some = [says('nothing', { context: 'a' }), says('nothing', { context: 'b' })]
    expect(weighHooks(pass, some).verdict).toEqual({ verdict: 'pass', commandRules: [], context: 'a\nb' })
    expect(weighHooks(ask, some).verdict).toMatchObject({ verdict: 'ask', context: 'a\nb' })
  })
})

describe('before a person is asked', () => {
  it('a hook answers in their place, unless another objects or the question is for people alone', () => {
    expect(decideByHooks(asks(false), [says('allow')]).kind).toBe('allow')
    expect(decideByHooks(asks(false), [says('allow'), says('ask')]).kind).toBe('ask')
    expect(decideByHooks(asks(false), [says('allow'), says('deny')]).kind).toBe('deny')
    expect(decideByHooks(asks(false), [says('allow', { rewrites: true })]).kind).toBe('deny')
    expect(decideByHooks(asks(true), [says('allow')]).kind).toBe('ask')
    expect(decideByHooks(asks(true), [says('deny')]).kind).toBe('deny')
  })
})
