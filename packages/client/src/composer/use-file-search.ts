/** Files for a mention, while it is typed: asked for a moment after the last key, and not twice for the same letters. */
import { useEffect, useState } from 'react'

export interface FoundFile {
  readonly path: string
  readonly kind: 'file' | 'directory'
}

export type SearchFiles = (query: string, signal: AbortSignal) => Promise<readonly FoundFile[]>

export interface FileSearch {
  readonly state: 'searching' | 'ready' | 'failed'
  readonly files: readonly FoundFile[]
}

const debounceMs = 90
const keptMs = 15_000
const maxKept = 50
const nothing: FileSearch = { state: 'searching', files: [] }

const kept = new WeakMap<SearchFiles, Map<string, { at: number; files: readonly FoundFile[] }>>()

/** `query` is undefined while no mention is typed. What was found last stays until the next answer. */
export function useFileSearch(query: string | undefined, search: SearchFiles | undefined): FileSearch {
  const [found, setFound] = useState<FileSearch>(nothing)
  useEffect(() => {
    if (query === undefined || !search) return setFound(nothing)
    const known = knownFiles(search, query)
    if (known) return setFound({ state: 'ready', files: known })
    setFound(({ files }) => ({ state: 'searching', files }))
    const abort = new AbortController()
    const timer = setTimeout(() => {
      search(query, abort.signal).then(
        (files) => {
          remember(search, query, files)
          if (!abort.signal.aborted) setFound({ state: 'ready', files })
        },
        () => abort.signal.aborted || setFound({ state: 'failed', files: [] }),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query, search])
  return found
}

function knownFiles(search: SearchFiles, query: string): readonly FoundFile[] | undefined {
  const entry = kept.get(search)?.get(query)
  return entry && Date.now() - entry.at < keptMs ? entry.files : undefined
}

function remember(search: SearchFiles, query: string, files: readonly FoundFile[]): void {
  const all = kept.get(search) ?? new Map()
  all.delete(query)
  all.set(query, { at: Date.now(), files })
  const [oldest] = all.keys()
  if (all.size > maxKept && oldest !== undefined) all.delete(oldest)
  kept.set(search, all)
}
