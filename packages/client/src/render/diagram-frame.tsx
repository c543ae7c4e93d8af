import { useEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { type DrawDiagram, readDiagramAnswer } from './diagram-messages.ts'
import { usePageTheme } from './page-theme.ts'

const patience = 15_000
const firstHeight = 160

/** Smaller than this its words cannot be read: it is scrolled sideways then. */
const smallest = 0.6

/** A shadow at each edge beyond which there is more: covers that scroll along hide it at the ends. */
const edges = {
  background: [
    'linear-gradient(to right, var(--card) 40%, transparent) left / 2.5rem 100% no-repeat local',
    'linear-gradient(to left, var(--card) 40%, transparent) right / 2.5rem 100% no-repeat local',
    'linear-gradient(to right, var(--line-strong), transparent) left / 0.75rem 100% no-repeat scroll',
    'linear-gradient(to left, var(--line-strong), transparent) right / 0.75rem 100% no-repeat scroll',
  ].join(', '),
}

/** As wide as there is room, at most in its own size. */
function fitted({ width, height }: { width: number; height: number }) {
  return {
    maxWidth: width,
    minWidth: Math.ceil(width * smallest),
    height: 'auto',
    aspectRatio: `${width} / ${height}`,
  }
}

/** The sandboxed frame: scripts, but no origin, so it reaches nothing of the page or the server. */
export function DiagramFrame({ source, onFailed }: { source: string; onFailed: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const theme = usePageTheme()
  const [ready, setReady] = useState(false)
  const [size, setSize] = useState<{ width: number; height: number }>()
  const fail = useRef(onFailed)
  fail.current = onFailed

  useEffect(() => {
    const hear = (event: MessageEvent) => {
      if (!frame.current || event.source !== frame.current.contentWindow) return
      const answer = readDiagramAnswer(event.data)
      if (answer?.type === 'ready') setReady(true)
      else if (answer?.type === 'drawn') setSize({ width: answer.width, height: answer.height })
      else if (answer?.type === 'failed') fail.current()
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [])

  useEffect(() => {
    if (!ready) return
    // A frame without an origin can only be named by '*'; what is sent is the model's own text.
    frame.current?.contentWindow?.postMessage({ type: 'draw', source, theme } satisfies DrawDiagram, '*')
  }, [ready, source, theme])

  const drawn = size !== undefined
  useEffect(() => {
    if (drawn) return
    const timer = setTimeout(() => fail.current(), patience)
    return () => clearTimeout(timer)
  }, [drawn])

  return (
    <div className="relative overflow-x-auto" style={edges}>
      {!drawn && (
        <p role="status" className="absolute inset-0 flex items-center justify-center text-sm text-faint">
          {text.render.diagramDrawing}
        </p>
      )}
      <iframe
        ref={frame}
        title={text.render.diagram}
        src="/diagram/index.html"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        className="mx-auto block border-0"
        style={{
          colorScheme: theme,
          width: '100%',
          ...(size ? fitted(size) : { height: firstHeight }),
        }}
      />
    </div>
  )
}
