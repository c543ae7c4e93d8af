/** What agents of a workspace load, by where it is and whether it is trusted: the server's table, in words. Pure. */
import type { Workspace } from '@dorkos/shared'

type SettingSource = 'user' | 'project' | 'local'
type ServerSource = 'dorkosHost' | 'dorkosContainer' | 'local' | 'project' | 'user' | 'settings' | 'plugin'
type ModuleSource = 'own' | 'workspace'

export interface Loads {
  settings: readonly SettingSource[]
  servers: readonly ServerSource[]
  modules: readonly ModuleSource[]
}

export function whatLoads({ main, mode }: Pick<Workspace, 'main' | 'mode'>, trusted: boolean): Loads {
  if (mode === 'container')
    return trusted
      ? { settings: ['project'], servers: ['dorkosContainer', 'project'], modules: [] }
      : { settings: [], servers: ['dorkosContainer'], modules: [] }
  if (!main)
    return trusted
      ? { settings: ['project', 'local'], servers: ['dorkosHost', 'project'], modules: ['own', 'workspace'] }
      : { settings: [], servers: ['dorkosHost'], modules: ['own'] }
  return trusted
    ? {
        settings: ['user', 'project', 'local'],
        servers: ['dorkosHost', 'local', 'project', 'user', 'settings', 'plugin'],
        modules: ['own', 'workspace'],
      }
    : { settings: ['user'], servers: ['dorkosHost', 'user', 'settings'], modules: ['own'] }
}
