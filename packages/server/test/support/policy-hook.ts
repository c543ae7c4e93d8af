import type { HookWithState } from '../../src/core/hooks/hook-states.ts'

/** A hook of the machine's policy that the owner has let answer calls. */
export function policyHook(event: string, matcher: string, more: Partial<HookWithState> = {}): HookWithState {
  const digest = `d-${matcher}`
  const at = '2026-01-01T00:00:00.000Z'
  return {
    hook: { event, kind: 'command', runs: 'x', source: 'policy', decides: true },
    matcher,
    config: { type: 'command', command: 'x' },
    ...{ digest, scripts: [], state: 'runs' },
    consent: { digest, grant: 'allow', label: '', principal: 'owner', at },
    ...more,
  }
}
