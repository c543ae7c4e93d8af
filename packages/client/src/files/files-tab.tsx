/** The files that the agent works in: a tree, a search, and what is in one. Nothing is changed here. */
import { RotateCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'
import { onForget } from '../auth/private-state.ts'
import { type FoundFile, type SearchFiles, useFileSearch } from '../composer/use-file-search.ts'
import type { PageSession } from '../live/page-session.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/panel-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { FilePreview } from './file-preview.tsx'
import { foldersAbove } from './file-tree.ts'
import { FileTreeView } from './file-tree-view.tsx'
import { FoundFiles } from './found-files.tsx'

interface FilesView {
  readonly sessionId: string
  /** Folders that are open in the tree. */
  readonly open: ReadonlySet<string>
  /** The file that is shown. */
  readonly file: string | undefined
}

/** Where somebody was, for when they come back from another tab. */
let left: FilesView | undefined
onForget(() => {
  left = undefined
})

export function FilesTab({ state }: { state: PageSession }) {
  const { id } = state
  const [view, setView] = useState<FilesView>(() =>
    left?.sessionId === id ? left : { sessionId: id, open: new Set(), file: undefined },
  )
  const [query, setQuery] = useState('')
  const [seen, setSeen] = useState<string>()
  const move = useCallback((change: Partial<FilesView>) => {
    setView((before) => {
      left = { ...before, ...change }
      return left
    })
  }, [])
  useFreshAfterTurns(state)
  const show = (file: string, kind: FoundFile['kind']) => {
    const above = new Set([...view.open, ...foldersAbove(file)])
    if (kind === 'file') return move({ file, open: above })
    setQuery('')
    move({ open: above.add(file) })
  }
  if (view.file !== undefined)
    return (
      <FilePreview
        sessionId={id}
        path={view.file}
        onBack={() => {
          setSeen(view.file)
          move({ file: undefined })
        }}
      />
    )
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-1 p-3 pb-2">
        <Input
          type="search"
          aria-label={text.files.search}
          placeholder={text.files.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return
            event.preventDefault()
            setQuery('')
          }}
        />
        <IconButton label={text.files.refresh} icon={RotateCw} onClick={() => void refresh(id)} />
      </div>
      {query.trim() === '' ? (
        <FileTreeView
          sessionId={id}
          open={view.open}
          setOpen={(open) => move({ open })}
          onChoose={show}
          returnTo={seen}
        />
      ) : (
        <Search sessionId={id} query={query.trim()} onChoose={show} />
      )}
    </div>
  )
}

interface SearchProps {
  sessionId: string
  query: string
  onChoose: (path: string, kind: FoundFile['kind']) => void
}

function Search({ sessionId, query, onChoose }: SearchProps) {
  const [search] = useState<SearchFiles>(() => async (q: string, signal: AbortSignal) => {
    const found = await api.searchSessionFiles({
      params: { id: sessionId },
      query: { q, limit: 100 },
      signal,
    })
    return found.files
  })
  return <FoundFiles found={useFileSearch(query, search)} onChoose={onChoose} />
}

const refresh = (id: string) => queryClient.invalidateQueries({ queryKey: ['files', id] })

/** What an agent does changes files: what is shown of them is asked for again when its turn ends. */
function useFreshAfterTurns({ id, turn }: PageSession): void {
  const isIdle = turn === undefined
  useEffect(() => {
    if (isIdle) void refresh(id)
  }, [id, isIdle])
}
