/**
 * What one process of a session changes in its directory: a snapshot before the first call of a turn that may write, another when the
 * turn is over. A turn that only reads costs nothing. What file tools say that they write is followed call by call, so that what a person
 * or a command writes to the same file meanwhile is noticed. Nothing here fails a call: what cannot be kept is logged, and said.
 */
import { randomUUID } from 'node:crypto'
import { relative, sep } from 'node:path'
import type { Logger } from '../logger.ts'
import type { ToolCallRan } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import { type FileSnapshots, type FileVersion, isSameVersion } from '../ports/file-snapshots.ts'
import type { TurnTreeStore, TurnTrees } from '../ports/turn-trees.ts'
import { isInside, realPath } from '../real-path.ts'
import type { ProcessChanges } from '../sessions/process-session.ts'
import { mayWrite, writtenPath } from './may-write.ts'

export interface TrackedSession {
  sessionId: string
  directory: string
  /** Files changed: whoever shows them asks again. */
  updated(): void
  /** The process is gone. */
  closed(): void
}

export interface TrackingParts {
  snapshots: FileSnapshots
  trees: TurnTreeStore
  clock: Clock
  logger: Logger
}

interface NamedFile {
  /** As the last call left it, or found it. */
  last: FileVersion | undefined
  mixed: boolean
}

/** From a snapshot on until the next. */
interface Span {
  trees: TurnTrees
  since: number
  named: Map<string, NamedFile>
  /** Calls that may have run. */
  calls: Set<string>
}

export class TrackedChanges implements ProcessChanges {
  readonly #parts: TrackingParts
  readonly #session: TrackedSession
  #span: Span | undefined
  #turnId: string | undefined
  #backgroundTasks = 0
  /** One thing after the other. */
  #last: Promise<void>

  constructor(parts: TrackingParts, session: TrackedSession) {
    this.#parts = parts
    this.#session = session
    this.#last = this.#guarded(() => this.#endLeft())
  }

