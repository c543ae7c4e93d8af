import type { Approval, Session } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { sampleSession } from '../../sessions/sample-session.ts'
import { sampleApproval } from '../test-support/sample-approval.ts'
import { parseSettings } from './alert-settings.ts'
import { type AlertInput, type AlertState, defaultSettings, initialAlerts, nextAlerts } from './alerts.ts'
import { badgedTitle } from './tab-badge.ts'
import { createTabSight, shownAt } from './tab-sight.ts'

const id = '11111111-1111-4111-8111-111111111111'
const session = (change: Partial<Session> = {}) =>
  sampleSession({ id, title: 'Mend the server', live: true, ...change })
const nobody = { sessions: new Set<string>(), inbox: false }
const inSight = { sessions: new Set([id]), inbox: false }
const input = (change: Partial<AlertInput> = {}): AlertInput => ({
  ready: true,
  approvals: [],
  expired: [],
  sessions: [],
  sight: nobody,
  settings: defaultSettings,
  ...change,
})
const approval = (change: Partial<Approval> = {}) =>
  sampleApproval({ id: 'appr_1', session_id: id, ...change })

/** Runs the inputs one after the other, and gives the effects of the last. */
function last(...inputs: Partial<AlertInput>[]) {
  let state: AlertState = initialAlerts
  let effects: ReturnType<typeof nextAlerts>['effects'] = []
  for (const one of inputs) ({ state, effects } = nextAlerts(state, input(one)))
  return { state, effects }
}

const working = { sessions: [session({ state: 'working' })] }

describe('alerts', () => {
  it('announce an approval that comes, and take it back when it is decided', () => {
    const asked = last(working, { ...working, approvals: [approval()] })
    expect(asked.effects).toEqual([
      {
        type: 'notify',
        tag: 'approval:appr_1',
        title: 'Mend the server needs you',
        body: 'Bash: ls -la',
        path: `/sessions/${id}`,
      },
    ])
    expect(asked.state.waiting.size).toBe(1)
    expect(
      last(working, { ...working, approvals: [approval()] }, { ...working, approvals: [approval()] }).effects,
    ).toEqual([])
    const done = last(working, { ...working, approvals: [approval()] }, working)
    expect(done.effects).toEqual([{ type: 'close', tag: 'approval:appr_1' }])
    expect(done.state.waiting.size).toBe(0)
  })

  it('announce that nobody answered in time', () => {
    const late = [approval({ state: 'expired' })]
    const before = { ...working, approvals: [approval()] }
    expect(last(working, before, { ...working, expired: late }).effects).toMatchObject([
      { type: 'close', tag: 'approval:appr_1' },
      { type: 'notify', tag: 'expired:appr_1', title: 'Mend the server: no one answered in time' },
    ])
    expect(last(working, { ...working, expired: late, sight: inSight }).effects).toEqual([])
  })

  it('are silent about what waited before the page was there', () => {
    expect(
      last({ ready: false }, { ready: false, approvals: [approval()] }, { approvals: [approval()] }).effects,
    ).toEqual([])
    const state = last({ approvals: [approval()] })
    expect(state.effects).toEqual([])
    expect(state.state.waiting.size).toBe(1)
  })

  it('are silent about what is looked at', () => {
    expect(last(working, { ...working, approvals: [approval()], sight: inSight }).effects).toEqual([])
    expect(
      last(working, { ...working, approvals: [approval()], sight: { ...nobody, inbox: true } }).effects,
    ).toEqual([])
    expect(last(working, { sessions: [session()], sight: inSight }).effects).toEqual([])
  })

  it('announce an end, by how it ended', () => {
    const end = (state: Session['state']) => last(working, { sessions: [session({ state })] }).effects
    expect(end('idle')).toMatchObject([{ tag: `session:${id}`, title: 'Mend the server is done' }])
    expect(end('failed')).toMatchObject([{ title: 'Mend the server failed' }])
    expect(end('interrupted')).toMatchObject([{ title: 'Mend the server was interrupted' }])
    expect(end('paused')).toEqual([])
    expect(end('waiting')).toEqual([])
    // A session that was idle before did nothing.
    expect(last({ sessions: [session()] }, { sessions: [session()] }).effects).toEqual([])
    expect(last({}, { sessions: [session()] }).effects).toEqual([])
  })

  it('wait for the end of the queue', () => {
    const between = { sessions: [session({ queued_messages: 1 })] }
    expect(last(working, between).effects).toEqual([])
    expect(last(working, between, { sessions: [session()] }).effects).toHaveLength(1)
  })

  it('count what ended until it is looked at or goes on', () => {
    const ended = last(working, { sessions: [session()] })
    expect([...ended.state.finished]).toEqual([id])
    const seen = nextAlerts(ended.state, input({ sessions: [session()], sight: inSight }))
    expect(seen.state.finished.size).toBe(0)
    expect(seen.effects).toEqual([{ type: 'close', tag: `session:${id}` }])
    expect(nextAlerts(ended.state, input(working)).state.finished.size).toBe(0)
    expect(nextAlerts(ended.state, input({})).state.finished.size).toBe(0)
  })

  it('follow the settings', () => {
    const asked = (settings: Partial<typeof defaultSettings>) =>
      last(working, { ...working, approvals: [approval()], settings: { ...defaultSettings, ...settings } })
        .effects
    expect(asked({ notify: false })).toEqual([])
    expect(asked({ notify: false, sound: true })).toEqual([{ type: 'sound' }])
    expect(asked({ sound: true }).map(({ type }) => type)).toEqual(['notify', 'sound'])
    const ended = last(working, { sessions: [session()], settings: { ...defaultSettings, finished: false } })
    expect(ended.effects).toEqual([])
    expect(parseSettings('{"sound":true,"notify":"x"}')).toEqual({
      notify: true,
      finished: true,
      sound: true,
    })
    for (const odd of [undefined, '{', '[]', '3']) expect(parseSettings(odd)).toEqual(defaultSettings)
  })

  it('show hostile names harmlessly', () => {
    const [effect] = last(working, {
      sessions: [session({ state: 'working', title: 'x'.repeat(500) })],
      approvals: [approval({ input: { command: `echo \u202e${'y'.repeat(500)}` } })],
    }).effects
    if (effect?.type !== 'notify') return expect.fail('no notification')
    expect(effect.title.length).toBeLessThan(100)
    expect(effect.body.length).toBeLessThanOrEqual(160)
    expect(effect.body).toContain('[U+202E]')
  })
})

