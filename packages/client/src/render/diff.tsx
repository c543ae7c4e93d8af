import { Columns2, Rows2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { text as words } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { loadPart } from '../ui/load-part.ts'
import { Code } from './code.tsx'
import type { PatchHunk } from './diff-lines.ts'
import type { DiffResult } from './diff-rows.ts'
import { DiffTable } from './diff-table.tsx'
import { FoldedText } from './folded-text.tsx'
import { SafeText, withVisibleControls } from './safe-text.tsx'
import { sequence } from './sequence.ts'
import { useDiffLayout } from './use-diff-layout.ts'

type DiffModule = typeof import('./diff-lines.ts')

interface DiffProps {
  before: string
  after: string
  fileName?: string
  /** The number of the first line of both, when they are parts of a file. */
  firstLine?: number
  /** It is to be allowed: nothing is cut off or out of sight at a side, neither of the lines nor of the name. */
  whole?: boolean
}

/** What changed between two texts. */
export function Diff({ before, after, fileName, firstLine = 1, whole = false }: DiffProps) {
  const result = useDiff(
    (module) => module.diffTexts(before, after, firstLine),
    `${firstLine}\n${before}\n\0${after}`,
  )
  if (whole && result === undefined) return <BothTexts before={before} after={after} fileName={fileName} />
  const isNew = before === ''
  const same = before === after ? (isNew ? words.render.diffEmpty : undefined) : words.render.diffLineEnds
  return (
    <DiffView
      result={result}
      fileName={fileName}
      newFile={isNew && !whole}
      fallback={after}
      same={same}
      whole={whole}
    />
  )
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
    loadPart(() => import('./diff-lines.ts')).then(
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
  /** What is said when no line differs. */
  same?: string | undefined
  whole?: boolean
}

function DiffView({ result, fileName, newFile, fallback, same, whole = false }: DiffViewProps) {
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
    <figure
      aria-busy={done === undefined || undefined}
      className="my-2 overflow-hidden rounded-lg border border-line bg-card"
    >
      <figcaption className="flex min-h-9 items-center gap-2 border-b border-line bg-raised pr-1 pl-3 text-xs text-soft">
        <FileName name={fileName} whole={whole} />
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
        <p className="px-3 py-2 text-sm text-soft">{same ?? words.render.diffNone}</p>
      ) : (
        done && <DiffTable result={done} layout={layout} whole={whole} />
      )}
      {!done && <div className="h-24" />}
    </figure>
  )
}

/** What stands in for a comparison that could not be made. */
function BothTexts({
  before,
  after,
  fileName,
}: {
  before: string
  after: string
  fileName?: string | undefined
}) {
  const t = words.render
  return (
    <figure className="my-2 rounded-lg border border-line bg-card px-3 py-2 text-xs">
      <figcaption className="flex text-soft">
        <FileName name={fileName} whole />
      </figcaption>
      {sequence([before, after], (text, side) => (
        <>
          <p className="pt-2 text-soft">{side === 0 ? t.diffBefore : t.diffAfter}</p>
          <pre dir="ltr" className="font-mono leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
            <FoldedText text={text} />
          </pre>
        </>
      ))}
    </figure>
  )
}

function FileName({ name = '', whole = false }: { name: string | undefined; whole?: boolean }) {
  return (
    <bdi
      dir="ltr"
      className={cx('min-w-0 flex-1 font-mono', whole ? 'py-1.5 break-all' : 'truncate')}
      title={whole ? undefined : withVisibleControls(name)}
    >
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
