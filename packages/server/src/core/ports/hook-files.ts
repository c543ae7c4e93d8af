/** The hook files port: what settings files of the CLI and its plugins say about hooks, where no process can be asked. */
import type { HookFault } from '@dorkos/shared'
import type { HookFile } from '../hooks/file-hooks.ts'

export interface HookPlace {
  /** The directory of the session. */
  path: string
  sources: readonly ('user' | 'project' | 'local')[]
  /** In a container the CLI sees neither plugins nor the machine's policy. */
  container: boolean
}

export interface HookFiles {
  /** The weakest first. Never throws: what cannot be read is a fault. */
  read(place: HookPlace): Promise<{ files: HookFile[]; faults: HookFault[] }>
  /** The file of each source. There can be several with local settings: they are not told apart then. */
  places(path: string): Promise<Partial<Record<'user' | 'project' | 'local' | 'policy', string>>>
}
