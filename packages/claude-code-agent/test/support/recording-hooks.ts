import type { HookCallback, HookConfigurations, HookEvent } from '../../src/index.ts'

/** Hooks that note the names of their events and have no opinion. */
export function recordingHooks(events: readonly HookEvent[], into: string[]): HookConfigurations {
  const note: HookCallback = (input) => {
    into.push(input.synthetic ? `${input.hook_event_name} (synthetic)` : input.hook_event_name)
    return {}
  }
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [note] }]]))
}
