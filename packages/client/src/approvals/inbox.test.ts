import type { Approval } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { createAnswers } from './answers.ts'
import { answerAll, batchOf, batchWords } from './batch.ts'
import { decidedOnes, firstEntries, type InboxEntries, neighbour, nextEntries, shownGroups } from './inbox.ts'
import { sampleApproval } from './test-support/sample-approval.ts'

const at = (id: string, minute: number, session = 'one', change: Partial<Approval> = {}) =>
  sampleApproval({
    id,
    session_id: session,
    deadline: `2026-01-01T12:${String(minute).padStart(2, '0')}:00.000Z`,
    ...change,
  })

const shown = (entries: InboxEntries) =>
  shownGroups(entries).map(({ sessionId, approvals }) => [sessionId, approvals.map(({ id }) => id)])

describe('the inbox', () => {
  it('has the first to expire first, by session', () => {
    expect(shown(firstEntries([at('a', 9), at('b', 5, 'two'), at('c', 7), at('d', 8, 'two')]))).toEqual([
      ['two', ['b', 'd']],
      ['one', ['c', 'a']],
    ])
  })

  it('shows what comes while one looks at the end, however soon it expires', () => {
    const [a, b] = [at('a', 9), at('b', 10, 'two')]
    const more = [at('urgent', 1), a, b, at('also', 2, 'three')]
    expect(shown(nextEntries(firstEntries([a, b]), more))).toEqual([
      ['one', ['a']],
      ['two', ['b']],
      ['one', ['urgent']],
      ['three', ['also']],
    ])
  })

  it('keeps what was decided while one looked, and forgets it when it waits again', () => {
    const a = at('a', 1)
    const b = at('b', 2)
    const order = ['a', 'b']
    const first = nextEntries(firstEntries([a, b]), [b])
    expect(first).toEqual({ pending: [b], gone: [a], order })
    expect(nextEntries(first, [a, b])).toEqual({ pending: [a, b], gone: [], order })
    const many = Array.from({ length: 60 }, (_, n) => at(`x${n}`, 1))
    const few = nextEntries(firstEntries(many), [])
    expect(few.gone).toHaveLength(20)
    expect(few.order).toEqual(few.gone.map(({ id }) => id))
  })

  it('moves by keys and stops at the ends', () => {
    const ids = ['a', 'b', 'c']
    expect(neighbour(ids, 'a', 1)).toBe('b')
    expect(neighbour(ids, 'c', 1)).toBe('c')
    expect(neighbour(ids, 'a', -1)).toBe('a')
    expect(neighbour(ids, 'gone', 1)).toBe('a')
    expect(neighbour([], undefined, 1)).toBeUndefined()
  })

  it('finds what was decided, the newest first', () => {
    const decided = (id: string, minute: number, change: Partial<Approval> = {}) =>
      at(id, 0, 'one', { state: 'denied', decided_at: `2026-01-01T10:0${minute}:00.000Z`, ...change })
    const all = [
      decided('a', 1),
      decided('b', 3, { tool: 'Write', input: { file_path: '/Secret' } }),
      decided('c', 2, { kind: 'plan', tool: 'ExitPlanMode' }),
      at('open', 1),
    ]
    const found = (kind: '' | Approval['kind'], words: string) =>
      decidedOnes(all, { kind, words }).map(({ id }) => id)
    expect(found('', '')).toEqual(['b', 'c', 'a'])
    expect(found('plan', '')).toEqual(['c'])
    expect(found('', ' secret ')).toEqual(['b'])
  })
})

describe('a batch', () => {
  it('is the tool calls of one session that still wait', async () => {
    const answers = createAnswers(async (id) => ({
      ...at(id, 1),
      state: 'allowed',
      decided_at: '2026-01-01T10:00:00.000Z',
    }))
    const pending = [at('a', 1), at('b', 1), at('q', 1, 'one', { kind: 'question' }), at('o', 1, 'two')]
    const ids = () => batchOf(pending, 'one', answers.get).map(({ id }) => id)
    expect(ids()).toEqual(['a', 'b'])
    await answers.send('a', { decision: 'allow', scope: 'once' })
    expect(ids()).toEqual(['b'])
  })

  it('shows what became of each', async () => {
    const answers = createAnswers(async (id, { decision }) => {
      if (id === 'lost') throw new Error('no answer')
      const state = decision === 'allow' ? 'allowed' : 'denied'
      return { ...at(id, 1), state, decided_at: '2026-01-01T10:00:00.000Z' }
    })
    const result = await answerAll(answers, [at('a', 1), at('lost', 1), at('c', 1)], {
      decision: 'allow',
      scope: 'once',
    })
    expect(result).toEqual({ allowed: 2, denied: 0, other: 1 })
    expect(batchWords(result)).toBe('2 allowed, 1 not answered')
    // Those that were answered are not answered again.
    expect(await answerAll(answers, [at('a', 1), at('d', 1)], { decision: 'deny' })).toEqual({
      allowed: 1,
      denied: 1,
      other: 0,
    })
  })
})
