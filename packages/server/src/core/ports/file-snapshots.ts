/**
 * Files of directories that agents work in, as they were at a time. Kept apart from the directory, with no help of its own repository,
 * and taken as hostile: no link is followed, and nothing that the directory names is run.
 */

/**
 * What a file was. `large`: its content is not kept; its size and time tell it apart from another. A link's content is where it leads.
 */
export interface FileVersion {
  kind: 'file' | 'executable' | 'link' | 'large'
  /** Of the content, SHA-256. */
  hash: string
  bytes: number
}

/** Undefined: there is none. */
export interface FileChange {
  /** Relative to the directory, with `/`. */
  path: string
  before: FileVersion | undefined
  after: FileVersion | undefined
}

export interface SnapshotHolder {
  directory: string
  /** What it is kept for, until `drop`. */
  sessionId: string
}

export interface Taken {
  /** Names all files and their content. Equal for what is equal. */
  tree: string
  /** False when there was more than is looked at. */
  complete: boolean
}

export interface TakenEarlier {
  tree: string
  /** When it was begun: milliseconds, wall time. */
  since: number
}

export interface FileSnapshots {
  /** Everything that is listed, that was seen before, and that is named: so what git ignores is seen if somebody knows of it. */
  take(holder: SnapshotHolder, named: readonly string[]): Promise<Taken>
  /**
   * Takes another, to compare it with an earlier one. What that one lacks though it was there and is unchanged, because it was ignored
   * then, is put into it: `before` in the answer.
   */
  takeAfter(
    holder: SnapshotHolder,
    earlier: TakenEarlier,
    named: readonly string[],
  ): Promise<Taken & { before: string }>
  /** The same for one file. Answers with the tree to compare with. */
  addUnseen(holder: SnapshotHolder, earlier: TakenEarlier, path: string): Promise<string>
  /** Sorted by path. Throws where a tree is not kept (any more). */
  changed(directory: string, before: string, after: string): Promise<FileChange[]>
  /** In the order of the paths. */
  inTree(directory: string, tree: string, paths: readonly string[]): Promise<(FileVersion | undefined)[]>
  /** What there is now, in the order of the paths. Nothing is kept of it. */
  now(directory: string, paths: readonly string[]): Promise<(FileVersion | undefined)[]>
  /** Undefined where the content is not kept. */
  read(directory: string, version: FileVersion): Promise<Buffer | undefined>
  /** The content of now; undefined where it is not this version any more, or too large. */
  readNow(directory: string, path: string, version: FileVersion): Promise<Buffer | undefined>
  /** Keeps a content that no file has yet. */
  keep(holder: SnapshotHolder, bytes: Buffer, kind: 'file' | 'executable'): Promise<FileVersion>
  /** A tree like another, but for some files. */
  withFiles(
    holder: SnapshotHolder,
    tree: string,
    files: readonly { path: string; version: FileVersion | undefined }[],
  ): Promise<string>
  /**
   * Makes a file what it was; undefined: removes it. Folders that it needs are made. False, and nothing is done, where the file is not
   * `expected` any more, its folder is not one of the directory, or the content is not kept.
   */
  write(
    directory: string,
    path: string,
    version: FileVersion | undefined,
    expected: FileVersion | undefined,
  ): Promise<boolean>
  /** Nothing is kept for this session any more. */
  drop(holder: SnapshotHolder): Promise<void>
}

export function isSameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  return a?.kind === b?.kind && a?.hash === b?.hash
}
