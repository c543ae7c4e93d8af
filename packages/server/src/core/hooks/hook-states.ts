/** Whether a hook runs and a plugin loads: the one place where that is decided. Pure. */
import { type HookState, type Saying, say } from '@dorkos/shared'
import type { HookConsentStore, StoredHookConsent } from '../ports/hook-consents.ts'
import type { FoundHook, FoundPlugin, HookReading } from '../ports/hook-files.ts'

export interface Verdict {
  state: HookState
  why?: Saying
  consent?: StoredHookConsent
}

export type HookWithState = FoundHook & Verdict
export type PluginWithState = FoundPlugin & Verdict

/** Which consents there are, by digest. */
export type Consents = ReadonlyMap<string, StoredHookConsent>

export function byDigest(consents: Awaited<ReturnType<HookConsentStore['list']>>): Consents {
  return new Map(consents.map((consent) => [consent.digest, consent]))
}

export interface HookStates {
  hooks: HookWithState[]
  plugins: PluginWithState[]
  /** Plugins that settings turn on and that must not be loaded. */
  unloaded: string[]
  /** Files that loosen the sandbox. */
  loosening: readonly string[]
  /** Why no process may start: a policy has Claude Code run what nobody allowed, and nothing of ours stops it. */
  refused?: Saying
}

/** The reading holds only what the trust in the place lets count: a project's hooks are there only where it is trusted. */
export function hookStates(reading: HookReading, consents: Consents): HookStates {
  const { hooks, plugins, enabledPlugins, loosening } = reading
  const judged = plugins.map((plugin) => ({ ...plugin, ...stateOfPlugin(plugin, consents) }))
  // The CLI loads one of those that share an id, and does not say which: all of them must be allowed.
  const kept = new Set(judged.flatMap(({ id, state }) => (state === 'runs' ? [] : [id])))
  const loaded = new Set(judged.map(({ id }) => id).filter((id) => !kept.has(id)))
  const states = {
    plugins: judged,
    hooks: hooks.map((hook) => ({ ...hook, ...stateOfHook(hook, consents, loaded) })),
    unloaded: enabledPlugins.filter((id) => !loaded.has(id)),
    loosening,
  }
  const refused = whyRefused(reading, states)
  return refused === undefined ? states : { ...states, refused }
}

function whyRefused(
  { keptOn, policyPlugins }: HookReading,
  { hooks, plugins, unloaded }: HookStates,
): Saying | undefined {
  if (keptOn !== undefined) return say('policy_keeps_hooks_on', { file: keptOn })
  const hook = hooks.find(
    ({ hook: { source }, state }) => source === 'policy' && state !== 'runs' && state !== 'off',
  )
  if (hook)
    return say('policy_hook_unallowed', { event: hook.hook.event, file: hook.hook.file, why: hook.why })
  const id = policyPlugins.find((one) => unloaded.includes(one))
  if (id === undefined) return undefined
  const why = plugins.find((one) => one.id === id)?.why
  return say('policy_plugin_unallowed', { id, why })
}

/** Another one means that a process has what no longer counts, or lacks what does. */
export function fingerprintOf({ hooks, plugins, unloaded, loosening, refused }: HookStates): string {
  const counted = [...hooks, ...plugins]
    .filter(({ state }) => state === 'runs')
    .map(({ digest, consent }) => [digest, consent?.grant])
  return JSON.stringify([counted, unloaded, loosening, refused])
}

function stateOfPlugin({ digest, fault }: FoundPlugin, consents: Consents): Verdict {
  if (fault !== undefined) return { state: 'unsupported', why: say('hook_file_fault', { fault }) }
  const consent = consents.get(digest)
  return consent ? { state: 'runs', consent } : { state: 'waits' }
}

function stateOfHook(found: FoundHook, consents: Consents, loaded: ReadonlySet<string>): Verdict {
  const { hook, digest, off, plugin } = found
  const consent = consents.get(digest)
  const given = consent ? { consent } : {}
  if (off) return { state: 'off', ...given }
  const why = whyUnsupported(found)
  if (why !== undefined) return { state: 'unsupported', why }
  if (plugin && !loaded.has(plugin.id))
    return { state: 'waits', why: say('hook_of_unloaded_plugin'), ...given }
  if (isCoveredByTrust(found)) return { state: 'runs' }
  // Only Claude Code itself runs what a policy brings: what such a hook answers about a call counts, whatever we think of it. By now the event
  // is `PreToolUse`, whose answer comes before we are asked.
  const needed = hook.source === 'policy' && hook.decides ? 'allow' : 'run'
  const isEnough = consent && (needed === 'run' || consent.grant === 'allow')
  return { state: isEnough ? 'runs' : 'waits', ...given }
}

/** What inspects tool calls may be meant to answer them, which no trust in files says yes to. */
function isCoveredByTrust({ hook }: FoundHook): boolean {
  return (hook.source === 'project' || hook.source === 'local') && !hook.decides
}

function whyUnsupported({ hook, fault }: FoundHook): Saying | undefined {
  if (fault !== undefined) return say('hook_file_fault', { fault })
  // Its answer counts after ours, with an input of its own, and the call runs before anybody hears of it (2.1.325).
  if (hook.source === 'policy' && hook.event === 'PermissionRequest') return say('policy_hook_answers_last')
  if (hook.source === 'policy' || hook.kind === 'command' || hook.kind === 'http') return undefined
  return say('hook_of_other_kind')
}
