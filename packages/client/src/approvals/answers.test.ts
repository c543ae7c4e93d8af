import { ApiError, type Approval, type ApprovalAnswer, NetworkError } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { createAnswers } from './answers.ts'
import { sampleApproval } from './test-support/sample-approval.ts'

const allow: ApprovalAnswer = { decision: 'allow', scope: 'once' }
const allowed: Approval = {
  ...sampleApproval(),
  state: 'allowed',
  decided_at: '2026-01-01T10:00:00.000Z',
  decided_by: { kind: 'person', token_name: 'Laptop' },
}

function setup() {
  const sent: ApprovalAnswer[] = []
  const replies: { resolve: (approval: Approval) => void; reject: (error: unknown) => void }[] = []
  const answers = createAnswers((_id, answer) => {
    sent.push(answer)
    return new Promise((resolve, reject) => replies.push({ resolve, reject }))
  })
  return { answers, sent, reply: (at: number) => replies[at] ?? expect.fail('nothing was sent') }
}

describe('an answer', () => {
  it('is sent once however often it is given', async () => {
    const { answers, sent, reply } = setup()
    const first = answers.send('a', allow)
    expect(await answers.send('a', { decision: 'deny' })).toEqual({ state: 'busy' })
    reply(0).resolve(allowed)
    expect(await first).toMatchObject({
      state: 'settled',
      mine: true,
      scope: 'once',
      decision: { state: 'allowed' },
    })
    expect(await answers.send('a', { decision: 'deny' })).toMatchObject({ state: 'settled', mine: true })
    expect(sent).toEqual([allow])
  })

  it('stays open when it got lost, and can be sent again', async () => {
    const { answers, sent, reply } = setup()
    const first = answers.send('a', allow)
    reply(0).reject(new NetworkError('no answer'))
    expect(await first).toMatchObject({ state: 'failed', lost: true, answer: allow })
    const again = answers.send('a', allow)
    expect(answers.get('a')).toEqual({ state: 'busy' })
    // The first one had arrived after all: the server answers with what was decided.
    const { state, decided_at, decided_by } = allowed
    const details = { id: 'a', state, decided_at, decided_by }
    reply(1).reject(new ApiError('already_answered', 409, 'late', { details }))
    expect(await again).toMatchObject({
      state: 'settled',
      mine: false,
      decision: { state: 'allowed', by: { token_name: 'Laptop' }, time: decided_at },
    })
    expect(sent).toHaveLength(2)
  })

  it('that does not fit is refused, not lost', async () => {
    const { answers, reply } = setup()
    const sent = answers.send('a', allow)
    reply(0).reject(new ApiError('invalid_request', 400, 'The answer wasn’t accepted.'))
    expect(await sent).toMatchObject({ state: 'failed', lost: false, fault: 'The answer wasn’t accepted.' })
    answers.clear('a')
    expect(answers.get('a')).toEqual({ state: 'idle' })
  })

  it('is not settled by a conflict that names no outcome', async () => {
    const { answers, reply } = setup()
    for (const [at, details] of [undefined, {}, { state: 'pending' }, { state: 'gone' }].entries()) {
      const sent = answers.send('a', allow)
      reply(at).reject(new ApiError('already_answered', 409, 'This is already being answered.', { details }))
      expect(await sent).toMatchObject({ state: 'failed' })
    }
  })

  it('notifies its subscribers', async () => {
    const { answers, reply } = setup()
    const seen: string[] = []
    const stop = answers.subscribe(() => seen.push(answers.get('a').state))
    const sent = answers.send('a', allow)
    reply(0).resolve(allowed)
    await sent
    stop()
    void answers.send('b', allow)
    expect(seen).toEqual(['busy', 'settled'])
  })
})
