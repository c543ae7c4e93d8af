import { memo, type ReactNode, useEffect, useState } from 'react'
import { text as words } from '../text/text.ts'
import { loadPart } from '../ui/load-part.ts'
import { mathElements } from './math-tree.ts'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'

type ToTree = (source: string, display: boolean) => unknown

/** Set when the renderer has come: formulas after that are drawn at once. */
let toTree: ToTree | undefined
let loading: Promise<void> | undefined
const maxSource = 5000

/** A formula as MathML. Its source until the renderer is there, and when it cannot be read. */
export const MathFormula = memo(function MathFormula({
  source,
  display,
}: {
  source: string
  display: boolean
}) {
  const [ready, setReady] = useState(toTree !== undefined)
  useEffect(() => {
    if (ready) return
    let mounted = true
    loading ??= load()
    loading.then(
      () => mounted && setReady(true),
      () => undefined,
    )
    return () => {
      mounted = false
    }
  }, [ready])
  const formula = draw(source, display)
  if (!display) return formula ?? <MathSource source={source} />
  return (
    <ScrollBox
      inline
      label={words.render.math}
      className="block max-w-full overflow-x-auto overflow-y-hidden py-2 text-center"
    >
      {formula ?? <MathSource source={source} />}
    </ScrollBox>
  )
})

function MathSource({ source }: { source: string }) {
  return (
    <code className="font-mono text-[0.875em] text-soft" dir="ltr">
      <SafeText text={source} />
    </code>
  )
}

function draw(source: string, display: boolean): ReactNode | undefined {
  if (!toTree || source.length > maxSource) return undefined
  try {
    return mathElements(toTree(source, display))
  } catch {
    return undefined
  }
}

async function load(): Promise<void> {
  const { default: temml } = await loadPart(() => import('temml'))
  toTree = (source, display) =>
    temml.__renderToMathMLTree(source, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxSize: [20, 20],
      maxExpand: 500,
    })
}
