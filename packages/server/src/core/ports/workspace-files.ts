/** Files in directories that agents work in: their names, and what is in them. */

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

export interface FilePart {
  data: Buffer
  /** Of the whole file. */
  bytes: number
  /** Milliseconds, wall time. */
  changedAt: number
  /** The same as long as the file is. */
  version: string
}

export interface WorkspaceFiles {
  /** Bounded in time and number. What is ignored by git is left out, where git is used; so are the folders that are closed to agents. */
  list(directory: string): Promise<FileListing>
  /** What is at these paths now, in their order; undefined for what is not there. Links are not followed, and count as files. */
  inspect(directory: string, paths: readonly string[]): Promise<(SeenFile | undefined)[]>
  /**
   * Bytes of a file from `start` up to before `end`, or up to where it ends. Undefined for all that is no plain file below the directory:
   * a link or one on the way, a file with a second name elsewhere, a device, what is closed to agents, and git's own files.
   */
  read(directory: string, path: string, range: { start: number; end: number }): Promise<FilePart | undefined>
}
