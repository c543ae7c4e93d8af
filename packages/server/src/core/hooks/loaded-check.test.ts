import { expect, it } from 'vitest'
import type { HookWithState, PluginWithState } from './hook-states.ts'
import { unseenHooks, unseenPlugins } from './loaded-check.ts'

const none = { hooks: [], plugins: [], unloaded: [], loosening: [] }
const row = (more: object) => ({ event: 'Stop', source: 'userSettings', commandText: 'x', ...more })

it('all that the CLI lists must be off', () => {
  expect(unseenHooks({ hooks: [] }, none)).toBeUndefined()
  expect(unseenHooks({ hooks: [row({ disabled: true })] }, none)).toBeUndefined()
  expect(unseenHooks({ hooks: [row({})] }, none)).toContain('Stop')
  expect(unseenHooks({ hooks: [row({ disabled: 'true' })] }, none)).toBeDefined()
})

it('what it does not say, or says in another form, is no answer', () => {
  for (const listing of [{}, { hooks: 'none' }, { hooks: [null] }, { hooks: [7] }])
    expect(unseenHooks(listing, none)).toBeDefined()
})

it('of a policy’s, which nothing turns off, those are well that were allowed', () => {
  const hook = { event: 'Stop', kind: 'command', source: 'policy' } as const
  const allowed = {
    hook,
    matcher: '',
    config: { command: 'x' },
    digest: 'd',
    scripts: [],
    state: 'runs',
  } as const
  const states = { ...none, hooks: [allowed as unknown as HookWithState] }
  expect(unseenHooks({ hooks: [row({ source: 'policySettings' })] }, states)).toBeUndefined()
  expect(unseenHooks({ hooks: [row({ source: 'policySettings', commandText: 'y' })] }, states)).toBeDefined()
  expect(
    unseenHooks({ hooks: [row({ source: 'policySettings', event: 'PreToolUse' })] }, states),
  ).toBeDefined()
  expect(unseenHooks({ hooks: [row({})] }, states)).toBeDefined()
})

it('plugins are those that were allowed, and the CLI’s own', () => {
  const allowed = { id: 'p@m', state: 'runs' } as unknown as PluginWithState
  const waits = { id: 'q@m', state: 'waits' } as unknown as PluginWithState
  const states = { ...none, plugins: [allowed, waits] }
  const loaded = (...plugins: unknown[]) => unseenPlugins({ plugins }, states)
  expect(loaded({ path: 'builtin', source: 'x@builtin' }, { path: '/p', source: 'p@m' })).toBeUndefined()
  expect(loaded({ path: '/q', source: 'q@m' })).toContain('q@m')
  expect(loaded({ path: '/r' })).toBeDefined()
  expect(loaded('p@m')).toBeDefined()
})
