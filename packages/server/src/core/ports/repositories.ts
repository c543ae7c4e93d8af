/** Commits to the git repository that a directory lies in. Nothing that the repository names is run: neither hook, filter nor signer. */
import type { GitState, Saying } from '@dorkos/shared'

export interface RepositoryState {
  /** Why no commit can be made here; undefined where one can. */
  refused: Saying | undefined
  /** Undefined for a detached head. */
  branch: string | undefined
  /** Undefined before the first commit. */
  head: string | undefined
  author: string | undefined
  /** Names of hooks that would run elsewhere. */
  hooks: string[]
  /** Commits are to be signed. */
  signs: boolean
}

/** What a file is now, and what git knows of it. Paths are the directory's. */
export interface FileInRepository {
  /** The head has it as it is now. */
  committed: boolean
  /** The head has a file there. */
  tracked: boolean
  /** What the index has: as the head, as the file of now, or something else. */
  staged: GitState['files'][number]['staged']
  /** Why it cannot be committed from here. */
  refused: Saying | undefined
}

/** Undefined content: there is no file. */
export interface FileToCommit {
  path: string
  content: { kind: 'file' | 'executable' | 'link'; bytes: Buffer } | undefined
}

export interface Repositories {
  state(directory: string): Promise<RepositoryState>
  /** In the order of the files. Only where `state` refuses nothing. */
  inspect(directory: string, files: readonly FileToCommit[]): Promise<FileInRepository[]>
  /**
   * Has the index have these contents (`staged`), or of these files what the head has. Throws `conflict` where the index has something else
   * of one of them, unless `alsoOthers`: then that is gone.
   */
  stage(
    directory: string,
    change: { files: readonly FileToCommit[]; staged: boolean; alsoOthers: boolean },
  ): Promise<void>
  /**
   * Commits these contents on top of `head`, and answers with the commit. Throws `conflict` where the head is another, or nothing would
   * change. The index is brought up to date for these files alone, where nothing of them is staged; false where it could not be.
   */
  commit(
    directory: string,
    commit: { files: readonly FileToCommit[]; message: string; head: string | undefined },
  ): Promise<{ commit: string; indexUpdated: boolean }>
}
