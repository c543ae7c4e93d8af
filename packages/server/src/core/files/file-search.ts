/** Files for mentions: found by some letters of their path, in a session's directory or in a workspace; and what is in them. */
import type { EndpointResponse, ParsedQuery } from '@dorkos/shared'
import { type FuzzyText, fuzzyQuery, fuzzyText } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileListing, WorkspaceFiles } from '../ports/workspace-files.ts'
import type { FileService } from '../services.ts'
import { bestPaths } from './best-paths.ts'
import { fileOf, folderOf, pieceOf } from './session-files.ts'

export interface FileSearchOptions {
  files: WorkspaceFiles
  clock: Pick<Clock, 'monotonic'>
  /** The directory that a session works in. Throws where agents may not work, or no longer. */
  directoryOfSession(actor: Actor, sessionId: string): Promise<string>
  directoryOfWorkspace(workspaceId: string): Promise<string>
}

type FuzzyQuery = ParsedQuery<'searchSessionFiles'>
type Found = EndpointResponse<'searchSessionFiles'>

interface Known {
  listing: FileListing
  files: FuzzyText[]
  all: FuzzyText[]
  complete: boolean
}

/** While somebody types, one listing is enough. */
const keptMs = 10_000
/** Whoever looks at folders wants to see what the agent has just made. */
const lookedAtMs = 1500
const keptDirectories = 4
/** Of how many files the times are checked, for those that were changed last. */
const checkedFiles = 5000
/** Some of the best may be gone by now. */
const spare = 50

export function createFileSearch(options: FileSearchOptions): FileService {
  const listings = createListings(options)
  const search = async (directory: string, { q, limit }: FuzzyQuery): Promise<Found> => {
    const known = await listings(directory)
    const query = fuzzyQuery(q)
    const files =
      query.lower === ''
        ? await changedLast(options.files, directory, known.files, limit)
        : await stillThere(options.files, directory, await bestPaths(query, known.all, limit + spare), limit)
    return { files, complete: known.complete }
  }
  return {
    ofSession: async (actor, id, query) => search(await options.directoryOfSession(actor, id), query),
    ofWorkspace: async (_actor, id, query) => search(await options.directoryOfWorkspace(id), query),
    async folder(actor, id, path) {
      const directory = await options.directoryOfSession(actor, id)
      return folderOf(options.files, directory, (await listings(directory, lookedAtMs)).listing, path)
    },
    read: async (actor, id, path) => fileOf(options.files, await options.directoryOfSession(actor, id), path),
    piece: async (actor, id, path, part) =>
      pieceOf(options.files, await options.directoryOfSession(actor, id), path, part),
  }
}

/** Lists one directory at a time, and remembers the last few. */
function createListings({
  files,
  clock,
}: FileSearchOptions): (directory: string, maxAgeMs?: number) => Promise<Known> {
  const known = new Map<string, { at: number; listing: Promise<Known> }>()
  let last: Promise<unknown> = Promise.resolve()
  return (directory, maxAgeMs = keptMs) => {
    for (const [path, { at }] of known) if (clock.monotonic() - at > keptMs) known.delete(path)
    const kept = known.get(directory)
    if (kept && clock.monotonic() - kept.at <= maxAgeMs) return kept.listing
    const entry = {
      at: clock.monotonic(),
      listing: last.then(async () => toKnown(await files.list(directory))),
    }
    const forget = () => known.get(directory) === entry && known.delete(directory)
    last = entry.listing.then(() => {
      entry.at = clock.monotonic()
    }, forget)
    known.set(directory, entry)
    const [oldest] = known.keys()
    if (known.size > keptDirectories && oldest !== undefined) known.delete(oldest)
    return entry.listing
  }
}

function toKnown(listing: FileListing): Known {
  const { files, directories, complete } = listing
  const texts = files.map(fuzzyText)
  return { listing, files: texts, all: [...texts, ...directories.map(fuzzyText)], complete }
}

async function stillThere(
  files: WorkspaceFiles,
  directory: string,
  paths: readonly string[],
  limit: number,
): Promise<Found['files']> {
  const seen = await files.inspect(directory, paths)
  return paths
    .flatMap((path, index) => {
      const found = seen[index]
      return found ? [{ path, kind: found.kind }] : []
    })
    .slice(0, limit)
}

/** Where there are very many files, only of those that lie highest up. */
async function changedLast(
  files: WorkspaceFiles,
  directory: string,
  texts: readonly FuzzyText[],
  limit: number,
): Promise<Found['files']> {
  const depth = ({ path }: FuzzyText) => path.split('/').length
  const near =
    texts.length <= checkedFiles
      ? texts
      : texts
          .map((text) => ({ text, depth: depth(text) }))
          .toSorted((a, b) => a.depth - b.depth)
          .slice(0, checkedFiles)
          .map(({ text }) => text)
  const paths = near.map(({ path }) => path)
  const seen = await files.inspect(directory, paths)
  return paths
    .flatMap((path, index) => {
      const found = seen[index]
      return found ? [{ path, ...found }] : []
    })
    .toSorted((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path, kind }) => ({ path, kind }))
}
