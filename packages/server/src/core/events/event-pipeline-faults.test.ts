/** The pipeline when the log refuses, and when it is slow. */
import { describe, expect, it } from 'vitest'
import { createMemoryCoordination } from '../../adapters/memory/memory-coordination.ts'
import type { EventLog, LeaseGrant, LeaseOwner } from '../ports/coordination.ts'
import { createManualClock, newSessionId, textEvent } from '../ports/fixtures.conformance.ts'
import { EventPipeline } from './event-pipeline.ts'

const noise = { debug() {}, info() {}, warn() {} }

/** A pipeline whose log does what `append` says before it takes anything. */
function rig(append: EventLog['append'] | undefined = undefined) {
  const clock = createManualClock()
  const { events, leases } = createMemoryCoordination(clock)
  const published: string[] = []
  const faults: (string | undefined)[] = []
  const errors: string[] = []
  const log: EventLog = { ...events, append: append ?? events.append }
  const pipeline = new EventPipeline({
    log,
    clock,
    logger: { ...noise, error: (_fields, message) => void errors.push(message) },
    publish: (events) => {
      for (const event of events)
        published.push(event.type === 'text_delta' ? `${event.id} ${event.text}` : event.id)
    },
    onStorage: (fault) => faults.push(fault?.message),
  })
  const lease = async (sessionId = newSessionId(), owner: LeaseOwner = 'a/1'): Promise<LeaseGrant> => {
    const grant = await leases.acquire(sessionId, owner, 60_000, 'test')
    if (!grant) throw new Error('no lease')
    return grant
  }
  return { pipeline, log: events, leases, lease, published, faults, errors }
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const delta = (text: string, index = 0) => ({ ...textEvent(text), index })

describe('the event pipeline', () => {
  it('publishes nothing before it is on disk, and joins what waits meanwhile', async () => {
    const slow = gate()
    const { pipeline, log, lease, published } = rig(async (batches) => {
      await slow.opened
      return log.append(batches)
    })
    const writer = pipeline.writer(await lease(), 1, () => {})
    writer.emit(delta('a'))
    await new Promise((resolve) => setImmediate(resolve))
    for (const text of ['b', 'c']) writer.emit(delta(text))
    writer.emit(delta('d', 1))
    expect(published).toEqual([])
    slow.open()
    await writer.flushed()
    expect(published).toEqual(['1-2 a', '1-3 bc', '1-4 d'])
  })

  it('keeps trying when the disk is full, says so once, and loses nothing', async () => {
    let refusals = 2
    const { pipeline, log, lease, published, faults, errors } = rig(async (batches) => {
      if (refusals-- > 0) throw new Error('database or disk is full')
      return log.append(batches)
    })
    const writer = pipeline.writer(await lease(), 1, () => {})
    writer.emit(delta('a'))
    await writer.flushed()
    writer.emit(delta('b'))
    await writer.flushed()
    expect(published).toEqual(['1-2 a', '1-3 b'])
    expect(faults).toEqual(['database or disk is full', undefined])
    expect(errors).toHaveLength(1)
  })

  it('a session that was taken over is notified, writes nothing more, and holds nobody up', async () => {
    const { pipeline, lease, leases, published } = rig()
    const mine = await lease()
    let stale = 0
    const lost = pipeline.writer(mine, 1, () => stale++)
    const other = pipeline.writer(await lease(), 1, () => {})
    await leases.release(mine, 'a/1')
    await lease(mine.sessionId, 'b/1')
    lost.emit(delta('too late'))
    other.emit(delta('in time'))
    await Promise.all([lost.flushed(), other.flushed()])
    lost.emit(delta('still too late'))
    await lost.close()
    await pipeline.drained()
    expect(stale).toBe(1)
    expect(published).toEqual(['1-2 in time'])
  })

  it('asks writers to hold back while much waits, and lets them go on', async () => {
    const slow = gate()
    const { pipeline, log, lease } = rig(async (batches) => {
      await slow.opened
      return log.append(batches)
    })
    const writer = pipeline.writer(await lease(), 1, () => {})
    writer.emit(delta('first'))
    await writer.ready()
    await new Promise((resolve) => setImmediate(resolve))
    writer.emit(delta('x'.repeat(5 * 1024 * 1024), 1))
    let isReady = false
    const ready = writer.ready().then(() => {
      isReady = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isReady).toBe(false)
    slow.open()
    await ready
    await pipeline.drained()
  })

  it('publishes what several sessions said at once, each in its order', async () => {
    const { pipeline, lease, log, published } = rig()
    const grants = [await lease(), await lease(), await lease()]
    const writers = grants.map((grant) => pipeline.writer(grant, 1, () => {}))
    for (let number = 0; number < 4; number++)
      for (const [index, writer] of writers.entries()) writer.emit(delta(`${index}.${number}`, number))
    await pipeline.drained()
    for (const [index, { sessionId }] of grants.entries()) {
      const stored = await log.readSession(sessionId, { epoch: 1, seq: 1 }, 100)
      const texts = stored.map((event) => event.type === 'text_delta' && `${event.id} ${event.text}`)
      expect(texts).toHaveLength(4)
      expect(published.filter((text) => text.includes(` ${index}.`))).toEqual(texts)
    }
  })

  it('takes nothing from a writer that is closed', async () => {
    const { pipeline, lease, published } = rig()
    const writer = pipeline.writer(await lease(), 1, () => {})
    writer.emit(delta('last'))
    await writer.close()
    writer.emit(delta('after'))
    await pipeline.drained()
    expect(published).toEqual(['1-2 last'])
  })
})
