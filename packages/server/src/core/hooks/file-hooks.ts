/** What settings files say about hooks being off. Pure. */
import type { HooksOff } from '@dorkos/shared'
import type { FoundHook } from '../ports/hook-files.ts'
import type { ReadHook } from './settings-hooks.ts'

/** One file, or the hooks of one plugin. */
export interface HookFile {
  source: 'user' | 'project' | 'local' | 'policy' | 'plugin'
  file: string
  hooks: ReadHook[]
  plugin?: FoundHook['plugin']
  /** `disableAllHooks`, where it is said. */
  disableAll?: boolean
  /** Of the policy. */
  managedOnly?: boolean
  pluginOnly?: boolean
}

/** The weakest file first. */
export function whatIsOff(files: readonly HookFile[]): HooksOff | undefined {
  const policy = files.filter(isOfPolicy)
  if (lastWordOf(policy)?.disableAll) return 'policy'
  if (policy.some(({ managedOnly }) => managedOnly)) return 'managed_only'
  if (policy.some(({ pluginOnly }) => pluginOnly)) return 'plugin_only'
  return lastWordOf(files)?.disableAll ? 'settings' : undefined
}

/** The file of the policy by which nothing turns hooks off. It is above whatever a command line says (2.1.325). */
export function whatKeepsOn(files: readonly HookFile[]): string | undefined {
  const last = lastWordOf(files.filter(isOfPolicy))
  return last?.disableAll === false ? last.file : undefined
}

const isOfPolicy = ({ source }: HookFile) => source === 'policy'

const lastWordOf = (files: readonly HookFile[]) =>
  files.findLast(({ disableAll }) => disableAll !== undefined)

export function isOff(source: HookFile['source'], off: HooksOff | undefined): boolean {
  if (off === undefined) return false
  if (off === 'policy') return true
  if (source === 'policy') return false
  return off !== 'plugin_only' || source !== 'plugin'
}
