/** The hook files port: which hooks and plugins the settings of the CLI name, with a digest of all that would count. */
import type { Hook, HookFault, HooksOff, Plugin } from '@dorkos/shared'

export interface HookWorkspace {
  /** The directory of the session. */
  path: string
  sources: readonly ('user' | 'project' | 'local')[]
  /** In a container the CLI sees neither plugins nor the machine's policy. */
  container: boolean
}

/** A hook as people see it, before anything is decided about it. */
export type HookText = Omit<Hook, 'state' | 'why' | 'consent' | 'digest' | 'scripts'>

export interface FoundHook {
  hook: HookText
  /** As it stands there; `hook` has it shortened. */
  matcher: string
  /** As it stands in the file. */
  config: Readonly<Record<string, unknown>>
  /** HMAC of where it stands, of its configuration, and of the files that it names. */
  digest: string
  scripts: string[]
  /** Of the plugin that brings it. */
  plugin?: { id: string; root: string; data: string }
  /** Settings or a policy turn it off. */
  off?: boolean
  /** Why nobody can know what it would run. */
  fault?: string
}

export interface FoundPlugin extends Pick<Plugin, 'id' | 'root' | 'version' | 'brings'> {
  /** HMAC of every file, and of what its marketplace says about it. */
  digest: string
  fault?: string
}

export interface HookReading {
  /** The weakest first. */
  hooks: FoundHook[]
  plugins: FoundPlugin[]
  /** Every plugin that would be loaded, also one that could not be found. */
  enabledPlugins: string[]
  /** Those of them that a policy turns on: nothing of ours turns these off. */
  policyPlugins: string[]
  off?: HooksOff
  /** The file of a policy by which nothing of ours turns hooks off. */
  keptOn?: string
  /** Files whose settings open the sandbox for commands. */
  loosening: string[]
  faults: HookFault[]
}

export interface HookFiles {
  /** Never throws: what cannot be read is a fault. Cheap when nothing has changed since the last reading. */
  read(workspace: HookWorkspace): Promise<HookReading>
  /** Hooks in the heads of skills, commands and agents there, and of these plugins. Never throws. */
  readHeads(
    workspace: HookWorkspace,
    plugins: readonly Pick<FoundPlugin, 'id' | 'root'>[],
  ): Promise<HookText[]>
}
