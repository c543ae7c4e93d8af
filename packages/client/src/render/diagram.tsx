import { ChartNetwork, Code as CodeIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Code } from './code.tsx'
import { DiagramFrame } from './diagram-frame.tsx'
import { maxDiagramSource } from './diagram-messages.ts'

/** A mermaid diagram. Its source as code while it streams, and when it cannot be drawn; drawn once it comes into view. */
export function Diagram({ source, streaming = false }: { source: string; streaming?: boolean }) {
  const [mode, setMode] = useState<'picture' | 'source'>('picture')
  const [failed, setFailed] = useState<string>()
  const drawable = !streaming && source.length <= maxDiagramSource && failed !== source
  if (!drawable) {
    return (
      <div>
        <Code text={source} language="mermaid" streaming={streaming} />
        {!streaming && <p className="text-xs text-soft">{text.render.diagramFailed}</p>}
      </div>
    )
  }
  const other = mode === 'picture' ? 'source' : 'picture'
  return (
    <figure className="my-2 overflow-hidden rounded-lg border border-line bg-card">
      <figcaption className="flex items-center pr-1 pl-3 text-xs text-soft">
        <span className="flex-1">{text.render.diagram}</span>
        <IconButton
          label={other === 'source' ? text.render.diagramSource : text.render.diagramPicture}
          icon={other === 'source' ? CodeIcon : ChartNetwork}
          iconSize={15}
          onClick={() => setMode(other)}
        />
        <CopyButton value={source} />
      </figcaption>
      {mode === 'source' ? (
        <Code text={source} bare />
      ) : (
        <InView>
          <DiagramFrame source={source} onFailed={() => setFailed(source)} />
        </InView>
      )}
    </figure>
  )
}

/** Its children from the time on when it is scrolled near. */
function InView({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || seen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  return (
    <div ref={ref} className="min-h-24">
      {seen && children}
    </div>
  )
}
