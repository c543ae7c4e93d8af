/** What the CLI's own hooks menu lists (`get_hooks_listing`, 2.1.325) → the contract's list. Pure; the answer may hold anything. */
import type { Hook, HookFault, HookSource, HooksOff, WorkspaceHooks } from '@dorkos/shared'
import {
  defined,
  type Fields,
  finite,
  integer,
  isRecord,
  list,
  record,
  text,
} from '../event-map/untrusted.ts'
import { maskCommand } from '../trust/mask-text.ts'
import { type HookSpot, shownHook, toHook } from './hook-entry.ts'

const sources: Readonly<Record<string, HookSource>> = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'local',
  pluginHook: 'plugin',
  policySettings: 'policy',
  sessionHook: 'session',
  // Settings of its start: those are ours.
  flagSettings: 'dorkos',
}

export interface ListingContext {
  /** Files of the sources that have just one. */
  files: Readonly<Partial<Record<HookSource, string>>>
  /** Whether any settings files count. Where none do, the server itself turns their hooks off. */
  fileHooks: boolean
}

/** Undefined for an answer of another form. */
export function processHooks(
  answer: Fields,
  context: ListingContext,
): Omit<WorkspaceHooks, 'from' | 'cut'> | undefined {
  if (!Array.isArray(answer.hooks)) return undefined
  const policy = record(answer.policy)
  const off = whatIsOff(policy, context.fileHooks)
  const unlisted = off === 'managed_only' || off === 'plugin_only' ? integer(policy.policyHookCount) : 0
  return {
    hooks: answer.hooks.filter(isRecord).flatMap((row) => toListed(row, context) ?? []),
    faults: faultsOf(answer.errors),
    ...(off && { off }),
    ...(unlisted !== undefined && unlisted > 0 && { unlisted }),
  }
}

function toListed(row: Fields, { files }: ListingContext): Hook | undefined {
  const event = text(row.event)
  if (event === undefined) return undefined
  const source = sources[text(row.source) ?? ''] ?? 'other'
  const plugin = text(row.pluginName)?.slice(0, 300)
  const origin = defined({ source, plugin: source === 'plugin' ? plugin : undefined, file: files[source] })
  const stored = record(row.editable)
  const isOff = row.disabled === true ? { disabled: true } : {}
  // As it stands in the file. What the menu shows has lost which arguments belong together.
  const spot = { event, matcher: text(stored.matcher) ?? text(row.matcher) ?? '', ...origin }
  const hook = isRecord(stored.config) ? toHook(stored.config, spot) : undefined
  return hook ? { ...hook, ...isOff } : asShown(row, spot)
}

function asShown(row: Fields, spot: HookSpot): Hook {
  const condition = text(row.condition)
  return shownHook(spot, {
    kind: text(row.type) ?? 'other',
    runs: maskCommand(text(row.commandText) ?? text(row.displayText) ?? ''),
    condition: condition && maskCommand(condition),
    timeout_seconds: finite(row.timeout),
    background: row.runsInBackground === true,
    once: row.runsOnce === true,
    disabled: row.disabled === true,
  })
}

function whatIsOff(policy: Fields, fileHooks: boolean): HooksOff | undefined {
  if (policy.disabledByPolicy === true) return 'policy'
  if (policy.managedOnly === true) return 'managed_only'
  if (policy.pluginOnly === true) return 'plugin_only'
  return policy.allDisabled === true && fileHooks ? 'settings' : undefined
}

const MAX_FAULTS = 20

function faultsOf(errors: unknown): HookFault[] {
  const byText = new Map<string, HookFault>()
  for (const error of list(errors).filter(isRecord)) {
    const file = (text(error.file) ?? '').slice(0, 4096)
    const place = text(error.path)
    const message = text(error.message) ?? 'These settings cannot be used.'
    const reason = (place === undefined ? message : `${place}: ${message}`).slice(0, 500)
    byText.set(`${file}\n${reason}`, { file, reason })
  }
  return [...byText.values()].slice(0, MAX_FAULTS)
}
