/** What a session changed, by span and in total. Pure. */
import type { ChangedFile, ChangeSpan } from '@dorkos/shared'
import { type FileChange, type FileVersion, isSameVersion } from '../ports/file-snapshots.ts'
import type { TurnTrees } from '../ports/turn-trees.ts'

export interface SpanChanges {
  trees: TurnTrees
  /** By path; none where its snapshots are not kept. */
  changes: ReadonlyMap<string, FileChange>
  running: boolean
}

/** One file over several spans. */
export interface SummedFile {
  path: string
  before: FileVersion | undefined
  /** As the last span left it. */
  after: FileVersion | undefined
  by: ChangedFile['by']
}

export function hashOf(version: FileVersion | undefined): string {
  return version ? `${version.kind}:${version.hash}` : 'absent'
}

/** Every path that one of these spans changed, sorted. */
export function changedPaths(spans: readonly SpanChanges[]): string[] {
  return [...new Set(spans.flatMap(({ changes }) => [...changes.keys()]))].toSorted((a, b) =>
    a < b ? -1 : 1,
  )
}

/**
 * From before the first of these spans that changed it to after the last. It is the agent's alone only where file tools wrote it in
 * each, and nobody did in between. Undefined where none changed it.
 */
export function sumFile(spans: readonly SpanChanges[], path: string): SummedFile | undefined {
  const touching = spans.flatMap((span) => {
    const change = span.changes.get(path)
    return change ? [{ span, change }] : []
  })
  const [first, last] = [touching[0], touching.at(-1)]
  if (!first || !last) return undefined
  const authors = touching.flatMap(({ span }) =>
    span.trees.kind === 'reverted' ? [] : [authorIn(span, path)],
  )
  const isUnbroken = touching.every(({ change }, index) => {
    const earlier = touching[index - 1]
    return !earlier || isSameVersion(earlier.change.after, change.before)
  })
  return {
    path,
    before: first.change.before,
    after: last.change.after,
    by: isUnbroken || !authors.includes('agent') ? together(authors) : 'both',
  }
}

function authorIn({ trees }: SpanChanges, path: string): ChangedFile['by'] {
  const named = trees.named.find((one) => one.path === path)
  if (!named) return 'command_or_person'
  return named.mixed ? 'both' : 'agent'
}

function together(authors: readonly ChangedFile['by'][]): ChangedFile['by'] {
  const [first = 'command_or_person'] = authors
  return authors.every((author) => author === first) ? first : 'both'
}

function toChange(before: FileVersion | undefined, after: FileVersion | undefined): ChangedFile['change'] {
  if (!before) return 'created'
  return after ? 'modified' : 'deleted'
}

const isRestorable = (before: FileVersion | undefined) => before?.kind !== 'large'

export function spanView(span: SpanChanges): ChangeSpan {
  const { id, kind, turnId, at, complete, outside } = span.trees
  const files = [...span.changes.values()].map(({ path, before, after }) => ({
    path,
    change: toChange(before, after),
    by: authorIn(span, path),
    restorable: isRestorable(before),
  }))
  return {
    id,
    kind,
    ...(turnId !== undefined && { turn_id: turnId }),
    time: at,
    running: span.running,
    complete,
    files,
    outside,
  }
}

/** Undefined for what is as it was before, whoever put it back. */
export function totalView(file: SummedFile, now: FileVersion | undefined): ChangedFile | undefined {
  const { path, before, after, by } = file
  if (isSameVersion(before, now)) return undefined
  return {
    path,
    change: toChange(before, now),
    by,
    restorable: isRestorable(before),
    changed_since: !isSameVersion(after, now),
    hash: hashOf(now),
  }
}

/** Why a file is not put back without a person's word; undefined where it is certain to be the agent's. */
export function whyAsk(
  { after, by }: SummedFile,
  now: FileVersion | undefined,
): 'changed_since' | 'command_or_person' | 'both' | undefined {
  if (!isSameVersion(after, now)) return 'changed_since'
  return by === 'agent' ? undefined : by
}
