import { setImmediate as nextTurn } from 'node:timers/promises'
import { createApiClient, StreamCursor, type StreamFrame } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CuttingProxy, startCuttingProxy } from '../../test/support/cutting-proxy.ts'
import { createFaultyBus, faults } from '../../test/support/faulty-bus.ts'
import { type HttpFixture, secretOf, startHttp } from '../../test/support/http-fixture.ts'
import { otherSessionId, sessionId } from '../../test/support/http-samples.ts'
import { createMemoryEventBus } from '../adapters/memory/memory-event-bus.ts'
import type { EventBus } from '../core/ports/event-bus.ts'

const sessions = [sessionId, otherSessionId]
const last = 'the last one'

/** What happens on the server, one step after the other. `late`: the log has it some turns before the hub publishes it. */
const step = fc.record({
  session: fc.constantFrom(...sessions),
  kind: fc.constantFrom('event', 'event', 'event', 'late', 'takeover', 'server'),
  size: fc.constantFrom(1, 50, 5000),
  pause: fc.integer({ min: 0, max: 4 }),
})
/** Small cuts fall into the head and the first frames, large ones into replay and live. */
const cut = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 3000, max: 60_000 }))
const plan = fc.record({
  steps: fc.array(step, { minLength: 20, maxLength: 80 }),
  cuts: fc.array(cut, { maxLength: 25 }),
})

async function run(
  http: HttpFixture,
  steps: { session: string; kind: string; size: number; pause: number }[],
) {
  for (const { session, kind, size, pause } of steps) {
    const event = { type: 'text_delta', message_id: 'm', index: 0, text: 'x'.repeat(size) } as const
    if (kind === 'takeover') await http.takeOver(session)
    else if (kind === 'server')
      http.publishServer({ type: 'rules_changed', time: '2026-01-01T00:00:00.000Z' })
    else {
      const publish = await http.append(event, session)
      if (kind === 'late') await nextTurn()
      publish()
    }
    for (let turns = 0; turns < pause; turns++) await nextTurn()
  }
  for (const session of sessions) {
    await http.publish({ type: 'text_delta', message_id: 'm', index: 0, text: last }, session)
  }
}

/** Every event must be the one after what the client has: nothing lost, doubled or out of order. */
class Checker {
  readonly #has = new Map<string, string | undefined>()
  readonly #http: HttpFixture
  readonly finished = new Set<string>()

  constructor(http: HttpFixture) {
    this.#http = http
  }

