/** What changed in a file: part by part, each with a way to take it back. */
import type { FileComparison, Hunk } from '@dorkos/shared'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Code } from '../render/code.tsx'
import { Diff } from '../render/diff.tsx'
import { DiffTable } from '../render/diff-table.tsx'
import { languageOfFile } from '../render/languages.ts'
import { SafeText } from '../render/safe-text.tsx'
import { useDiffLayout } from '../render/use-diff-layout.ts'
import { text } from '../text/panel-text.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { loadPart } from '../ui/load-part.ts'
import type { ShownHunk } from './hunks.ts'

/** More parts than this are drawn as one. */
const maxHunks = 60

interface FileDiffProps {
  comparison: FileComparison
  /** Undefined where it may not, or cannot be taken back. */
  onRevert: ((hunk: Hunk) => void) | undefined
}

export function FileDiff({ comparison, onRevert }: FileDiffProps) {
  const { before, after, path } = comparison
  if (!isShown(before) || !isShown(after)) return <NoText comparison={comparison} />
  const [old, now] = [before?.text ?? '', after?.text ?? '']
  return <Parts before={old} after={now} path={path} onRevert={onRevert} />
}

const isShown = (side: FileComparison['before']) => !side || (side.text !== undefined && side.kind !== 'link')

function NoText({ comparison: { before, after } }: { comparison: FileComparison }) {
  const side = after ?? before
  return (
    <p className="px-3 py-2 text-sm text-soft">
      {side?.kind === 'large' && text.changes.notKept}
      {side?.kind === 'link' && <SafeText text={text.changes.link(side.text ?? '')} />}
      {side && side.kind !== 'large' && side.kind !== 'link' && text.changes.notText(formatBytes(side.bytes))}
    </p>
  )
}

interface PartsProps {
  before: string
  after: string
  path: string
  onRevert: FileDiffProps['onRevert']
}

function Parts({ before, after, path, onRevert }: PartsProps) {
  const hunks = useHunks(before, after)
  if (hunks === undefined) return <div aria-busy className="h-16" />
  if (hunks === 'whole' || hunks.length > maxHunks)
    return <Diff before={before} after={after} fileName={path} />
  return (
    <div className="flex flex-col">
      {hunks.map((shown) => (
        <Part key={`${shown.hunk.before_line}:${shown.hunk.after_line}`} shown={shown} onRevert={onRevert} />
      ))}
    </div>
  )
}

function Part({ shown, onRevert }: { shown: ShownHunk; onRevert: FileDiffProps['onRevert'] }) {
  const [layout] = useDiffLayout()
  const { hunk, result, from, to } = shown
  return (
    <figure className="border-t border-line">
      <figcaption className="flex min-h-8 items-center gap-2 bg-raised pr-1 pl-3 text-xs text-soft">
        <span className="flex-1">{text.changes.lines(from, to)}</span>
        {onRevert && (
          <Button size="sm" variant="ghost" icon={Undo2} onClick={() => onRevert(hunk)}>
            {text.changes.revertLines}
          </Button>
        )}
      </figcaption>
      <DiffTable result={result} layout={layout} whole={false} />
    </figure>
  )
}

function useHunks(before: string, after: string): ShownHunk[] | 'whole' | undefined {
  const key = `${before}\0${after}`
  const [state, setState] = useState<{ key: string; hunks: ShownHunk[] | 'whole' }>()
  useEffect(() => {
    let mounted = true
    loadPart(() => import('./hunks.ts')).then(
      ({ hunksOf }) => mounted && setState({ key, hunks: hunksOf(before, after) ?? 'whole' }),
      () => mounted && setState({ key, hunks: 'whole' }),
    )
    return () => {
      mounted = false
    }
  }, [before, after, key])
  return state?.key === key ? state.hunks : undefined
}

/** The file as the last change left it. */
export function WholeFile({ comparison }: { comparison: FileComparison }) {
  const { after, path } = comparison
  if (!after) return <p className="px-3 py-2 text-sm text-soft">{text.changes.noFile}</p>
  if (!isShown(after)) return <NoText comparison={comparison} />
  return <Code text={after.text ?? ''} language={languageOfFile(path)} />
}
