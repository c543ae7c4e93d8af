/** What the tool host and the thread of a module say to one another. */

/** SHA-256 in hex by real path; undefined where everything may be loaded. */
export type ApprovedFiles = Readonly<Record<string, string>> | undefined

export interface WorkerSetup {
  /** The folder of the modules, as a real path. */
  folder: string
  approved: ApprovedFiles
  /** Bare imports of `claude-code-agent` and `zod` resolve as from this module. */
  parentUrl: string
  /** Folders whose files are ours: they need no approval. */
  ownFolders: readonly string[]
}

export type ToWorker =
  | { type: 'warm' }
  | { type: 'load'; file: string }
  | { type: 'call'; id: number; params: Record<string, unknown> }
  | { type: 'cancel'; id: number }
  | { type: 'ping' }

export interface LoadedTool {
  /** The entry of `tools/list`. */
  definition: Record<string, unknown>
  name: string
  /** 0 or Infinity for none. */
  timeoutMs: number
}

/** An error as plain text: what a module throws may be anything. */
export interface ThrownError {
  name: string
  message: string
  stack: string
  code?: string
}

export type FromWorker =
  | { type: 'ready'; tools: LoadedTool[] }
  | { type: 'failed'; error: ThrownError }
  /** `json`: the response, as it goes out. */
  | { type: 'answer'; id: number; json: string }
  | { type: 'pong' }
