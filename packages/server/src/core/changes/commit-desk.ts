/** Commits of what a session changed: exactly what a person saw, and nothing else that lies in the index. */

import { type GitState, type ParsedBody, say, toSaid } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { inWords } from '../notice.ts'
import type { FileChange, FileSnapshots, FileVersion } from '../ports/file-snapshots.ts'
import type { FileToCommit, Repositories } from '../ports/repositories.ts'
import { hashOf } from './sum-changes.ts'

export interface CommitDeskParts {
  repositories: Repositories
  snapshots: FileSnapshots
  /** What the agent proposed. */
  proposed(sessionId: string): Promise<string | undefined>
  forgetProposed(sessionId: string): Promise<void>
}

export class CommitDesk {
  readonly #parts: CommitDeskParts

  constructor(parts: CommitDeskParts) {
    this.#parts = parts
  }

  /** `changed`: with what there is now as `after`. */
  async state(sessionId: string, directory: string, changed: readonly FileChange[]): Promise<GitState> {
    const { repositories, proposed } = this.#parts
    const { refused, branch, head, author, hooks, signs } = await repositories.state(directory)
    const message = await proposed(sessionId)
    return {
      can_commit: refused === undefined,
      ...(refused && inWords(refused)),
      ...(branch !== undefined && { branch }),
      ...(head !== undefined && { head }),
      ...(author !== undefined && { author }),
      hooks,
      signs,
      files: refused === undefined ? await this.#files(directory, changed) : [],
      ...(message !== undefined && { proposed_message: message }),
    }
  }

  async commit(
    sessionId: string,
    directory: string,
    changed: readonly FileChange[],
    { files, message, head }: ParsedBody<'commitChanges'>,
  ): Promise<{ commit: string; indexUpdated: boolean }> {
    const made = await this.#parts.repositories.commit(directory, {
      files: await this.#seen(directory, changed, files),
      message,
      head: head ?? undefined,
    })
    await this.#parts.forgetProposed(sessionId)
    return made
  }

  async stage(
    directory: string,
    changed: readonly FileChange[],
    { files, staged, also_others }: ParsedBody<'stageChanges'>,
  ): Promise<void> {
    await this.#parts.repositories.stage(directory, {
      files: await this.#seen(directory, changed, files),
      staged,
      alsoOthers: also_others,
    })
  }

  /** The contents of these files; they are as somebody saw them. */
  async #seen(
    directory: string,
    changed: readonly FileChange[],
    files: ParsedBody<'commitChanges'>['files'],
  ): Promise<FileToCommit[]> {
    const known = new Map(changed.map(({ path, after }) => [path, after]))
    const contents: FileToCommit[] = []
    for (const { path, hash } of files) {
      if (!known.has(path)) throw new AppError('not_found', say('commit_file_unchanged', { path }))
      const now = known.get(path)
      const content = await this.#content(directory, path, now)
      if (hashOf(now) !== hash || content === 'other') throw notAsSeen(path, now)
      contents.push({ path, content })
    }
    return contents
  }

  async #files(directory: string, changed: readonly FileChange[]): Promise<GitState['files']> {
    const contents = await Promise.all(
      changed.map(async ({ path, after }) => ({
        path,
        content: await this.#content(directory, path, after),
      })),
    )
    const readable = contents.flatMap(({ path, content }) => (content === 'other' ? [] : [{ path, content }]))
    const inspected = await this.#parts.repositories.inspect(directory, readable)
    const byPath = new Map(readable.map(({ path }, index) => [path, inspected[index]]))
    return changed.flatMap(({ path, after }): GitState['files'] => {
      const known = byPath.get(path)
      if (known?.committed || (known && !known.tracked && !after)) return []
      const refused = known ? known.refused : say('git_file_too_large')
      return [
        {
          path,
          change: !after ? 'deleted' : (known?.tracked ?? true) ? 'modified' : 'created',
          hash: hashOf(after),
          staged: known?.staged ?? 'none',
          ...(refused && { refused: refused.message, said: toSaid(refused) }),
        },
      ]
    })
  }

  async #content(
    directory: string,
    path: string,
    version: FileVersion | undefined,
  ): Promise<FileToCommit['content'] | 'other'> {
    if (!version) return undefined
    if (version.kind === 'large') return 'other'
    const bytes = await this.#parts.snapshots.readNow(directory, path, version)
    return bytes ? { kind: version.kind, bytes } : 'other'
  }
}

function notAsSeen(path: string, now: FileVersion | undefined): AppError {
  return new AppError('conflict', say('commit_file_moved', { path }), {
    details: { path, current_hash: hashOf(now) },
  })
}
