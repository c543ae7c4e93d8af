import { Columns2, Rows2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { text as words } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { Code } from './code.tsx'
import type { PatchHunk } from './diff-lines.ts'
import type { DiffResult } from './diff-rows.ts'
import { DiffTable } from './diff-table.tsx'
import { SafeText, withVisibleControls } from './safe-text.tsx'
import { useDiffLayout } from './use-diff-layout.ts'

type DiffModule = typeof import('./diff-lines.ts')

interface DiffProps {
  before: string
  after: string
  fileName?: string
  /** The number of the first line of both, when they are parts of a file. */
  firstLine?: number
}

/** What changed between two texts. */
export function Diff({ before, after, fileName, firstLine = 1 }: DiffProps) {
  const result = useDiff(
    (module) => module.diffTexts(before, after, firstLine),
    `${firstLine}\n${before}\n\0${after}`,
  )
  const newFile = before === ''
  return <DiffView result={result} fileName={fileName} newFile={newFile} fallback={after} />
}

interface PatchViewProps {
  /** The text of a unified diff, or hunks. */
  patch: string | readonly PatchHunk[]
  fileName?: string
}

export function PatchView({ patch, fileName }: PatchViewProps) {
  const source = typeof patch === 'string' ? patch : patch.flatMap((hunk) => hunk.lines).join('\n')
  const result = useDiff((module) => module.patchRows(patch), source)
  return <DiffView result={result} fileName={fileName} newFile={false} fallback={source} />
}

/** 'loading' until the module is there; undefined if the patch cannot be read. */
function useDiff(
  compute: (module: DiffModule) => DiffResult | undefined,
  key: string,
): DiffResult | 'loading' | undefined {
  const [state, setState] = useState<{ key: string; result: DiffResult | undefined }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what is computed.
  useEffect(() => {
    let mounted = true
    import('./diff-lines.ts').then(
      (module) => mounted && setState({ key, result: compute(module) }),
      () => mounted && setState({ key, result: undefined }),
    )
    return () => {
      mounted = false
    }
  }, [key])
  return state?.key === key ? state.result : 'loading'
}

interface DiffViewProps {
  result: DiffResult | 'loading' | undefined
  fileName: string | undefined
  newFile: boolean
  fallback: string
}

function DiffView({ result, fileName, newFile, fallback }: DiffViewProps) {
  const [layout, setLayout] = useDiffLayout()
  if (result === undefined) {
    return (
      <div>
        <p className="text-xs text-soft">{words.render.diffUnreadable}</p>
        <Code text={fallback} language="diff" />
      </div>
    )
  }
  const done = result === 'loading' ? undefined : result
  const other = layout === 'split' ? 'unified' : 'split'
  return (
    <figure className="my-2 overflow-hidden rounded-lg border border-line bg-card">
      <figcaption className="flex min-h-9 items-center gap-2 border-b border-line bg-raised pr-1 pl-3 text-xs text-soft">
        <FileName name={fileName} />
        {newFile && <span className="shrink-0">{words.render.diffNewFile}</span>}
        {done && <Counts added={done.added} removed={done.removed} />}
        <IconButton
          label={other === 'split' ? words.render.diffSplit : words.render.diffUnified}
          icon={other === 'split' ? Columns2 : Rows2}
          iconSize={15}
          className="max-sm:hidden"
          onClick={() => setLayout(other)}
        />
      </figcaption>
      {done?.rough && <p className="px-3 py-1 text-xs text-warn">{words.render.diffTooBig}</p>}
      {done && done.added + done.removed === 0 && !done.sections.some((section) => section.noNewline) ? (
        <p className="px-3 py-2 text-sm text-soft">{words.render.diffNone}</p>
      ) : (
        done && <DiffTable result={done} layout={layout} />
      )}
      {!done && <div className="h-24" />}
    </figure>
  )
}

function FileName({ name = '' }: { name: string | undefined }) {
  return (
    <bdi dir="ltr" className="min-w-0 flex-1 truncate font-mono" title={withVisibleControls(name)}>
      <SafeText text={name === '' ? words.render.diff : name} />
    </bdi>
  )
}

function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="flex shrink-0 gap-1.5 font-mono tabular-nums">
      <span className="text-ok" title={words.render.diffAdded(added)}>
        {`+${added}`}
      </span>
      <span className="text-danger" title={words.render.diffRemoved(removed)}>
        {`−${removed}`}
      </span>
    </span>
  )
}
