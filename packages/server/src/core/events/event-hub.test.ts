import type { ServerEvent, StreamEvent } from '@dorkos/shared'
import { describe, expect, it, vi } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { createFaultyBus } from '../../../test/support/faulty-bus.ts'
import { createMemoryEventBus } from '../../adapters/memory/memory-event-bus.ts'
import type { EventBus } from '../ports/event-bus.ts'
import { createEventHub } from './event-hub.ts'

const snapshot = { approvals: [], sessions: [] }
const hubOn = (bus: EventBus) => createEventHub(bus, async () => snapshot)

function open() {
  const bus = createMemoryEventBus()
  return { bus, hub: hubOn(bus) }
}

function text(session: string, seq: number): StreamEvent {
  return {
    id: `1-${seq}`,
    session,
    time: '2026-01-01T00:00:00.000Z',
    type: 'text_delta',
    message_id: 'm',
    index: 0,
    text: `text ${seq}`,
  }
}

const into = (seen: StreamEvent[]) => ({
  events: (events: readonly StreamEvent[]) => void seen.push(...events),
  missed() {},
})
const saying = (seen: string[], name: string) => ({ events: () => void seen.push(name), missed() {} })
const types = (seen: string[]) => ({
  event: ({ type }: ServerEvent) => void seen.push(type),
  missed: () => void seen.push('missed'),
})

const changed: ServerEvent = { type: 'status_changed', time: '2026-01-01T00:00:00.000Z' }

describe('the event hub', () => {
  it('notifies each listener of its sessions alone, in order', () => {
    const { bus, hub } = open()
    const one: StreamEvent[] = []
    const both: StreamEvent[] = []
    hub.subscribe(['a'], into(one))
    hub.subscribe(['a', 'b'], into(both))
    bus.publish([text('a', 1), text('b', 2), text('c', 3), text('a', 4)])
    expect(one).toEqual([text('a', 1), text('a', 4)])
    expect(both).toEqual([text('a', 1), text('b', 2), text('a', 4)])
  })

  it('hands all listeners the same list, so that it is encoded once', () => {
    const { bus, hub } = open()
    const seen: (readonly StreamEvent[])[] = []
    for (let count = 0; count < 3; count++)
      hub.subscribe(['a'], { events: (events) => void seen.push(events), missed() {} })
    bus.publish([text('a', 1), text('a', 2)])
    expect(new Set(seen).size).toBe(1)
    expect(seen.map(({ length }) => length)).toEqual([2, 2, 2])
  })

  it('has one subscription of the bus for a session, however many follow it, and none when nobody does', () => {
    const bus = createMemoryEventBus()
    const [subscribed, closed] = [vi.fn(), vi.fn()]
    const hub = hubOn({
      ...bus,
      subscribe(sessionIds, listener) {
        subscribed([...sessionIds])
        const { ready, close } = bus.subscribe(sessionIds, listener)
        const end = () => {
          closed([...sessionIds])
          close()
        }
        return { ready, close: end }
      },
    })
    const seen: string[] = []
    const first = hub.subscribe(['a', 'b'], saying(seen, 'first'))
    const second = hub.subscribe(['a'], saying(seen, 'second'))
    expect(subscribed.mock.calls).toEqual([[['a']], [['b']]])
    first.close()
    expect(closed.mock.calls).toEqual([[['b']]])
    bus.publish([text('a', 1), text('b', 1)])
    expect(seen).toEqual(['second'])
    second.close()
    second.close()
    expect(closed.mock.calls).toEqual([[['b']], [['a']]])
    hub.subscribe(['a'], saying(seen, 'third'))
    bus.publish([text('a', 2)])
    expect(seen).toEqual(['second', 'third'])
  })

  it('forgets who unsubscribed, and nobody else', () => {
    const { bus, hub } = open()
    const seen: string[] = []
    const same = saying(seen, 'same')
    const first = hub.subscribe(['a'], same)
    hub.subscribe(['a'], same)
    hub.subscribe(['a'], saying(seen, 'other'))
    first.close()
    first.close()
    bus.publish([text('a', 1)])
    expect(seen).toEqual(['same', 'other'])
  })

  it('goes on when a listener unsubscribes while it is notified', () => {
    const { bus, hub } = open()
    const seen: string[] = []
    const once = hub.subscribe(['a'], {
      events() {
        seen.push('once')
        once.close()
      },
      missed() {},
    })
    hub.subscribe(['a'], saying(seen, 'always'))
    bus.publish([text('a', 1)])
    bus.publish([text('a', 2)])
    expect(seen).toEqual(['once', 'always', 'always'])
  })

  it('passes on what another process published', () => {
    const bus = createMemoryEventBus()
    const [here, there] = [hubOn(bus), hubOn(bus)]
    const seen: string[] = []
    for (const hub of [here, there]) {
      hub.subscribe(['a'], saying(seen, 'session'))
      hub.subscribeServer(owner(), types(seen))
    }
    bus.publish([text('a', 1)])
    bus.publishServer(changed, null)
    expect(seen).toEqual(['session', 'session', 'status_changed', 'status_changed'])
  })

  it('is ready when the bus is, and says to all listeners that some were missed', async () => {
    const bus = createFaultyBus(createMemoryEventBus(), 5)
    const hub = hubOn(bus)
    const seen: string[] = []
    const missed = () => void seen.push('missed')
    const subscriptions = [['a', 'b'], ['a']].map((ids) =>
      hub.subscribe(ids, { ...saying(seen, 'one'), missed }),
    )
    bus.publish([text('a', 1)])
    expect(seen).toEqual([])
    await Promise.all(subscriptions.map(({ ready }) => ready))
    bus.publish([text('b', 1)])
    expect(seen.splice(0)).toEqual(['one'])
    await hub.ready
    hub.subscribeServer(guest, types(seen))
    hub.onServer(types(seen))
    await bus.interrupt(() => bus.publish([text('a', 2)]))
    // Of two sessions, of one, of the topic, and of the server itself.
    expect(seen).toEqual(['missed', 'missed', 'missed', 'missed', 'missed'])
  })

  it('has a topic of its own for the server', async () => {
    const { bus, hub } = open()
    const seen: string[] = []
    bus.publishServer(changed, null)
    const { close } = hub.subscribeServer(owner(), types(seen))
    bus.publish([text('a', 1)])
    bus.publishServer(changed, null)
    close()
    bus.publishServer(changed, null)
    expect(seen).toEqual(['status_changed'])
    expect(await hub.serverSnapshot(owner())).toBe(snapshot)
  })

  it('publishes somebody’s things to them alone, of everybody’s to all, and the server of both', () => {
    const { bus, hub } = open()
    const [owners, guests, servers]: [string[], string[], string[]] = [[], [], []]
    hub.subscribeServer(owner(), types(owners))
    hub.subscribeServer(guest, types(guests))
    const stop = hub.onServer(types(servers))
    bus.publishServer({ ...changed, type: 'rules_changed' }, guest.principal)
    bus.publishServer(changed, null)
    stop()
    bus.publishServer({ ...changed, type: 'rules_changed' }, owner().principal)
    expect(owners).toEqual(['status_changed', 'rules_changed'])
    expect(guests).toEqual(['rules_changed', 'status_changed'])
    expect(servers).toEqual(['rules_changed', 'status_changed'])
    hub.close()
    bus.publishServer(changed, null)
    expect(owners).toHaveLength(2)
  })
})
