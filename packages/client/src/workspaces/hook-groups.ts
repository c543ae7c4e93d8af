/** Hooks by event, in the order in which they came. Pure. */
import type { Hook } from '@dorkos/shared'

export function groupHooks(hooks: readonly Hook[]): { event: string; hooks: Hook[] }[] {
  const groups = new Map<string, Hook[]>()
  for (const hook of hooks) groups.set(hook.event, [...(groups.get(hook.event) ?? []), hook])
  return [...groups].map(([event, list]) => ({ event, hooks: list }))
}
