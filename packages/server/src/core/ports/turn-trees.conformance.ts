/** What every store of turn trees keeps to. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { time } from './fixtures.conformance.ts'
import type { Records } from './records.ts'
import { newSession } from './session-records.conformance.ts'
import type { TurnTrees } from './turn-trees.ts'

export function turnTreeTests(get: () => Records): void {
  const treesOf = (sessionId: string, more: Partial<TurnTrees> = {}): TurnTrees => ({
    id: randomUUID(),
    sessionId,
    kind: 'turn',
    turnId: randomUUID(),
    directory: '/work',
    before: 'tree-1',
    after: undefined,
    named: [{ path: '__proto__/\u0000a', mixed: false }],
    outside: ['/etc/x'],
    complete: true,
    at: time,
    ...more,
  })

  it('keeps them in their order, each as it was last put', async () => {
    const { turnTrees, sessions } = get()
    const session = newSession()
    await sessions.create(session)
    const first = treesOf(session.id)
    const second = treesOf(session.id, { kind: 'background' })
    const third = treesOf(session.id)
    for (const trees of [first, second, third]) await turnTrees.put(trees)
    const ended = { ...first, after: 'tree-2', complete: false }
    await turnTrees.put(ended)
    await turnTrees.remove(third.id)
    expect(await turnTrees.list(session.id)).toEqual([ended, second])
  })

  it('has none of a session that is not there, and loses those of one that is removed', async () => {
    const { turnTrees, sessions } = get()
    const [one, other] = [newSession(), newSession()]
    await sessions.create(one)
    await sessions.create(other)
    await turnTrees.put(treesOf(one.id))
    await turnTrees.put(treesOf(other.id))
    await sessions.remove(one.id)
    expect(await turnTrees.list(one.id)).toEqual([])
    expect(await turnTrees.list(other.id)).toHaveLength(1)
    await expect(turnTrees.put(treesOf(one.id))).rejects.toThrow()
  })
}
