/** Folders with the owner's own tool modules, each run by a tool host of its own. */
import type { ServerEntry, ServerHold } from '@dorkos/mcp-gateway'
import type { SessionWorkspace } from '../mcp/session-workspace.ts'

export interface ToolFolder {
  /** Absolute. */
  folder: string
  /** The workspace that it is in; absent for the owner's own folder. */
  workspaceId: string | undefined
  entry: ServerEntry
}

export interface ModuleFault {
  /** Absolute: the module, or a file that it imports. */
  file: string
  /** From 1. */
  line?: number
  /** From 1. */
  column?: number
  message: string
}

export interface ModuleReport {
  /** Absolute. */
  file: string
  /** `loading` also while a new version is on its way and the old one serves. */
  state: 'loading' | 'ready' | 'failed'
  /** The names of the tools that it offers now. */
  tools: string[]
  /** Why it is not loaded, what it left out, or how it crashed last. */
  faults: ModuleFault[]
}

export interface ToolFolders {
  /** Folders that have modules for sessions of this workspace. */
  of(workspace: SessionWorkspace): Promise<ToolFolder[]>
  /** Calls back when a folder gets its first module or loses its last. What changes inside, its tool host sees itself. */
  onChange(listener: () => void): () => void
  /** The modules of a folder's tool host, once they are loaded or have had time for it. */
  modules(host: ServerHold): Promise<ModuleReport[]>
  close(): void
}
