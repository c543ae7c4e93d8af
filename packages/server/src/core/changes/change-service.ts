/** What people do with the files that a session changed: look, put back, commit. */
import { randomUUID } from 'node:crypto'
import {
  type EndpointResponse,
  type FileComparison,
  type GitState,
  type ParsedBody,
  type ParsedQuery,
  type RestoredFiles,
  type SessionChanges,
  say,
  type Turn,
} from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import {
  type FileChange,
  type FileSnapshots,
  type FileVersion,
  isSameVersion,
  type SnapshotHolder,
} from '../ports/file-snapshots.ts'
import type { TurnTreeStore, TurnTrees } from '../ports/turn-trees.ts'
import type { ChangeService } from '../services.ts'
import type { CommitDesk } from './commit-desk.ts'
import { reverseHunk } from './reverse-hunk.ts'
import {
  changedPaths,
  hashOf,
  type SpanChanges,
  spanView,
  sumFile,
  totalView,
  whyAsk,
} from './sum-changes.ts'
import { decodeText } from './text-of.ts'

export interface ChangeServiceParts {
  snapshots: FileSnapshots
  trees: TurnTreeStore
  commits: CommitDesk
  clock: Clock
  /** The directory that a session works in. Throws where agents may not work, or no longer. */
  directoryOf(actor: Actor, sessionId: string): Promise<string>
  /** What goes on now; undefined where nothing does. */
  running(sessionId: string): Promise<TurnTrees | undefined>
  turn(sessionId: string, turnId: string): Promise<Turn | undefined>
  audit(actor: Actor, action: string, sessionId: string, detail: Record<string, unknown>): Promise<void>
  /** Whoever shows the files asks again. */
  updated(sessionId: string): void
}

/** Of a side of a comparison. */
const maxTextBytes = 1024 * 1024
/** Comparisons of snapshots, which never change. */
const maxCompared = 1000

export class SessionChangeService implements ChangeService {
  readonly #parts: ChangeServiceParts
  readonly #compared = new Map<string, FileChange[]>()

  constructor(parts: ChangeServiceParts) {
    this.#parts = parts
  }

  async list(actor: Actor, id: string): Promise<SessionChanges> {
    const directory = await this.#parts.directoryOf(actor, id)
    const spans = await this.#spans(id, directory)
    const files = await this.#total(directory, spans)
    return {
      spans: spans.map(spanView).filter(({ files: changed, outside }) => changed.length + outside.length > 0),
      files: files.flatMap(({ file, now }) => totalView(file, now) ?? []),
      complete: spans.every(({ trees }) => trees.complete),
    }
  }

