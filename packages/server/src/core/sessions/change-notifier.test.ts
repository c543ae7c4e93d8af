import type { ServerEvent, Session } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/fake-clock.ts'
import { createChangeNotifier } from './change-notifier.ts'

function rig(gone: string[] = [], until: Promise<void> = Promise.resolve()) {
  const clock = createFakeClock()
  const published: string[] = []
  const asked: string[] = []
  const whose: (string | null)[] = []
  const { changed, deleted } = createChangeNotifier({
    clock,
    sessions: () => ({
      cliSessions: { principalOf: (id) => `whose ${id} is` },
      get: async ({ principal }, id) => {
        expect(principal).toBe(`whose ${id} is`)
        asked.push(id)
        await until
        if (gone.includes(id)) throw new Error('there is no such session')
        return { id } as Session
      },
    }),
    publish: (event: ServerEvent, principal) => {
      whose.push(principal)
      published.push(
        event.type === 'session_changed'
          ? event.session.id
          : event.type === 'session_deleted'
            ? `no ${event.session_id}`
            : event.type,
      )
    },
  })
  const pass = async () => {
    clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { changed, deleted, published, whose, asked, pass }
}

describe('publishing that sessions changed', () => {
  it('publishes each once, however often it changed, as it is then', async () => {
    const { changed, published, asked, pass } = rig()
    for (let count = 0; count < 50; count++) for (const id of ['a', 'b']) changed(id)
    expect(asked).toEqual([])
    await pass()
    expect(published).toEqual(['a', 'b'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('publishes again what changes later', async () => {
    const { changed, published, pass } = rig()
    changed('a')
    await pass()
    await pass()
    changed('b')
    await pass()
    changed('a')
    await pass()
    expect(published).toEqual(['a', 'b', 'a'])
  })

  it('is silent about a session that is gone, and publishes the others', async () => {
    const { changed, published, pass } = rig(['a'])
    for (const id of ['a', 'b']) changed(id)
    await pass()
    expect(published).toEqual(['b'])
  })

  it('a deletion is the last that is published of a session, also when it was just being read', async () => {
    let answer = () => {}
    const until = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { changed, deleted, published, whose, asked, pass } = rig([], until)
    for (const id of ['a', 'b']) changed(id)
    await pass()
    expect(asked).toEqual(['a'])
    deleted('a', 'whose a was')
    changed('c')
    deleted('c', 'whose c was')
    answer()
    await pass()
    await pass()
    expect(published).toEqual(['no a', 'no c', 'b'])
    expect(whose).toEqual(['whose a was', 'whose c was', 'whose b is'])
  })
})
