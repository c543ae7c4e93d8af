/** The hooks and plugins that sessions of a workspace would have: what people see of them, allow, and take back. */
import { type Hook, type HookGrant, type Plugin, say, toSaid, type WorkspaceHooks } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Audit } from '../permissions/audit.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { HookConsentStore } from '../ports/hook-consents.ts'
import type { HookFiles, HookText, HookWorkspace } from '../ports/hook-files.ts'
import type { HookService } from '../services.ts'
import type { Workspaces } from '../workspaces.ts'
import {
  byDigest,
  type HookWithState,
  hookStates,
  type PluginWithState,
  type Verdict,
} from './hook-states.ts'

export interface HookServiceParts {
  workspaces: Pick<Workspaces, 'checked' | 'settingSourcesFor'>
  files: HookFiles
  consents: HookConsentStore
  audit: Pick<Audit, 'record'>
  clock: Pick<Clock, 'now'>
  /** Every event, in the order of a turn. */
  events: readonly string[]
  /** What counts in a workspace has changed. */
  changed(workspaceId: string): void
}

/** No policy and no setting turns this one off (2.1.325). */
const own: Hook = { event: 'PreToolUse', kind: 'callback', source: 'dorkos', state: 'runs' }

const MAX_HOOKS = 300

export function createHookService(parts: HookServiceParts): HookService {
  const { consents, audit, clock } = parts
  const at = async (id: string) => {
    const workspace = await hookWorkspaceOf(parts, id)
    const reading = await parts.files.read(workspace)
    return { workspace, reading, ...hookStates(reading, byDigest(await consents.list())) }
  }
  const view = async (id: string): Promise<WorkspaceHooks> => {
    const { workspace, reading, hooks, plugins } = await at(id)
    const heads = (await parts.files.readHeads(workspace, plugins)).map(shownHead)
    const listed = [own, ...hooks.map(shownHook), ...heads].toSorted(inOrderOf(parts.events))
    return {
      hooks: listed.slice(0, MAX_HOOKS),
      plugins: plugins.map(shownPlugin),
      ...(listed.length > MAX_HOOKS && { cut: true }),
      ...(reading.off && { off: reading.off }),
      faults: reading.faults,
    }
  }
  return {
    ofWorkspace: (_actor, id) => view(id),
    async allow(actor, id, { digest, grant }) {
      const { hooks, plugins } = await at(id)
      const label = labelOf(digest, grant, { hooks, plugins })
      const consent = { digest, grant, label, principal: actor.principal, at: isoTime(clock.now()) }
      // Recorded first: what could not be is not allowed.
      await audit.record(actor, 'hook_allowed', { workspace_id: id, digest, grant, label })
      await consents.put(consent)
      parts.changed(id)
      return view(id)
    },
    async revoke(actor, id, digest) {
      const removed = await consents.remove(digest)
      if (!removed) throw new AppError('not_found', say('hook_consent_not_found'))
      parts.changed(id)
      await audit.record(actor, 'hook_revoked', { workspace_id: id, digest, label: removed.label })
      return view(id)
    },
  }
}

async function hookWorkspaceOf({ workspaces }: HookServiceParts, id: string): Promise<HookWorkspace> {
  const workspace = (await workspaces.checked(id))?.workspace
  if (!workspace) throw new AppError('not_found', say('workspace_not_found', { id }))
  return {
    path: workspace.path,
    sources: workspaces.settingSourcesFor(workspace),
    container: workspace.mode === 'container',
  }
}

/** What is allowed, in a few words. Refused for what is not there as it was shown, and for what cannot be allowed. */
function labelOf(
  digest: string,
  grant: HookGrant,
  { hooks, plugins }: { hooks: readonly HookWithState[]; plugins: readonly PluginWithState[] },
): string {
  const hook = hooks.find((one) => one.digest === digest)
  const plugin = plugins.find((one) => one.digest === digest)
  const found: Verdict | undefined = hook ?? plugin
  if (!found) throw new AppError('conflict', say('hook_changed'))
  if (found.state === 'unsupported')
    throw new AppError('conflict', say('hook_not_allowable', { why: found.why }))
  if (grant === 'allow' && !hook?.hook.can_allow)
    throw new AppError(
      'invalid_request',
      hook?.hook.decides ? say('hook_cannot_allow') : say('hook_decides_nothing'),
    )
  if (hook) return `${hook.hook.event}: ${hook.hook.runs ?? hook.hook.kind}`.slice(0, 500)
  return `plugin ${plugin?.id ?? ''}`.slice(0, 500)
}

const shownHead = (hook: HookText): Hook => {
  const why = say('hook_in_head')
  return { ...hook, state: 'unsupported', why: why.message, said: toSaid(why) }
}

function shownHook(found: HookWithState): Hook {
  const { hook, scripts } = found
  return { ...hook, ...(scripts.length > 0 && { scripts }), ...shownState(found) }
}

function shownPlugin(found: PluginWithState): Plugin {
  const { id, root, version, brings } = found
  return { id, root, ...(version !== undefined && { version }), brings, ...shownState(found) }
}

function shownState({ digest, state, why, consent }: Verdict & { digest: string }) {
  return {
    digest,
    state,
    ...(why && { why: why.message, said: toSaid(why) }),
    ...(consent && { consent: { grant: consent.grant, principal: consent.principal, at: consent.at } }),
  }
}

function inOrderOf(events: readonly string[]): (a: Hook, b: Hook) => number {
  const rank = new Map(events.map((event, at) => [event, at]))
  const rankOf = ({ event }: Hook) => rank.get(event) ?? events.length
  return (a, b) => rankOf(a) - rankOf(b)
}
