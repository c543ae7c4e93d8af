import { useEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { type DrawDiagram, readDiagramAnswer } from './diagram-messages.ts'
import { usePageTheme } from './page-theme.ts'

const patience = 15_000
const firstHeight = 160

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
    <div className="relative overflow-x-auto">
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
          width: size?.width ?? '100%',
          minWidth: 16,
          height: size?.height ?? firstHeight,
        }}
      />
    </div>
  )
}