  beforeCall({ toolCallId, tool, input }: ToolCallRan): Promise<void> {
    if (!mayWrite(tool)) return Promise.resolve()
    return this.#inOrder(async () => {
      const span = await this.#spanFor(toolCallId)
      span.calls.add(toolCallId)
      const path = await this.#pathOf(tool, input)
      if (path?.outside !== undefined)
        span.trees.outside = [...new Set([...span.trees.outside, path.outside])]
      if (path?.inside !== undefined) await this.#name(span, path.inside)
    })
  }

  afterCall({ tool, input }: ToolCallRan): Promise<void> {
    if (!this.#span || !mayWrite(tool)) return Promise.resolve()
    return this.#inOrder(async () => {
      const path = (await this.#pathOf(tool, input))?.inside
      const named = path === undefined ? undefined : this.#span?.named.get(path)
      if (named && path !== undefined) named.last = await this.#now(path)
    })
  }

  turnBegan(turnId: string): void {
    this.#turnId = turnId
  }

  turnEnded(): void {
    this.#turnId = undefined
    void this.#inOrder(async () => {
      const span = this.#span
      if (!span) return
      const after = await this.#end(span)
      // What runs on in the background is followed from here.
      if (this.#backgroundTasks > 0 && after !== undefined) await this.#begin('background', after)
    })
  }

  backgroundTasksChanged(count: number): void {
    this.#backgroundTasks = count
    if (count > 0) return
    void this.#inOrder(async () => {
      if (this.#span?.trees.kind === 'background') await this.#end(this.#span)
    })
  }

  /** What has changed so far in what goes on; undefined when nothing does. */
  async running(): Promise<TurnTrees | undefined> {
    let found: TurnTrees | undefined
    await this.#inOrder(async () => {
      if (this.#span?.trees.before !== undefined) found = await this.#taken(this.#span)
    })
    return found
  }

  /** Resolves when what was asked for so far is done. */
  settled(): Promise<void> {
    return this.#last
  }

  async close(): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#span) await this.#end(this.#span)
    })
    this.#session.closed()
  }

  get #holder() {
    const { directory, sessionId } = this.#session
    return { directory, sessionId }
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => this.#guarded(work))
    return this.#last
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const { sessionId } = this.#session
      this.#parts.logger.warn({ sessionId, err: error }, 'changed files could not be followed')
    }
  }

  /** A server that was killed left a span open: what has changed since is in it, by whomever. */
  async #endLeft(): Promise<void> {
    for (const trees of await this.#parts.trees.list(this.#session.sessionId)) {
      if (trees.after !== undefined || trees.before === undefined || !trees.complete) continue
      const taken = await this.#parts.snapshots.take(this.#holder, [])
      await this.#parts.trees.put({ ...trees, after: taken.tree, complete: taken.complete })
      this.#session.updated()
    }
  }

  async #spanFor(toolCallId: string): Promise<Span> {
    const span = this.#span
    const kind = this.#turnId === undefined ? 'background' : 'turn'
    if (!span) return this.#begin(kind)
    if (span.trees.kind === 'background' && kind === 'turn') return this.#begin(kind, await this.#end(span))
    // The same call again: a person has been asked in between, and nothing has run.
    const isAgain = span.calls.size === 1 && span.calls.has(toolCallId)
    return isAgain ? this.#begin(kind, undefined, span.trees.id) : span
  }

  async #begin(kind: 'turn' | 'background', tree?: string, id: string = randomUUID()): Promise<Span> {
    const { snapshots, clock } = this.#parts
    const { sessionId, directory } = this.#session
    const since = clock.now()
    const trees: TurnTrees = {
      id,
      sessionId,
      kind,
      ...(this.#turnId !== undefined && kind === 'turn' && { turnId: this.#turnId }),
      directory,
      before: tree,
      after: undefined,
      named: [],
      outside: [],
      complete: true,
      at: isoTime(since),
    }
    const span: Span = { trees, since, named: new Map(), calls: new Set() }
    this.#span = span
    try {
      if (tree === undefined) {
        const taken = await snapshots.take(this.#holder, await this.#namedBefore())
        trees.before = taken.tree
        trees.complete = taken.complete
      }
    } catch (error) {
      trees.complete = false
      await this.#parts.trees.put(trees)
      throw error
    }
    await this.#parts.trees.put(trees)
    return span
  }

  /** What file tools of the session wrote so far, ignored by git or not. */
  async #namedBefore(): Promise<string[]> {
    const all = await this.#parts.trees.list(this.#session.sessionId)
    return [...new Set(all.flatMap(({ named }) => named.map(({ path }) => path)))]
  }

  async #name(span: Span, path: string): Promise<void> {
    const { snapshots } = this.#parts
    const { trees, since, named } = span
    if (trees.before === undefined) return
    const known = named.get(path)
    if (!known) trees.before = await snapshots.addUnseen(this.#holder, { tree: trees.before, since }, path)
    const now = await this.#now(path)
    const expected = known
      ? known.last
      : (await snapshots.inTree(this.#session.directory, trees.before, [path]))[0]
    const mixed = !isSameVersion(expected, now) || known?.mixed === true
    named.set(path, { last: now, mixed })
  }

  async #now(path: string): Promise<FileVersion | undefined> {
    return (await this.#parts.snapshots.now(this.#session.directory, [path]))[0]
  }

  async #end(span: Span): Promise<string | undefined> {
    this.#span = undefined
    if (span.trees.before === undefined) return undefined
    const { trees: store, snapshots } = this.#parts
    const trees = await this.#taken(span).catch(async (error: unknown) => {
      await store.put({ ...span.trees, complete: false })
      throw error
    })
    const changes = await snapshots.changed(trees.directory, trees.before ?? '', trees.after ?? '')
    if (changes.length === 0 && trees.outside.length === 0 && trees.complete) await store.remove(trees.id)
    else {
      await store.put(trees)
      this.#session.updated()
    }
    return trees.after
  }

  async #taken({ trees, since, named }: Span): Promise<TurnTrees> {
    const { snapshots } = this.#parts
    const earlier = { tree: trees.before ?? '', since }
    const paths = [...named.keys()]
    const { before, tree, complete } = await snapshots.takeAfter(this.#holder, earlier, paths)
    const after = await snapshots.inTree(this.#session.directory, tree, paths)
    return {
      ...trees,
      before,
      after: tree,
      complete: trees.complete && complete,
      named: [...named].map(([path, { last, mixed }], index) => ({
        path,
        mixed: mixed || !isSameVersion(last, after[index]),
      })),
    }
  }

  async #pathOf(
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<{ inside?: string; outside?: string } | undefined> {
    const { directory } = this.#session
    const meant = writtenPath(tool, input, directory)
    if (meant === undefined) return undefined
    const [folder, path] = await Promise.all([realPath(directory), realPath(meant)])
    if (!isInside(folder, path)) return { outside: path }
    return { inside: relative(folder, path).split(sep).join('/') }
  }
}
