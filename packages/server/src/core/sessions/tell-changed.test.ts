import type { ServerEvent, Session } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/fake-clock.ts'
import { createChangeTeller } from './tell-changed.ts'

function rig(gone: string[] = []) {
  const clock = createFakeClock()
  const told: string[] = []
  const asked: string[] = []
  const changed = createChangeTeller({
    clock,
    get: async (id) => {
      asked.push(id)
      if (gone.includes(id)) throw new Error('there is no such session')
      return { id } as Session
    },
    publish: (event: ServerEvent) =>
      told.push(event.type === 'session_changed' ? event.session.id : event.type),
  })
  const pass = async () => {
    clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { changed, told, asked, pass }
}

describe('telling that sessions changed', () => {
  it('tells each once, however often it changed, as it is then', async () => {
    const { changed, told, asked, pass } = rig()
    for (let count = 0; count < 50; count++) for (const id of ['a', 'b']) changed(id)
    expect(asked).toEqual([])
    await pass()
    expect(told).toEqual(['a', 'b'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('tells again of what changes later', async () => {
    const { changed, told, pass } = rig()
    changed('a')
    await pass()
    await pass()
    changed('b')
    await pass()
    changed('a')
    await pass()
    expect(told).toEqual(['a', 'b', 'a'])
  })

  it('is silent about a session that is gone, and tells of the others', async () => {
    const { changed, told, pass } = rig(['a'])
    for (const id of ['a', 'b']) changed(id)
    await pass()
    expect(told).toEqual(['b'])
  })
})
