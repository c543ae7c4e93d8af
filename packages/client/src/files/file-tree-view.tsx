/** Files and folders as a tree, with the keys that trees have: one of its rows has the focus, and arrows move it. */
import { ChevronRight, File, Folder, FolderOpen, FolderTree } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'
import { cx } from '../ui/class-names.ts'
import { Empty } from '../ui/page.tsx'
import { QueryFault } from '../ui/query-view.tsx'
import { Loading } from '../ui/spinner.tsx'
import { type TreeRow, treeMove, treeRows } from './file-tree.ts'
import { useFolders } from './use-folders.ts'

interface FileTreeViewProps {
  sessionId: string
  open: ReadonlySet<string>
  setOpen: (open: ReadonlySet<string>) => void
  onChoose: (path: string, kind: 'file') => void
  /** The file that was looked at: whoever comes back from it goes on there. */
  returnTo: string | undefined
}

export function FileTreeView({ sessionId, open, ...tree }: FileTreeViewProps) {
  const { folders, root, complete } = useFolders(sessionId, open)
  const rows = treeRows(folders, open)
  if (root.isPending) return <Loading />
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      <QueryFault query={root as Parameters<typeof QueryFault>[0]['query']} />
      {rows.length === 0 && !root.error && (
        <Empty icon={FolderTree} title={text.files.empty}>
          {text.files.emptyHint}
        </Empty>
      )}
      {rows.length > 0 && <Tree {...tree} rows={rows} open={open} />}
      {!complete && <p className="px-2 pt-2 text-xs text-soft">{text.files.more}</p>}
    </div>
  )
}

interface TreeProps extends Omit<FileTreeViewProps, 'sessionId'> {
  rows: readonly TreeRow[]
}

function Tree({ rows, open, setOpen, onChoose, returnTo }: TreeProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(returnTo)
  // Whose row is gone goes on from the first.
  const current = rows.some(({ path }) => path === at) ? at : rows[0]?.path
  const isMoved = useRef(returnTo !== undefined)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    ref.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus()
  })
  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  const press = (row: TreeRow) => {
    if (row.kind === 'file') onChoose(row.path, 'file')
    else toggle(row.path)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const move = treeMove(event.key, rows, current ?? '')
    if (move === undefined) return
    event.preventDefault()
    if ('focus' in move) {
      isMoved.current = true
      setAt(move.focus)
    } else if ('choose' in move) onChoose(move.choose, 'file')
    else toggle('open' in move ? move.open : move.close)
  }
  return (
    <div ref={ref} role="tree" aria-label={text.files.tree} onKeyDown={onKey}>
      {rows.map((row) => (
        <TreeItem
          key={row.path}
          row={row}
          isCurrent={row.path === current}
          onFocus={() => setAt(row.path)}
          onPress={() => press(row)}
        />
      ))}
    </div>
  )
}

interface TreeItemProps {
  row: TreeRow
  isCurrent: boolean
  onFocus: () => void
  onPress: () => void
}

function TreeItem({ row, isCurrent, onFocus, onPress }: TreeItemProps) {
  const { path, name, kind, level, isOpen, position, of, content } = row
  const isFolder = kind === 'directory'
  const Icon = isFolder ? (isOpen ? FolderOpen : Folder) : File
  const note = !isOpen || content === 'listed' ? undefined : content
  return (
    <button
      type="button"
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={of}
      aria-expanded={isFolder ? isOpen : undefined}
      tabIndex={isCurrent ? 0 : -1}
      title={path}
      onFocus={onFocus}
      onClick={onPress}
      style={{ paddingLeft: `${(level - 1) * 0.875 + 0.25}rem` }}
      className="flex min-h-7 w-full items-center gap-1.5 rounded-md pr-2 text-left text-sm -outline-offset-2 hover:bg-hover max-sm:min-h-11"
    >
      <ChevronRight
        aria-hidden
        size={14}
        className={cx('shrink-0 text-faint', isOpen && 'rotate-90', !isFolder && 'invisible')}
      />
      <Icon aria-hidden size={15} className="shrink-0 text-faint" />
      <bdi className="min-w-0 truncate">
        <SafeText text={name} />
      </bdi>
      {note !== undefined && (
        <span className="shrink-0 text-xs text-faint">
          {note === 'empty' ? text.files.emptyFolder : text.files.loadingFolder}
        </span>
      )}
    </button>
  )
}