  async get(actor: Actor, id: string, { path, span }: ParsedQuery<'getChange'>): Promise<FileComparison> {
    const directory = await this.#parts.directoryOf(actor, id)
    const spans = await this.#spans(id, directory)
    const file = found(sumFile(only(spans, span), path))
    const now = await this.#now(directory, path)
    const [before, after] = await Promise.all(
      [file.before, file.after].map((version) => version && this.#side(directory, version)),
    )
    const last = sumFile(spans, path)
    return {
      path,
      by: file.by,
      ...(before && { before }),
      ...(after && { after }),
      changed_since: !isSameVersion(last?.after, now),
      hash: hashOf(now),
    }
  }

  async revert(actor: Actor, id: string, body: ParsedBody<'revertChange'>): Promise<SessionChanges> {
    const { path, span, hunk, expected_hash, also_others } = body
    const directory = await this.#parts.directoryOf(actor, id)
    const spans = await this.#spans(id, directory)
    const file = found(sumFile(span === undefined ? spans : from(spans, span), path))
    const now = await this.#now(directory, path)
    if (hashOf(now) !== expected_hash) throw changedMeanwhile(now)
    const reason = whyAsk(file, now)
    if (reason !== undefined && !also_others)
      throw new AppError('conflict', say('change_not_only_agents'), {
        details: { reason, current_hash: hashOf(now) },
      })
    const holder = { directory, sessionId: id }
    const shown = found(sumFile(only(spans, span), path))
    const target = hunk ? await this.#withoutHunk(holder, { ...shown, now }, hunk) : file.before
    await this.#write(holder, [{ path, version: target, expected: now }])
    await this.#parts.audit(actor, 'files_reverted', id, { paths: [path], ...(hunk && { part: true }) })
    return this.list(actor, id)
  }

  async restore(actor: Actor, id: string, body: ParsedBody<'restoreFiles'>): Promise<RestoredFiles> {
    const directory = await this.#parts.directoryOf(actor, id)
    const spans = await this.#fromTurn(id, directory, body.turn_id)
    const seen = new Map(body.seen.map(({ path, hash }) => [path, hash]))
    const result: RestoredFiles = {
      restored: [],
      asking: [],
      not_restorable: [],
      outside: [...new Set(spans.flatMap(({ trees }) => trees.outside))],
      complete: spans.every(({ trees }) => trees.complete),
    }
    const writes: FileWrite[] = []
    for (const { file, now } of await this.#total(directory, spans)) {
      const { path, before } = file
      if (isSameVersion(before, now)) continue
      const reason = whyAsk(file, now)
      if (before?.kind === 'large') result.not_restorable.push(path)
      else if (reason !== undefined && seen.get(path) !== hashOf(now))
        result.asking.push({ path, hash: hashOf(now), reason })
      else {
        result.restored.push(path)
        writes.push({ path, version: before, expected: now })
      }
    }
    if (body.dry_run || writes.length === 0) return result
    // The agent would write on top of it, or go by what is no longer there.
    if (spans.some(({ running, trees }) => running && trees.kind === 'turn'))
      throw new AppError('conflict', say('change_agent_running'), {
        details: { reason: 'running' },
      })
    await this.#write({ directory, sessionId: id }, writes)
    const paths = result.restored.slice(0, 100)
    await this.#parts.audit(actor, 'files_reverted', id, {
      paths,
      files: writes.length,
      turn_id: body.turn_id,
    })
    return result
  }

  async git(actor: Actor, id: string): Promise<GitState> {
    const directory = await this.#parts.directoryOf(actor, id)
    return this.#parts.commits.state(id, directory, await this.#changedNow(id, directory))
  }

  async commit(
    actor: Actor,
    id: string,
    body: ParsedBody<'commitChanges'>,
  ): Promise<EndpointResponse<'commitChanges'>> {
    const directory = await this.#parts.directoryOf(actor, id)
    const changed = await this.#changedNow(id, directory)
    const { commit, indexUpdated } = await this.#parts.commits.commit(id, directory, changed, body)
    const paths = body.files.slice(0, 100).map(({ path }) => path)
    await this.#parts.audit(actor, 'changes_committed', id, { commit, paths, files: body.files.length })
    this.#parts.updated(id)
    return { commit, index_updated: indexUpdated, git: await this.git(actor, id) }
  }

  async stage(actor: Actor, id: string, body: ParsedBody<'stageChanges'>): Promise<GitState> {
    const directory = await this.#parts.directoryOf(actor, id)
    await this.#parts.commits.stage(directory, await this.#changedNow(id, directory), body)
    const paths = body.files.slice(0, 100).map(({ path }) => path)
    const action = body.staged ? 'changes_staged' : 'changes_unstaged'
    await this.#parts.audit(actor, action, id, { paths, files: body.files.length })
    this.#parts.updated(id)
    return this.git(actor, id)
  }

  async #changedNow(id: string, directory: string): Promise<FileChange[]> {
    const files = await this.#total(directory, await this.#spans(id, directory))
    return files
      .map(({ file, now }) => ({ path: file.path, before: file.before, after: now }))
      .filter(({ before, after }) => !isSameVersion(before, after))
  }

  async #spans(id: string, directory: string): Promise<SpanChanges[]> {
    const running = await this.#parts.running(id)
    const all = await this.#parts.trees.list(id)
    return Promise.all(
      all.map(async (stored) => {
        const isRunning = stored.id === running?.id
        const trees = isRunning ? running : stored
        const changes = await this.#compare(directory, trees)
        return {
          trees: changes ? trees : { ...trees, complete: false },
          running: isRunning,
          changes: new Map(changes?.map((change) => [change.path, change])),
        }
      }),
    )
  }

  /** Undefined where the snapshots are not here: there are none, or another server has them. */
  async #compare(directory: string, { before, after }: TurnTrees): Promise<FileChange[] | undefined> {
    if (before === undefined || after === undefined) return undefined
    const key = `${directory}\0${before}\0${after}`
    const known = this.#compared.get(key)
    if (known) return known
    const changes = await this.#parts.snapshots.changed(directory, before, after).catch(() => undefined)
    if (!changes) return undefined
    if (this.#compared.size >= maxCompared) this.#compared.clear()
    this.#compared.set(key, changes)
    return changes
  }

  /** From the turn on; a message that another turn took in counts as that turn. */
  async #fromTurn(id: string, directory: string, turnId: string): Promise<SpanChanges[]> {
    const turn = await this.#parts.turn(id, turnId)
    if (!turn) throw new AppError('not_found', say('turn_not_found', { id: turnId }))
    const began = turn.joined_turn === undefined ? turn : await this.#parts.turn(id, turn.joined_turn)
    const time = began?.started_at ?? turn.created_at
    return (await this.#spans(id, directory)).filter(({ trees }) => trees.at >= time)
  }

  async #total(directory: string, spans: readonly SpanChanges[]) {
    const paths = changedPaths(spans)
    const now = await this.#parts.snapshots.now(directory, paths)
    return paths.flatMap((path, index) => {
      const file = sumFile(spans, path)
      return file ? [{ file, now: now[index] }] : []
    })
  }

  async #now(directory: string, path: string): Promise<FileVersion | undefined> {
    return (await this.#parts.snapshots.now(directory, [path]))[0]
  }

  async #side(directory: string, version: FileVersion) {
    const { kind, bytes } = version
    const content = bytes > maxTextBytes ? undefined : await this.#parts.snapshots.read(directory, version)
    const text = content && decodeText(content)
    return { kind, bytes, ...(text !== undefined && { text }) }
  }

  async #withoutHunk(
    holder: SnapshotHolder,
    { path, before, now }: { path: string; before: FileVersion | undefined; now: FileVersion | undefined },
    hunk: NonNullable<ParsedBody<'revertChange'>['hunk']>,
  ): Promise<FileVersion> {
    const { snapshots } = this.#parts
    const { directory } = holder
    const [old, current] = await Promise.all([
      before ? snapshots.read(directory, before) : Buffer.alloc(0),
      now && snapshots.readNow(directory, path, now),
    ])
    const [oldText, text] = [old && decodeText(old), current && decodeText(current)]
    const isText = now?.kind === 'file' || now?.kind === 'executable'
    const reverted =
      oldText === undefined || text === undefined || !isText ? undefined : reverseHunk(oldText, text, hunk)
    if (reverted === undefined || !isText)
      throw new AppError('conflict', say('change_lines_moved'), {
        details: { reason: 'hunk', current_hash: hashOf(now) },
      })
    return snapshots.keep(holder, Buffer.from(reverted), now.kind as 'file' | 'executable')
  }

  /** What is put back is a span of its own: so it is known who did it, and can be put back itself. */
  async #write(holder: SnapshotHolder, writes: readonly FileWrite[]): Promise<void> {
    const { snapshots, trees, clock } = this.#parts
    const { directory, sessionId } = holder
    const paths = writes.map(({ path }) => path)
    const { tree: before, complete } = await snapshots.take(holder, paths)
    const done: FileWrite[] = []
    let failed: FileWrite | undefined
    for (const write of writes) {
      const isWritten = await snapshots.write(directory, write.path, write.version, write.expected)
      if (!isWritten) {
        failed = write
        break
      }
      done.push(write)
    }
    if (done.length > 0) {
      const after = await snapshots.withFiles(holder, before, done)
      await trees.put({
        id: randomUUID(),
        sessionId,
        kind: 'reverted',
        directory,
        before,
        after,
        named: [],
        outside: [],
        complete,
        at: isoTime(clock.now()),
      })
      this.#parts.updated(sessionId)
    }
    if (failed) throw changedMeanwhile(await this.#now(directory, failed.path), failed.path)
  }
}

interface FileWrite {
  path: string
  version: FileVersion | undefined
  expected: FileVersion | undefined
}

function changedMeanwhile(now: FileVersion | undefined, path?: string): AppError {
  const details = { reason: 'changed_since', current_hash: hashOf(now), ...(path !== undefined && { path }) }
  return new AppError('conflict', say('change_file_moved'), {
    details,
  })
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not_found', say('change_not_found'))
  return value
}

function indexOf(spans: readonly SpanChanges[], span: string): number {
  const index = spans.findIndex(({ trees }) => trees.id === span)
  if (index < 0) throw new AppError('not_found', say('change_span_not_found'))
  return index
}

const from = (spans: readonly SpanChanges[], span: string) => spans.slice(indexOf(spans, span))

/** One span, or all of them. */
function only(spans: readonly SpanChanges[], span: string | undefined): readonly SpanChanges[] {
  return span === undefined ? spans : spans.slice(indexOf(spans, span), indexOf(spans, span) + 1)
}
