import type { ServerEvent, StreamEvent, StreamFrame } from '@dorkos/shared'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aSession } from '../../test/support/recorded-logs.ts'
import { createLiveStore, type LiveStore } from './live-store.ts'
import { allListKeys, createInvalidator, staleLists } from './query-invalidation.ts'
import { clockOffset } from './server-clock.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const time = '2026-01-01T00:00:00.000Z'

const delta = (session: string, seq: number, text: string): StreamFrame => ({
  frame: 'message',
  event: {
    id: `1-${seq}`,
    session,
    time,
    type: 'text_delta',
    message_id: 'm',
    index: 0,
    text,
  } as StreamEvent,
})
const approval = (n: number, state: 'pending' | 'denied' = 'pending') => ({
  id: `appr_0000000${n}`,
  kind: 'tool' as const,
  session_id: id(1),
  principal: 'owner',
  tool: 'Bash',
  input: {},
  input_hash: 'x',
  risk: 'execute' as const,
  state,
  created_at: `2026-01-01T00:00:0${9 - n}.000Z`,
  deadline: time,
})
const server = (event: ServerEvent): StreamFrame => ({ frame: 'server', event })

let store: LiveStore
let frames: (() => void)[]
beforeEach(() => {
  frames = []
  store = createLiveStore((run) => frames.push(run))
})
const nextFrame = () => {
  for (const run of frames.splice(0)) run()
}

describe('a session', () => {
  it('changes at once, and notifies its own listeners only, once per frame', () => {
    const [a, b] = [store.session(id(1)), store.session(id(2))]
    const listeners = { a: vi.fn(), b: vi.fn() }
    a.subscribe(listeners.a)
    const leave = b.subscribe(listeners.b)
    for (let n = 1; n <= 3; n++) store.apply(delta(id(1), n, 'x'))
    expect(a.now().items).toMatchObject([{ text: 'xxx' }])
    expect(a.get().items).toEqual([])
    expect(listeners.a).not.toHaveBeenCalled()
    nextFrame()
    expect(a.get()).toBe(a.now())
    expect(listeners.a).toHaveBeenCalledTimes(1)
    expect(listeners.b).not.toHaveBeenCalled()
    leave()
    store.apply(delta(id(2), 1, 'y'))
    nextFrame()
    expect(listeners.b).not.toHaveBeenCalled()
    expect(b.get().items).toMatchObject([{ text: 'y' }])
  })

  it('is forgotten when nobody follows it, and emptied when somebody looks', () => {
    const topic = store.session(id(1))
    store.apply(delta(id(1), 1, 'x'))
    const leave = topic.subscribe(() => {})
    store.forget(id(1))
    expect(store.session(id(1))).toBe(topic)
    expect(topic.now().items).toEqual([])
    leave()
    store.forget(id(1))
    expect(store.session(id(1))).not.toBe(topic)
  })

  it('is gone when it is deleted, or the stream says that it is not there', () => {
    for (const [n, frame] of [
      [1, server({ type: 'session_deleted', time, session_id: id(1) })],
      [2, { frame: 'resync', session: id(2), reason: 'not_found' }],
    ] as [number, StreamFrame][]) {
      const topic = store.session(id(n))
      store.apply(frame)
      expect(topic.now().phase).toBe('gone')
    }
  })
})

describe('the server’s topic', () => {
  it('keeps sessions and open approvals in order', () => {
    const later = { ...aSession(id(2)), updated_at: '2026-01-02T00:00:00.000Z' }
    store.apply({
      frame: 'server_snapshot',
      snapshot: { sessions: [aSession(id(1))], approvals: [approval(1)] },
    })
    store.apply(server({ type: 'session_changed', time, session: later }))
    store.apply(server({ type: 'approval_changed', time, approval: approval(2) }))
    expect(store.sessions.now().map((session) => session.id)).toEqual([id(2), id(1)])
    expect(store.approvals.now().map((one) => one.id)).toEqual([approval(2).id, approval(1).id])
    store.apply(server({ type: 'approval_changed', time, approval: approval(2, 'denied') }))
    expect(store.approvals.now()).toHaveLength(1)
    store.apply(server({ type: 'session_deleted', time, session_id: id(1) }))
    expect(store.sessions.now()).toHaveLength(1)
    expect(store.approvals.now()).toEqual([])
    store.apply({ frame: 'server_snapshot', snapshot: { sessions: [], approvals: [] } })
    expect(store.sessions.now()).toEqual([])
  })

  it('passes every event on, also of types that it does not know', () => {
    const seen: string[] = []
    const stop = store.onServerEvent(({ type }) => seen.push(type))
    store.apply(server({ type: 'rules_changed', time }))
    store.apply(server({ type: 'from_the_future', time } as unknown as ServerEvent))
    stop()
    store.apply(server({ type: 'mcp_changed', time }))
    expect(seen).toEqual(['rules_changed', 'from_the_future'])
  })
})

describe('lists', () => {
  it.each<[ServerEvent, string[][]]>([
    [{ type: 'session_changed', time, session: aSession(id(1)) }, [['sessions']]],
    [{ type: 'session_deleted', time, session_id: id(1) }, [['sessions'], ['approvals']]],
    [{ type: 'transcript_changed', time, session_id: id(1) }, [['sessions']]],
    [{ type: 'approval_changed', time, approval: approval(1) }, [['approvals']]],
    [{ type: 'workspace_changed', time, workspace_id: 'w' }, [['workspaces'], ['workspace-trust', 'w']]],
    [{ type: 'rules_changed', time }, [['rules']]],
    [{ type: 'mcp_changed', time }, [['mcp']]],
    [{ type: 'config_changed', time, keys: [] }, [['config'], ['status']]],
    [{ type: 'status_changed', time }, [['status']]],
    [{ type: 'from_the_future' } as unknown as ServerEvent, []],
  ])('$type', (event, keys) => {
    expect(staleLists(event)).toEqual(keys)
    for (const key of keys) expect(allListKeys.map(([name]) => name)).toContain(key[0])
  })

  it('are marked as old once for many events', () => {
    vi.useFakeTimers()
    const invalidateQueries = vi.fn()
    const invalidator = createInvalidator(() => ({ invalidateQueries }))
    for (let n = 0; n < 10; n++) invalidator.add([['sessions'], ['workspace-trust', 'w']])
    vi.runAllTimers()
    expect(invalidateQueries.mock.calls).toEqual([
      [{ queryKey: ['sessions'] }],
      [{ queryKey: ['workspace-trust', 'w'] }],
    ])
    vi.useRealTimers()
  })
})

it('the server’s clock is read in the middle of the round trip', () => {
  expect(clockOffset('2026-01-01T00:00:10.000Z', Date.parse(time), Date.parse(time) + 4000)).toBe(8000)
  expect(clockOffset('tomorrow', 0, 0)).toBeUndefined()
})
