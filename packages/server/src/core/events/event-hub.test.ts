import type { ServerEvent, StreamEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import type { PublishedEvent } from '../services.ts'
import { createEventHub } from './event-hub.ts'

const snapshot = { approvals: [], sessions: [] }
const hubOf = () => createEventHub(async () => snapshot)

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

const changed: ServerEvent = { type: 'status_changed', time: '2026-01-01T00:00:00.000Z' }

describe('the event hub', () => {
  it('tells each listener of its sessions alone, in order, with the JSON ready', () => {
    const hub = hubOf()
    const one: PublishedEvent[] = []
    const both: PublishedEvent[] = []
    hub.subscribe(['a'], (events) => one.push(...events))
    hub.subscribe(['a', 'b'], (events) => both.push(...events))
    hub.publish([text('a', 1), text('b', 2), text('c', 3), text('a', 4)])
    expect(one.map(({ at }) => at.seq)).toEqual([1, 4])
    expect(both.map(({ at }) => at.seq)).toEqual([1, 2, 4])
    for (const { json, event } of both) expect(JSON.parse(json)).toEqual(event)
  })

  it('hands all listeners the same list, so that it is encoded once', () => {
    const hub = hubOf()
    const seen: (readonly PublishedEvent[])[] = []
    for (let count = 0; count < 3; count++) hub.subscribe(['a'], (events) => seen.push(events))
    hub.publish([text('a', 1), text('a', 2)])
    expect(new Set(seen).size).toBe(1)
    expect(seen.map(({ length }) => length)).toEqual([2, 2, 2])
  })

  it('forgets who unsubscribed, and nobody else', () => {
    const hub = hubOf()
    const seen: string[] = []
    const same = () => seen.push('same')
    const first = hub.subscribe(['a'], same)
    hub.subscribe(['a'], same)
    hub.subscribe(['a'], () => seen.push('other'))
    first()
    first()
    hub.publish([text('a', 1)])
    expect(seen).toEqual(['same', 'other'])
  })

  it('goes on when a listener unsubscribes while it is told', () => {
    const hub = hubOf()
    const seen: string[] = []
    const stop = hub.subscribe(['a'], () => {
      seen.push('once')
      stop()
    })
    hub.subscribe(['a'], () => seen.push('always'))
    hub.publish([text('a', 1)])
    hub.publish([text('a', 2)])
    expect(seen).toEqual(['once', 'always', 'always'])
  })

  it('has a topic of its own for the server', async () => {
    const hub = hubOf()
    const seen: string[] = []
    hub.publishServer(changed, null)
    const stop = hub.subscribeServer(owner(), ({ event, json }) => {
      expect(JSON.parse(json)).toEqual(event)
      seen.push(event.type)
    })
    hub.publish([text('a', 1)])
    hub.publishServer(changed, null)
    stop()
    hub.publishServer(changed, null)
    expect(seen).toEqual(['status_changed'])
    expect(await hub.serverSnapshot(owner())).toBe(snapshot)
  })

  it('tells of somebody’s things to them alone, of everybody’s to all, and the server of both', () => {
    const hub = hubOf()
    const [owners, guests, servers]: [string[], string[], string[]] = [[], [], []]
    hub.subscribeServer(owner(), ({ event }) => owners.push(event.type))
    hub.subscribeServer(guest, ({ event }) => guests.push(event.type))
    const stop = hub.onServer((event) => servers.push(event.type))
    hub.publishServer({ ...changed, type: 'rules_changed' }, guest.principal)
    hub.publishServer(changed, null)
    stop()
    hub.publishServer({ ...changed, type: 'rules_changed' }, owner().principal)
    expect(owners).toEqual(['status_changed', 'rules_changed'])
    expect(guests).toEqual(['rules_changed', 'status_changed'])
    expect(servers).toEqual(['rules_changed', 'status_changed'])
  })
})
