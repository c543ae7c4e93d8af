import { expect, it } from 'vitest'
import type { HookStates, HookWithState } from './hook-states.ts'
import { SessionHooks } from './session-hooks.ts'

const hook = (event: string, more: Partial<HookWithState> = {}): HookWithState => ({
  hook: { event, kind: 'command', runs: 'x', source: 'user' },
  ...{ matcher: '', config: {}, digest: event, scripts: [], state: 'runs' },
  ...more,
})

function hooksOf(...hooks: HookWithState[]): SessionHooks {
  const states: HookStates = { hooks, plugins: [], unloaded: [], loosening: [] }
  const runner = { matches: () => false, run: () => Promise.reject(new Error('nothing runs here')) }
  return new SessionHooks({ states, runner, cwd: '/', env: {}, current: async () => undefined })
}

it.each([
  'SessionStart',
  'SessionEnd',
  'Setup',
  'ConfigChange',
  'InstructionsLoaded',
  'FileChanged',
  'NotYetKnown',
])('a hook of %s runs before anybody has said something', (event) => {
  expect(hooksOf(hook('Stop'), hook(event)).runsUnprompted).toBe(true)
  expect(hooksOf(hook(event, { state: 'waits' })).runsUnprompted).toBe(false)
  const policy = { ...hook(event).hook, source: 'policy' as const }
  expect(hooksOf(hook(event, { hook: policy })).runsUnprompted).toBe(true)
})

it('hooks of turns do not', () => {
  const events = [
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'Stop',
    'SubagentStop',
  ]
  expect(hooksOf(...events.map((event) => hook(event))).runsUnprompted).toBe(false)
})
