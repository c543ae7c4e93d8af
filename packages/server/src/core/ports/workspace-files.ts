/** Names of files in directories that agents work in. */

export interface FileListing {
  /** Relative to the directory, with `/`, without control characters. */
  files: readonly string[]
  directories: readonly string[]
  /** False when there are more than were listed. */
  complete: boolean
}

export interface SeenFile {
  kind: 'file' | 'directory'
  /** Milliseconds, wall time. */
  changedAt: number
}

export interface WorkspaceFiles {
  /** Bounded in time and number. What is ignored by git is left out, where git is used; so are the folders that are closed to agents. */
  list(directory: string): Promise<FileListing>
  /** What is at these paths now, in their order; undefined for what is not there. Links are not followed, and count as files. */
  inspect(directory: string, paths: readonly string[]): Promise<(SeenFile | undefined)[]>
}
