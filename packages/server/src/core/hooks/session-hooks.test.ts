import { expect, it } from 'vitest'
import type { HookRunner } from '../ports/hook-runner.ts'
import type { HookStates, HookWithState } from './hook-states.ts'
import { SessionHooks } from './session-hooks.ts'

const hook = (event: string, more: Partial<HookWithState> = {}): HookWithState => ({
  hook: { event, kind: 'command', runs: 'x', source: 'user' },
  ...{ matcher: '', config: {}, digest: event, scripts: [], state: 'runs' },
  ...more,
})

const nothingRuns: HookRunner = {
  matches: () => false,
  run: () => Promise.reject(new Error('nothing runs here')),
}

function hooksOf(hooks: readonly HookWithState[], runner = nothingRuns): SessionHooks {
  const states: HookStates = { hooks: [...hooks], plugins: [], unloaded: [], loosening: [] }
  const current = async (digest: string) => hooks.find((one) => one.digest === digest)
  return new SessionHooks({ states, runner, cwd: '/', env: {}, current })
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
  expect(hooksOf([hook('Stop'), hook(event)]).runsUnprompted).toBe(true)
  expect(hooksOf([hook(event, { state: 'waits' })]).runsUnprompted).toBe(false)
  const policy = { ...hook(event).hook, source: 'policy' as const }
  expect(hooksOf([hook(event, { hook: policy })]).runsUnprompted).toBe(true)
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
  expect(hooksOf(events.map((event) => hook(event))).runsUnprompted).toBe(false)
})

it.each([
  ['run', true, 'nothing'],
  ['allow', true, 'allow'],
  ['allow', false, 'nothing'],
] as const)(
  'a hook that says yes, with the grant %s, and that can allow (%s): %s',
  async (grant, canAllow, says) => {
    const allows = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
    const stdout = JSON.stringify(allows)
    const runner: HookRunner = {
      matches: () => true,
      run: async () => ({ outcome: 'ended', exitCode: 0, stdout, stderr: '' }),
    }
    const { hook: plain } = hook('PreToolUse')
    const found = hook('PreToolUse', {
      hook: { ...plain, decides: true, can_allow: canAllow },
      consent: { digest: 'PreToolUse', grant, label: '', principal: 'owner', at: '' },
    })
    const { signal } = new AbortController()
    const opinions = await hooksOf([found], runner).about('PreToolUse', { tool_name: 'Bash' }, signal)
    expect(opinions).toMatchObject([{ says }])
  },
)
