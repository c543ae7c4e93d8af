/**
 * The second net: what the CLI says that it loaded, against what was allowed. The first net is that nothing else is on its command line or in
 * a source that it reads. Pure; the CLI's answers may hold anything.
 */
import { isRecord } from '@dorkos/shared'
import { type Fields, list, text } from '../event-map/untrusted.ts'
import type { HookStates } from './hook-states.ts'

/** Hooks by `get_hooks_listing`; undefined when all is well. All that it lists must be off, but for hooks of the policy that were allowed. */
export function unseenHooks(listing: Fields, { hooks }: HookStates): string | undefined {
  if (!Array.isArray(listing.hooks)) return 'The CLI does not say which hooks it has loaded.'
  const allowed = hooks.filter(({ hook, state }) => hook.source === 'policy' && state === 'runs')
  const unseen = listing.hooks.filter(
    (row) => !isRecord(row) || (row.disabled !== true && !(isOfPolicy(row) && allowed.some(isSame(row)))),
  )
  return unseen.length === 0 ? undefined : `The CLI has loaded hooks that nobody allowed: ${shown(unseen)}.`
}

/** Plugins by the message with which each turn begins. */
export function unseenPlugins(init: Fields, { plugins }: HookStates): string | undefined {
  const allowed = new Set(plugins.flatMap(({ id, state }) => (state === 'runs' ? [id] : [])))
  const unseen = list(init.plugins).filter(
    (row) => !isRecord(row) || (row.path !== 'builtin' && !allowed.has(text(row.source) ?? '')),
  )
  const names = unseen.map((row) => (isRecord(row) ? text(row.source) : undefined) ?? '?')
  return unseen.length === 0
    ? undefined
    : `The CLI has loaded plugins that nobody allowed: ${names.join(', ').slice(0, 300)}.`
}

const isOfPolicy = (row: Fields) => row.source === 'policySettings'

const isSame =
  (row: Fields) =>
  ({ hook, config }: HookStates['hooks'][number]) =>
    hook.event === row.event && [config.command, config.url, config.prompt].includes(row.commandText)

function shown(rows: readonly unknown[]): string {
  const names = rows.map((row) =>
    isRecord(row) ? `${text(row.event) ?? '?'} (${text(row.sourceLabel) ?? text(row.source) ?? '?'})` : '?',
  )
  return [...new Set(names)].join(', ').slice(0, 300)
}