  async see(frame: StreamFrame): Promise<void> {
    expect(frame.frame).not.toBe('resync')
    if (frame.frame === 'snapshot') {
      // Whoever has a session goes on with it: a second snapshot would hide what was lost.
      expect(this.#has.has(frame.session)).toBe(false)
      return this.#take(frame.session, frame.snapshot.at)
    }
    if (frame.frame !== 'message') return
    const { id, session } = frame.event
    expect(this.#has.has(session)).toBe(true)
    const log = await this.#log(session)
    const before = log.findIndex((event) => event.id === this.#has.get(session))
    expect(id).toBe(log[before + 1]?.id)
    await this.#take(session, id)
  }

  async #take(session: string, id: string | undefined): Promise<void> {
    this.#has.set(session, id)
    const found = (await this.#log(session)).find((event) => event.id === id)
    if (found?.type === 'text_delta' && found.text === last) this.finished.add(session)
  }

  #log(session: string) {
    return this.#http.events.readSession(session, undefined, 100_000)
  }
}

async function attempt(
  cuts: number[],
  work: (http: HttpFixture, baseUrl: string, proxy: CuttingProxy) => Promise<void>,
  bus?: EventBus,
): Promise<void> {
  const proxy = await startCuttingProxy([...cuts])
  const http = await startHttp({ publicOrigins: [`http://127.0.0.1:${proxy.port}`] }, bus)
  proxy.target = http.port
  try {
    await work(http, `http://127.0.0.1:${proxy.port}`, proxy)
  } finally {
    await http.close()
    await proxy.close()
  }
}

/** Reads until the last event of all was seen. */
async function readAll(
  http: HttpFixture,
  frames: AsyncIterable<StreamFrame>,
  wanted: string[],
): Promise<void> {
  const checker = new Checker(http)
  for await (const frame of frames) {
    await checker.see(frame)
    if (wanted.every((session) => checker.finished.has(session))) break
  }
}

describe('a connection that is cut again and again', () => {
  it('loses, doubles and reorders nothing of one session', async () => {
    await fc.assert(
      fc.asyncProperty(plan, ({ steps, cuts }) =>
        attempt(cuts, async (http, baseUrl) => {
          await http.takeOver(sessionId)
          const client = createApiClient({ baseUrl, token: secretOf('read') })
          const running = run(http, steps)
          await readAll(http, client.followSession(sessionId, { maxRetryMs: 2 }), [sessionId])
          await running
        }),
      ),
      { numRuns: 40 },
    )
  }, 120_000)

  it('nor of many sessions on one stream', async () => {
    await fc.assert(
      fc.asyncProperty(plan, ({ steps, cuts }) =>
        attempt(cuts, async (http, baseUrl) => {
          for (const session of sessions) await http.takeOver(session)
          const client = createApiClient({ baseUrl, token: secretOf('read') })
          const running = run(http, steps)
          await readAll(http, client.followAll({ sessions, maxRetryMs: 2 }), sessions)
          await running
        }),
      ),
      { numRuns: 40 },
    )
  }, 120_000)

  it('goes on as well when the client itself starts anew with its cursor', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.array(fc.integer({ min: 1, max: 15 })), ({ steps, cuts }, breaks) =>
        attempt(cuts, async (http, baseUrl) => {
          for (const session of sessions) await http.takeOver(session)
          const client = createApiClient({ baseUrl, token: secretOf('read') })
          const running = run(http, steps)
          await readAll(http, restarting(client, [...breaks]), sessions)
          await running
        }),
      ),
      { numRuns: 25 },
    )
  }, 120_000)
})

describe('a bus that loses, doubles, delays and reorders', () => {
  const way = fc.record({
    faults: fc.array(fc.constantFrom(...faults), { minLength: 20, maxLength: 300 }),
    readyAfterTurns: fc.integer({ min: 0, max: 6 }),
  })

  it('makes no gap and no repetition at any client, of one session or of many, cut or not', async () => {
    await fc.assert(
      fc.asyncProperty(plan, way, ({ steps, cuts }, { faults, readyAfterTurns }) => {
        const bus = createFaultyBus(createMemoryEventBus(), readyAfterTurns)
        return attempt(
          cuts,
          async (http, baseUrl) => {
            for (const session of sessions) await http.takeOver(session)
            bus.plan = [...faults]
            const client = createApiClient({ baseUrl: http.url, token: secretOf('read') })
            const cutOff = createApiClient({ baseUrl, token: secretOf('read', 'chat') })
            const running = run(http, steps)
            await Promise.all([
              readAll(http, client.followSession(sessionId), [sessionId]),
              readAll(http, client.followAll({ sessions }), sessions),
              readAll(http, cutOff.followAll({ sessions, maxRetryMs: 2 }), sessions),
              running,
            ])
          },
          bus,
        )
      }),
      { numRuns: 40 },
    )
  }, 120_000)
})

/** A page that is closed and opened again, and kept what it has and its cursor. */
async function* restarting(
  client: ReturnType<typeof createApiClient>,
  breaks: number[],
): AsyncGenerator<StreamFrame> {
  const cursor = new StreamCursor()
  for (;;) {
    let left = breaks.shift() ?? Number.POSITIVE_INFINITY
    for await (const frame of client.followAll({ sessions, cursor, maxRetryMs: 2 })) {
      cursor.note(frame)
      yield frame
      if (--left <= 0) break
    }
  }
}
