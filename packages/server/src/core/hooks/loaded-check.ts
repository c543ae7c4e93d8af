/**
 * The second net: what the CLI says that it loaded and goes by, against what was allowed and what we gave it. The first net is that nothing
 * else is on its command line or in a source that it reads. Pure; the CLI's answers may hold anything.
 */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type Saying, say } from '@dorkos/shared'
import { type Fields, list, record, text } from '../event-map/untrusted.ts'
import type { LoadedByCli } from '../ports/agent.ts'
import type { HookStates, HookWithState } from './hook-states.ts'

export interface Expected {
  states: HookStates
  /** That the process was started with. */
  settings: Fields
  /** Settings files have changed: what their plugins are now, is not taken over, unless a policy says it. */
  isChanged: boolean
}

/** Why the process must not go on; undefined when all is well. */
export function whyUnseen({ hooks, settings }: LoadedByCli, expected: Expected): Saying | undefined {
  const policy = sourceOf(settings, 'policySettings')
  const plugins = expected.isChanged ? policy.enabledPlugins : record(settings.effective).enabledPlugins
  return (
    hooksLeftOn(hooks) ??
    unseenHooks(hooks, policy, expected.states) ??
    overruled(record(settings.effective), expected.settings) ??
    unseenTurnedOn(record(plugins), expected.states)
  )
}

/** Code modules are in no list: only the switch says that they are off. */
function hooksLeftOn(listing: Fields): Saying | undefined {
  const { allDisabled, policyUnreadable } = record(listing.policy)
  if (policyUnreadable !== undefined) return say('policy_unreadable')
  if (allDisabled === true) return undefined
  return say('hooks_left_on')
}

/** All that is listed must be off, but for hooks of the policy that were allowed. Where it lists none of these, it counts them. */
function unseenHooks(listing: Fields, policy: Fields, { hooks }: HookStates): Saying | undefined {
  if (!Array.isArray(listing.hooks)) return say('hooks_unlisted')
  const unseen: unknown[] = listing.hooks.filter(
    (row) => !isRecord(row) || (row.disabled !== true && row.source !== 'policySettings'),
  )
  const known = hooks.filter(
    ({ hook, state }) => hook.source === 'policy' && (state === 'runs' || state === 'off'),
  )
  const brought = entriesOf(policy.hooks).filter((entry) => !known.some(isSame(entry)))
  if (unseen.length + brought.length > 0)
    return say('hooks_unallowed', { hooks: shown([...unseen, ...brought]) })
  const { policyHookCount } = record(listing.policy)
  if (policyHookCount === known.length) return undefined
  return say('policy_hooks_uncounted', { loaded: String(policyHookCount), seen: known.length })
}

interface Entry {
  event: string
  sourceLabel: string
  matcher: unknown
  config: unknown
}

/** Of `hooks` in settings. What is none is left out by the CLI, too. */
function entriesOf(hooks: unknown): Entry[] {
  return Object.entries(record(hooks)).flatMap(([event, matchers]) =>
    list(matchers).flatMap((one) => {
      const { matcher = '', hooks: configs } = record(one)
      return list(configs).map((config) => ({ event, matcher, config, sourceLabel: 'a policy' }))
    }),
  )
}

const isSame =
  ({ event, matcher, config }: Entry) =>
  (one: HookWithState) =>
    one.hook.event === event &&
    one.matcher === matcher &&
    isRecord(config) &&
    Object.entries(config).every(([key, value]) => isDeepStrictEqual(one.config[key], value))

/** Only a policy is above what we give. It can also take all our rules away at once. */
function overruled(effective: Fields, own: Fields): Saying | undefined {
  const path =
    effective.allowManagedPermissionRulesOnly === true
      ? 'permissions.deny, because of allowManagedPermissionRulesOnly'
      : notInForce(own, effective, [])
  return path === undefined ? undefined : say('settings_overruled', { path })
}

/** Where what is in force is less than this. Lists may hold more. */
function notInForce(own: unknown, effective: unknown, path: string[]): string | undefined {
  if (isRecord(own)) {
    for (const [key, value] of Object.entries(own)) {
      const found = notInForce(value, record(effective)[key], [...path, key])
      if (found !== undefined) return found
    }
    return undefined
  }
  const isHeld = Array.isArray(own)
    ? own.every((one) => list(effective).some((other) => isDeepStrictEqual(one, other)))
    : own === effective
  return isHeld ? undefined : path.join('.').slice(0, 200)
}

/** By what settings turn on, before anything is said of what was loaded. */
function unseenTurnedOn(enabled: Fields, states: HookStates): Saying | undefined {
  const allowed = loadedPlugins(states).map(({ id }) => id)
  const on = Object.keys(enabled).filter((id) => enabled[id] !== false && !id.endsWith('@builtin'))
  return unseenPluginNames(on.filter((id) => !allowed.includes(id)))
}

/** Plugins by the message with which each turn begins: which, and from where. */
export function unseenPlugins(init: Fields, states: HookStates): Saying | undefined {
  const allowed = loadedPlugins(states)
  const isAllowed = ({ source, path }: Fields) =>
    allowed.some(({ id, root }) => id === source && resolve(root) === resolve(text(path) ?? ''))
  const unseen = list(init.plugins).filter(
    (row) => !isRecord(row) || (row.path !== 'builtin' && !isAllowed(row)),
  )
  const names = unseen.map(record).map(({ source, path }) => `${text(source) ?? '?'} (${text(path) ?? '?'})`)
  return unseenPluginNames(names)
}

function loadedPlugins({ plugins, unloaded }: HookStates): HookStates['plugins'] {
  return plugins.filter(({ id, state }) => state === 'runs' && !unloaded.includes(id))
}

function unseenPluginNames(names: readonly string[]): Saying | undefined {
  if (names.length === 0) return undefined
  return say('plugins_unallowed', { plugins: names.join(', ').slice(0, 300) })
}

function sourceOf(settings: Fields, name: string): Fields {
  const found = list(settings.sources).find((one) => record(one).source === name)
  return record(record(found).settings)
}

function shown(rows: readonly unknown[]): string {
  const names = rows.map((row) =>
    isRecord(row) ? `${text(row.event) ?? '?'} (${text(row.sourceLabel) ?? text(row.source) ?? '?'})` : '?',
  )
  return [...new Set(names)].join(', ').slice(0, 300)
}
