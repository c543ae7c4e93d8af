/** The hooks in a settings file, as the CLI takes them (seen with 2.1.325): what has another form is left out, one by one. Pure. */
import type { Hook } from '@dorkos/shared'
import { isRecord, list } from '../event-map/untrusted.ts'
import { type HookOrigin, toHook } from './hook-entry.ts'

export interface FoundHooks {
  hooks: Hook[]
  /** Entries that the CLI leaves out. */
  leftOut: number
}

/** Where one of these is no list, the CLI skips the whole file: it could have been meant to forbid something. */
const strictEvents = ['PreToolUse', 'PermissionRequest']

/** Undefined where the CLI skips the whole file. `hooks`: the value of the member of this name. */
export function settingsHooks(
  hooks: unknown,
  origin: HookOrigin,
  events: ReadonlySet<string>,
): FoundHooks | undefined {
  if (hooks === undefined) return { hooks: [], leftOut: 0 }
  if (!isRecord(hooks)) return undefined
  if (strictEvents.some((event) => hooks[event] !== undefined && !Array.isArray(hooks[event])))
    return undefined
  const found: FoundHooks = { hooks: [], leftOut: 0 }
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!events.has(event) || !Array.isArray(matchers)) found.leftOut++
    else for (const matcher of matchers) addMatcher(found, event, matcher, origin)
  }
  return found
}

function addMatcher(found: FoundHooks, event: string, entry: unknown, origin: HookOrigin): void {
  const matcher = isRecord(entry) ? (entry.matcher ?? '') : undefined
  if (!isRecord(entry) || entry.matcher === null || typeof matcher !== 'string') found.leftOut++
  else if (!Array.isArray(entry.hooks)) found.leftOut++
  else
    for (const one of list(entry.hooks)) {
      const hook = isRecord(one) ? toHook(one, { event, matcher, ...origin }) : undefined
      if (hook) found.hooks.push(hook)
      else found.leftOut++
    }
}
