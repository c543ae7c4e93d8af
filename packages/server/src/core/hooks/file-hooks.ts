/** What several settings files say about hooks → the list of those that run. Pure. */
import type { Hook, HooksOff, WorkspaceHooks } from '@dorkos/shared'

/** One file, or the hooks of one plugin. */
export interface HookFile {
  source: 'user' | 'project' | 'local' | 'policy' | 'plugin'
  hooks: Hook[]
  /** `disableAllHooks`, where it is said. */
  disableAll?: boolean
  /** Of the policy. */
  managedOnly?: boolean
  pluginOnly?: boolean
}

/** The weakest file first. */
export function fileHooks(files: readonly HookFile[]): Pick<WorkspaceHooks, 'hooks' | 'off' | 'unlisted'> {
  const policy = files.filter(({ source }) => source === 'policy')
  const off = whatIsOff(files, policy)
  // Under such a policy the CLI lists those of plugins alone; what the policy itself brings it only counts.
  const isLocked = policy.some(({ managedOnly, pluginOnly }) => managedOnly || pluginOnly)
  const listed = files.filter(({ source }) => !isLocked || source === 'plugin')
  const unlisted = isLocked ? policy.flatMap(({ hooks }) => hooks).length : 0
  return {
    hooks: listed.flatMap(({ source, hooks }) =>
      isOff(source, off) ? hooks.map((hook) => ({ ...hook, disabled: true })) : hooks,
    ),
    ...(off && { off }),
    ...(unlisted > 0 && { unlisted }),
  }
}

function whatIsOff(files: readonly HookFile[], policy: readonly HookFile[]): HooksOff | undefined {
  if (policy.some(({ disableAll }) => disableAll)) return 'policy'
  if (policy.some(({ managedOnly }) => managedOnly)) return 'managed_only'
  if (policy.some(({ pluginOnly }) => pluginOnly)) return 'plugin_only'
  return files.findLast(({ disableAll }) => disableAll !== undefined)?.disableAll ? 'settings' : undefined
}

function isOff(source: HookFile['source'], off: HooksOff | undefined): boolean {
  if (off === 'policy' || off === 'managed_only') return true
  return off === 'settings' && source !== 'policy'
}
