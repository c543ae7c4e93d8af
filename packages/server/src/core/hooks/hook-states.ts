/** Whether a hook runs and a plugin loads: the one place where that is decided. Pure. */
import type { HookState } from '@dorkos/shared'
import type { HookConsentStore, StoredHookConsent } from '../ports/hook-consents.ts'
import type { FoundHook, FoundPlugin, HookReading } from '../ports/hook-files.ts'

export interface Verdict {
  state: HookState
  why?: string
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
  refused?: string
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
): string | undefined {
  if (keptOn !== undefined)
    return `A policy of this machine says “disableAllHooks: false” (${keptOn}), so Claude Code would run every hook and all code of plugins by itself. Take that line out of it, or work in a container, where the policy does not count.`
  const hook = hooks.find(
    ({ hook: { source }, state }) => source === 'policy' && state !== 'runs' && state !== 'off',
  )
  if (hook)
    return `A policy of this machine has a hook that nobody allowed (${hook.hook.event} in ${hook.hook.file ?? 'its settings'}), and Claude Code would run it. Look at it on the page of the workspace, or take it out.`
  const id = policyPlugins.find((one) => unloaded.includes(one))
  if (id === undefined) return undefined
  const why = plugins.find((one) => one.id === id)?.why
  const remedy = why ?? 'Look at it on the page of the workspace.'
  return `A policy of this machine turns on the plugin ${id}, which nobody allowed, and Claude Code would load it. ${remedy} Or take it out of the policy’s enabledPlugins, or work in a container, where the policy does not count.`
}

/** Another one means that a process has what no longer counts, or lacks what does. */
export function fingerprintOf({ hooks, plugins, unloaded, loosening, refused }: HookStates): string {
  const counted = [...hooks, ...plugins]
    .filter(({ state }) => state === 'runs')
    .map(({ digest, consent }) => [digest, consent?.grant])
  return JSON.stringify([counted, unloaded, loosening, refused])
}

function stateOfPlugin({ digest, fault }: FoundPlugin, consents: Consents): Verdict {
  if (fault !== undefined) return { state: 'unsupported', why: fault }
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
    return { state: 'waits', why: 'Its plugin is not allowed to load.', ...given }
  if (isCoveredByTrust(found)) return { state: 'runs' }
  // Only Claude Code itself runs what a policy brings: what such a hook answers about a call counts, whatever we think of it.
  const needed = hook.source === 'policy' && hook.decides ? 'allow' : 'run'
  const isEnough = consent && (needed === 'run' || consent.grant === 'allow')
  return { state: isEnough ? 'runs' : 'waits', ...given }
}

/** What inspects tool calls may be meant to answer them, which no trust in files says yes to. */
function isCoveredByTrust({ hook }: FoundHook): boolean {
  return (hook.source === 'project' || hook.source === 'local') && !hook.decides
}

function whyUnsupported({ hook, fault }: FoundHook): string | undefined {
  if (fault !== undefined) return fault
  if (hook.source === 'policy' || hook.kind === 'command' || hook.kind === 'http') return undefined
  return 'DorkOS runs hooks that are commands or requests. One of this kind asks a model, starts an agent or calls a tool: only Claude Code can run it, which runs all hooks or none, and nobody would be asked about what it does. A command can take its place.'
}
