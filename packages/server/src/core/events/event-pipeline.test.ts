import type { NewEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { createMemoryCoordination } from '../../adapters/memory/memory-coordination.ts'
import { createManualClock, newSessionId, textEvent } from '../ports/fixtures.conformance.ts'
import { EventPipeline, type EventWriter } from './event-pipeline.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function openPipeline(onPublish: (text: string) => void = () => {}) {
  const clock = createManualClock()
  const { events: log, leases } = createMemoryCoordination(clock)
  const published: string[] = []
  const pipeline = new EventPipeline({
    log,
    clock,
    logger: silent,
    publish: (events) => {
      for (const event of events) {
        const text = event.type === 'text_delta' ? event.text : event.type
        published.push(text)
        onPublish(text)
      }
    },
  })
  const writer = async (): Promise<EventWriter> => {
    const grant = await leases.acquire(newSessionId(), 'node/1', 60_000, 'test')
    if (!grant) throw new Error('no lease')
    return pipeline.writer(grant, 1, () => {})
  }
  return { pipeline, writer, published }
}

const event = (text: string): NewEvent => textEvent(text)

async function microtasks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await Promise.resolve()
}

describe('the event pipeline', () => {
  it('publishes an event at whatever moment it comes, also just when the last commit is over', async () => {
    for (let after = 0; after < 30; after++) {
      let second: Promise<void> = Promise.resolve()
      const { writer, published } = await openPipeline((text) => {
        if (text === 'first') second = microtasks(after).then(() => one.emit(event('second')))
      })
      const one = await writer()
      one.emit(event('first'))
      await one.flushed()
      await second
      await one.flushed()
      expect(published, `${after} microtasks later`).toEqual(['first', 'second'])
    }
  })

  it('a writer is flushed when its own events are, however busy the others are', async () => {
    let chatter: EventWriter | undefined
    const { writer, published } = await openPipeline((text) => {
      if (text === 'chatter' && published.length < 1000) chatter?.emit(event('chatter'))
    })
    chatter = await writer()
    const quiet = await writer()
    chatter.emit(event('chatter'))
    quiet.emit(event('quiet'))
    await quiet.close()
    expect(published).toContain('quiet')
    expect(published.length).toBeLessThan(10)
  })
})
