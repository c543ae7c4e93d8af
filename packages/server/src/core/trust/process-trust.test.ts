import { describe, expect, it } from 'vitest'
import { ProcessTrust, type TrustingRunner, transitionSince } from './process-trust.ts'
import type { CheckedWorkspace } from './workspace-trust.ts'

const trusted = (digest: string) =>
  ({ workspace: { trust: 'trusted', trusted: true }, covers: { digest } }) as CheckedWorkspace
const not = (trust: 'untrusted' | 'changed') =>
  ({ workspace: { trust, trusted: false }, covers: undefined }) as CheckedWorkspace

/** A session with a process, and what was done to it. */
function runnerWith(state: { live: boolean; busy: boolean }) {
  const done: string[] = []
  const runner = {
    ...state,
    starting: false,
    events: { emit: ({ code }: { code: string }) => done.push(code) },
    restartWhenIdle: () => done.push('restart'),
    stop: async () => done.push('stop'),
  } as unknown as TrustingRunner
  return { runner, done }
}

it('trust changed when something else counts than before', () => {
  expect(transitionSince('x', trusted('x'))).toBeUndefined()
  expect(transitionSince(undefined, not('untrusted'))).toBeUndefined()
  expect(transitionSince(undefined, not('changed'))).toBeUndefined()
  expect(transitionSince(undefined, undefined)).toBeUndefined()
  expect(transitionSince('x', not('untrusted'))).toBe('taken')
  expect(transitionSince('x', not('changed'))).toBe('lost')
  expect(transitionSince('x', undefined)).toBe('taken')
  expect(transitionSince(undefined, trusted('x'))).toBe('given')
  expect(transitionSince('x', trusted('y'))).toBe('given')
})

describe('a process that was started with what was trusted', () => {
  it('is ended when that was taken back, once, and a busy one when its turn is over', () => {
    for (const busy of [false, true]) {
      const processes = new ProcessTrust()
      const { runner, done } = runnerWith({ live: true, busy })
      processes.starts(runner, trusted('x'))
      processes.compare(runner, trusted('x'))
      expect(done).toEqual([])
      for (const _ of [1, 2]) processes.compare(runner, not('untrusted'))
      expect(done).toEqual(['workspace_untrusted', 'restart', ...(busy ? [] : ['stop'])])
    }
  })

  it('gets one notice of a change that its own server made', () => {
    const processes = new ProcessTrust()
    const { runner, done } = runnerWith({ live: true, busy: false })
    processes.starts(runner, not('untrusted'))
    processes.changed(runner, { how: 'given', digest: 'x' })
    processes.compare(runner, trusted('x'))
    expect(done).toEqual(['workspace_trusted', 'restart'])
  })
})

it('nothing is published where no process was started, or none runs any more', () => {
  const processes = new ProcessTrust()
  const started = runnerWith({ live: true, busy: false })
  processes.compare(started.runner, trusted('x'))
  const ended = runnerWith({ live: false, busy: false })
  processes.starts(ended.runner, trusted('x'))
  processes.compare(ended.runner, not('changed'))
  expect([started.done, ended.done]).toEqual([[], []])
})
