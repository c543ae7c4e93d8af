import type { Decider } from '@dorkos/shared'
import type { HookWithState } from './hook-states.ts'

/** A hook as the one that decided about a call. */
export function hookDecider({ hook, digest, consent }: HookWithState): Decider {
  return {
    kind: 'hook',
    hook_name: `${hook.event}: ${hook.runs ?? hook.kind}`.slice(0, 200),
    hook_digest: digest,
    ...(consent && { principal: consent.principal }),
  }
}
