/** Folders with the owner's own tool modules, each run by a tool host of its own. */
import type { ServerEntry } from '@dorkos/mcp-gateway'
import type { McpPlace } from '../mcp/mcp-place.ts'

export interface ToolFolder {
  /** Absolute. */
  folder: string
  /** The workspace that it is in; absent for the owner's own folder. */
  workspaceId: string | undefined
  entry: ServerEntry
}

export interface ToolFolders {
  /** Folders that have modules for sessions of this place. */
  of(place: McpPlace): Promise<ToolFolder[]>
  /** Calls back when a folder gets its first module or loses its last. What changes inside, its tool host sees itself. */
  onChange(listener: () => void): () => void
  close(): void
}
