/** What trust needs of the outside: a reading of the files that it covers, and a place for what was trusted. */
import type { TrustFault, TrustItem } from '@dorkos/shared'

export interface CoveredItem extends TrustItem {
  /** HMAC of kind, path, name and whole content. */
  digest: string
  /** HMACs of the values that are masked in the text, by where they stand. Never shown. */
  secrets: Record<string, string>
}

export interface TrustReading {
  /** HMAC over all items. */
  digest: string
  items: CoveredItem[]
  faults: TrustFault[]
  /** Absolute: what agents must not write while the workspace is trusted. */
  closedFiles: string[]
  /** Folders with links that a command goes through: a link itself cannot be closed. */
  closedFolders: string[]
  /** Tool modules and what they import: SHA-256 in hex, by real path. */
  modules: Record<string, string>
  /** Profiles and what lies beside them: SHA-256 in hex, by real path. */
  profiles: Record<string, string>
  /** SHA-256 of `.mcp.json`, in hex: what is read of it elsewhere must be the same bytes. */
  serversFile?: string
}

export interface TrustFiles {
  /**
   * Never throws for what stands in the folder; cheap when nothing has changed since the last reading. Only with `texts` do items
   * say what they hold and run.
   */
  read(workspacePath: string, options?: { texts: boolean }): Promise<TrustReading>
}

/** What was trusted, by whom. */
export interface TrustRecord {
  workspaceId: string
  digest: string
  items: CoveredItem[]
  principal: string
  at: string
}

export interface TrustStore {
  get(workspaceId: string): Promise<TrustRecord | undefined>
  digestOf(workspaceId: string): Promise<string | undefined>
  /** Replaces what was there. */
  put(record: TrustRecord): Promise<void>
  remove(workspaceId: string): Promise<void>
}
