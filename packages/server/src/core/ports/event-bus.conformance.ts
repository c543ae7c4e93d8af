/** What every event bus keeps to. */
import type { ServerEvent, StreamEvent } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BusSubscription, EventBus } from './event-bus.ts'
import { newSessionId, textEvent, time } from './fixtures.conformance.ts'

export interface EventBusSubject {
  /** As two processes have it. */
  here: EventBus
  there: EventBus
  /** Breaks the way of both for as long as the work takes; for a bus whose way can break. */
  interrupt?(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export function eventBusConformance(
  name: string,
  open: () => Promise<EventBusSubject>,
  canBreak = false,
): void {
  describe(`${name}: event bus`, () => {
    let subject: EventBusSubject
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(() => subject.close())
    const get = () => subject

    describe('sessions', () => sessionTests(get))
    describe('the server’s topic', () => topicTests(get))
    if (canBreak) describe('a way that breaks', () => breakTests(get))
  })
}

type Get = () => EventBusSubject

const eventOf = (session: string, seq: number, text = `${seq}`): StreamEvent => ({
  id: `1-${seq}`,
  session,
  time,
  ...textEvent(text),
})

/** What one listener received, as `<session> <id>`. */
async function listen(bus: EventBus, ...sessionIds: string[]) {
  const calls: StreamEvent[][] = []
  const missed = vi.fn()
  const subscription = bus.subscribe(sessionIds, { events: (events) => calls.push([...events]), missed })
  await subscription.ready
  const seen = () => calls.flat().map(({ session, id }) => `${session} ${id}`)
  return { calls, missed, seen, close: () => subscription.close() }
}

function sessionTests(get: Get): void {
  it('delivers to every process what any of them publishes, to itself too', async () => {
    const id = newSessionId()
    const listeners = [
      await listen(get().here, id),
      await listen(get().there, id),
      await listen(get().there, id),
    ]
    get().here.publish([eventOf(id, 1)])
    for (const { seen } of listeners) await vi.waitFor(() => expect(seen()).toEqual([`${id} 1-1`]), 20_000)
    get().there.publish([eventOf(id, 2)])
    for (const { seen } of listeners)
      await vi.waitFor(() => expect(seen()).toEqual([`${id} 1-1`, `${id} 1-2`]), 20_000)
    for (const { close, missed } of listeners) {
      expect(missed).not.toHaveBeenCalled()
      close()
    }
  })

  it('keeps the order of a session, whatever of others is published with it', async () => {
    const [one, other, unheard] = [newSessionId(), newSessionId(), newSessionId()]
    const both = await listen(get().there, one, other)
    const alone = await listen(get().there, one)
    for (let seq = 1; seq <= 200; seq += 2) {
      const pair = [eventOf(one, seq), eventOf(unheard, seq), eventOf(other, seq), eventOf(one, seq + 1)]
      get().here.publish([...pair, eventOf(other, seq + 1)])
    }
    const all = (id: string) => Array.from({ length: 200 }, (_, index) => `${id} 1-${index + 1}`)
    await vi.waitFor(() => expect(both.seen()).toHaveLength(400), 20_000)
    for (const id of [one, other]) expect(both.seen().filter((text) => text.startsWith(id))).toEqual(all(id))
    await vi.waitFor(() => expect(alone.seen()).toEqual(all(one)), 20_000)
    for (const events of both.calls) expect(new Set(events.map(({ session }) => session)).size).toBe(1)
    both.close()
    alone.close()
  })

  it('delivers nothing more to whoever closed, and goes on for the others', async () => {
    const id = newSessionId()
    const [gone, stays] = [await listen(get().there, id), await listen(get().there, id)]
    get().here.publish([eventOf(id, 1)])
    await vi.waitFor(() => expect([gone.seen(), stays.seen()].flat()).toHaveLength(2), 20_000)
    gone.close()
    gone.close()
    get().here.publish([eventOf(id, 2)])
    await vi.waitFor(() => expect(stays.seen()).toHaveLength(2), 20_000)
    expect(gone.seen()).toEqual([`${id} 1-1`])
    stays.close()
  })

  it('goes on when a listener closes while it is notified', async () => {
    const id = newSessionId()
    const seen: string[] = []
    const once: BusSubscription = get().there.subscribe([id], {
      events() {
        seen.push('once')
        once.close()
      },
      missed() {},
    })
    await once.ready
    const always = await listen(get().there, id)
    for (const seq of [1, 2]) get().here.publish([eventOf(id, seq)])
    await vi.waitFor(() => expect(always.seen()).toHaveLength(2), 20_000)
    expect(seen).toEqual(['once'])
    always.close()
  })

  it('brings any text as it is', async () => {
    const id = newSessionId()
    const listener = await listen(get().there, id)
    const texts = ['', '\u0000 nul', '\ud800 lone', '🦊', 'x'.repeat(1_000_000)]
    const events = texts.map((text, index) => eventOf(id, index + 1, text))
    get().here.publish(events)
    await vi.waitFor(() => expect(listener.calls.flat()).toEqual(events), 20_000)
    listener.close()
  })
}

const changed: ServerEvent = { type: 'status_changed', time }

function topicTests(get: Get): void {
  it('delivers to every process, with whose it is', async () => {
    const seen: [ServerEvent['type'], string | null][][] = [[], []]
    const subscriptions = [get().here, get().there].map((bus, index) =>
      bus.subscribeServer({
        event: (event, principal) => void seen[index]?.push([event.type, principal]),
        missed() {},
      }),
    )
    await Promise.all(subscriptions.map(({ ready }) => ready))
    get().here.publishServer({ ...changed, type: 'rules_changed' }, 'owner')
    get().here.publishServer(changed, null)
    for (const each of seen)
      await vi.waitFor(
        () =>
          expect(each).toEqual([
            ['rules_changed', 'owner'],
            ['status_changed', null],
          ]),
        20_000,
      )
    subscriptions[0]?.close()
    get().there.publishServer(changed, 'guest')
    await vi.waitFor(() => expect(seen[1]).toHaveLength(3), 20_000)
    expect(seen[0]).toHaveLength(2)
    subscriptions[1]?.close()
  })
}

function breakTests(get: Get): void {
  it('says so to everybody who may have missed something, and brings what comes after', async () => {
    const id = newSessionId()
    const listener = await listen(get().there, id)
    const topic = { event: vi.fn(), missed: vi.fn() }
    const subscription = get().there.subscribeServer(topic)
    await subscription.ready
    await get().interrupt?.(async () => {
      get().here.publish([eventOf(id, 1)])
      get().here.publishServer(changed, null)
    })
    await vi.waitFor(() => expect(listener.missed).toHaveBeenCalled(), 20_000)
    await vi.waitFor(() => expect(topic.missed).toHaveBeenCalled(), 20_000)
    get().here.publish([eventOf(id, 2)])
    get().here.publishServer(changed, 'owner')
    await vi.waitFor(() => expect(listener.seen()).toContain(`${id} 1-2`), 20_000)
    await vi.waitFor(() => expect(topic.event).toHaveBeenCalledWith(changed, 'owner'), 20_000)
    listener.close()
    subscription.close()
  })
}