describe('the tabs of a browser', () => {
  /** Two ends of one channel. */
  function pair() {
    const ends: { onmessage: ((event: MessageEvent) => void) | null }[] = []
    return () => {
      const end = {
        onmessage: null as ((event: MessageEvent) => void) | null,
        postMessage(data: unknown) {
          for (const other of ends) if (other !== end) other.onmessage?.({ data } as MessageEvent)
        },
        close: () => ends.splice(ends.indexOf(end), 1),
      }
      ends.push(end)
      return end
    }
  }

  it('know what the others show', () => {
    const channel = pair()
    let changes = 0
    const quiet = { onChange: () => undefined, onCounts: () => undefined }
    const first = createTabSight({ ...quiet, channel: channel(), tab: 'a' })
    first.show({ session: id, inbox: false })
    const counts: unknown[] = []
    const second = createTabSight({
      channel: channel(),
      tab: 'b',
      onChange: () => changes++,
      onCounts: (reported) => counts.push(reported),
    })
    expect([...second.sight().sessions]).toEqual([id])
    expect(changes).toBe(1)
    first.show(undefined)
    expect(second.sight()).toEqual({ sessions: new Set(), inbox: false })
    second.show({ session: undefined, inbox: true })
    expect(first.sight().inbox).toBe(true)
    second.stop()
    expect(first.sight().inbox).toBe(false)
    first.sendCounts({ waiting: 1, finished: 0 })
    expect(counts).toEqual([])
  })

  it('show what is at their address, while they are seen', () => {
    expect(shownAt(`/sessions/${id}`, true)).toEqual({ session: id, inbox: false })
    expect(shownAt('/inbox', true)).toEqual({ session: undefined, inbox: true })
    expect(shownAt('/inbox', false)).toBeUndefined()
  })

  it('have the count in their title', () => {
    expect(badgedTitle('DorkOS', { waiting: 2, finished: 1 })).toBe('(2) DorkOS')
    expect(badgedTitle('(2) DorkOS', { waiting: 3, finished: 0 })).toBe('(3) DorkOS')
    expect(badgedTitle('(3) DorkOS', { waiting: 0, finished: 4 })).toBe('DorkOS')
  })
})
