import { describe, expect, it } from 'vitest'
import { sampleApproval } from '../../approvals/test-support/sample-approval.ts'
import type { Item } from '../../live/page-session.ts'
import { sampleCall as call } from '../test-support/sample-call.ts'
import { callsBehind } from './calls-behind.ts'

const asked = call('asked', { status: 'waiting', approvalId: 'a' })
const pending = { a: sampleApproval({ id: 'a' }) }
const behind = (items: readonly Item[], approvals = pending) => [...callsBehind(items, approvals)]

describe('calls behind one that a person is asked about', () => {
  it('have not begun', () => {
    expect(behind([asked, call('next'), call('after')])).toEqual(['next', 'after'])
  })

  it('are those after it in the same list', () => {
    const agent = call('agent', { children: [asked, call('inside')] })
    expect(behind([call('before'), agent, call('beside')])).toEqual(['inside'])
  })

  it('are none that show themselves, or were decided', () => {
    const decision = { state: 'allowed', by: undefined, time: '', message: undefined, edited: false } as const
    expect(
      behind([
        asked,
        call('talks', { progress: { text: 'so far', elapsedSeconds: 3 } }),
        call('allowed', { decision: { ...decision, answer: undefined } }),
        call('done', { status: 'done' }),
        call('writing', { status: 'writing' }),
      ]),
    ).toEqual([])
  })

  it('are none once nobody is asked, and none of turns before', () => {
    expect(behind([asked, call('next')], { a: sampleApproval({ id: 'a', state: 'allowed' }) })).toEqual([])
    const end = { kind: 'turn', key: 'turn:1', time: '' } as Item
    expect(behind([asked, call('old'), end, call('new')])).toEqual([])
  })
})
