import type { NewEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { StaleEpochError } from '../ports/coordination.ts'
import { textEvent } from '../ports/fixtures.conformance.ts'
import { SessionEmitter } from './session-emitter.ts'

function rig() {
  const published: string[] = []
  const emit = (event: NewEvent) => {
    published.push(
      event.type === 'text_delta' ? event.text : event.type === 'error' ? event.message : event.type,
    )
  }
  const logger = { debug() {}, info() {}, warn() {}, error: () => void published.push('logged') }
  const events = new SessionEmitter(
    {
      emit,
      flushed: async () => void published.push('flushed'),
      ready: async () => {},
      close: async () => void published.push('closed'),
    },
    { sessionId: 'session', logger, onStale: () => void published.push('lost') },
  )
  return { published, events }
}

/** Something that is stored when the test says so. */
function pending() {
  let finish = () => {}
  let fail = (_error: Error) => {}
  const stored = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  return { store: () => stored, finish: () => finish(), fail: (text: string) => fail(new Error(text)) }
}

const one = (text: string) => (): NewEvent[] => [textEvent(text)]

describe('the events of a session', () => {
  it('go on at once while nothing is stored', () => {
    const { events, published } = rig()
    events.emit(textEvent('a'))
    expect(published).toEqual(['a'])
  })

  it('publish a fact once it is stored, and what came meanwhile after it', async () => {
    const { events, published } = rig()
    const first = pending()
    const done = events.storeThenEmit(first.store, one('fact'))
    events.emit(textEvent('after'))
    expect(published).toEqual([])
    first.finish()
    await done
    events.emit(textEvent('later'))
    expect(published).toEqual(['fact', 'after', 'later'])
  })

  it('store one after the other, and keep the order of everything', async () => {
    const { events, published } = rig()
    const [first, second] = [pending(), pending()]
    const started: string[] = []
    const ends = [
      events.storeThenEmit(() => {
        started.push('first')
        return first.store()
      }, one('1')),
    ]
    events.emit(textEvent('after 1'))
    ends.push(
      events.storeThenEmit(() => {
        started.push('second')
        return second.store()
      }, one('2')),
    )
    events.emit(textEvent('after 2'))
    second.finish()
    await Promise.resolve()
    expect(started).toEqual(['first'])
    first.finish()
    await ends[0]
    // The second is still to be published: what comes now comes after it.
    events.emit(textEvent('after 2, too'))
    await ends[1]
    expect(published).toEqual(['1', 'after 1', '2', 'after 2', 'after 2, too'])
  })

  it('do not publish what could not be stored, and go on', async () => {
    const { events, published } = rig()
    const first = pending()
    const done = events.storeThenEmit(first.store, one('never'))
    events.emit(textEvent('held'))
    first.fail('no disk')
    await expect(done).rejects.toThrow('no disk')
    events.emit(textEvent('next'))
    await events.storeThenEmit(async () => {}, one('stored'))
    expect(published).toEqual(['held', 'next', 'stored'])
  })

  it('are flushed and closed after what is being stored', async () => {
    const { events, published } = rig()
    const first = pending()
    void events.storeThenEmit(first.store, one('fact'))
    const flushed = events.flushed()
    const closed = events.close()
    first.finish()
    await Promise.all([flushed, closed])
    expect(published[0]).toBe('fact')
    expect(published.slice(1).sort()).toEqual(['closed', 'flushed'])
  })

  it('say what failed, unless the session is another server’s', () => {
    const { events, published } = rig()
    events.fault(new Error('no memory'))
    events.fault(new StaleEpochError('session', 2))
    expect(published).toEqual(['logged', 'no memory', 'lost'])
  })
})
