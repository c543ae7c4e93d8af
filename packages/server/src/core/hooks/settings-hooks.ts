/** The hooks in a settings file, as the CLI takes them (seen with 2.1.325): what has another form is left out, one by one. Pure. */
import { isRecord } from '@dorkos/shared'
import type { FoundHook } from '../ports/hook-files.ts'
import { type HookOrigin, toHook } from './hook-entry.ts'

/** A hook before its digest is known. */
export type ReadHook = Pick<FoundHook, 'hook' | 'matcher' | 'config'>

/** Where one of these is no list, the CLI skips the whole file: it could have been meant to forbid something. */
const strictEvents = ['PreToolUse', 'PermissionRequest']

/** Undefined where the CLI skips the whole file. `hooks`: the value of the member of this name. */
export function settingsHooks(
  hooks: unknown,
  origin: HookOrigin,
  events: ReadonlySet<string>,
): ReadHook[] | undefined {
  if (hooks === undefined) return []
  if (!isRecord(hooks)) return undefined
  if (strictEvents.some((event) => hooks[event] !== undefined && !Array.isArray(hooks[event])))
    return undefined
  return Object.entries(hooks).flatMap(([event, matchers]) =>
    events.has(event) && Array.isArray(matchers)
      ? matchers.flatMap((matcher) => hooksOfMatcher(event, matcher, origin))
      : [],
  )
}

function hooksOfMatcher(event: string, entry: unknown, origin: HookOrigin): ReadHook[] {
  if (!isRecord(entry) || !Array.isArray(entry.hooks)) return []
  const { matcher = '' } = entry
  if (typeof matcher !== 'string') return []
  return entry.hooks.filter(isRecord).flatMap((config) => {
    const hook = toHook(config, { event, matcher, ...origin })
    return hook ? [{ hook, matcher, config }] : []
  })
}
