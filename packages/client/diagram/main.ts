/**
 * Runs in a frame without an origin: draws one mermaid diagram and reports its size. Mermaid reads hostile text and writes markup, so it
 * lives here, where it reaches nothing.
 */
import mermaid from 'mermaid'
import type { DiagramAnswer } from '../src/render/diagram-messages.ts'

const background = 'transparent'
const margin = 12
/** Settings that a diagram cannot change by a line in its text: bounds, and whatever makes markup or styles of it. */
const kept = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'suppressErrorRendering',
  'maxTextSize',
  'maxEdges',
  'htmlLabels',
  'flowchart',
  'themeCSS',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
]
let turn = 0

window.addEventListener('message', (event) => {
  if (event.source !== window.parent) return
  const data: unknown = event.data
  if (!isDraw(data)) return
  turn += 1
  void draw(data.source, data.theme === 'dark' ? 'dark' : 'light', turn)
})
answer({ type: 'ready' })

async function draw(source: string, theme: 'light' | 'dark', mine: number): Promise<void> {
  document.documentElement.style.colorScheme = theme
  document.body.style.cssText = `margin:0;background:${background};overflow:hidden`
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      secure: kept,
      htmlLabels: false,
      flowchart: { htmlLabels: false, useMaxWidth: false },
      sequence: { useMaxWidth: false },
      theme: theme === 'dark' ? 'dark' : 'neutral',
      fontFamily: 'system-ui, sans-serif',
      maxTextSize: 50_000,
      maxEdges: 500,
    })
    const { svg } = await mermaid.render(`diagram-${mine}`, source)
    if (mine === turn) show(svg)
  } catch {
    // What mermaid leaves behind when it fails.
    for (const rest of document.body.querySelectorAll(':scope > *')) rest.remove()
    if (mine === turn) answer({ type: 'failed' })
  }
}

function show(markup: string): void {
  const parsed = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement
  const svg = parsed instanceof SVGSVGElement ? document.importNode(parsed, true) : undefined
  if (!svg) return answer({ type: 'failed' })
  document.body.replaceChildren(svg)
  const box = svg.viewBox.baseVal
  const width = box.width || svg.getBoundingClientRect().width
  const height = box.height || svg.getBoundingClientRect().height
  if (!box.width || !box.height) svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  svg.removeAttribute('width')
  svg.removeAttribute('height')
  // As wide as the frame, whatever width the page gives it; the margins shrink with it, so that the frame's proportions hold.
  const whole = width + 2 * margin
  svg.style.cssText = `display:block;width:100%;max-width:none;height:auto`
  document.body.style.padding = `${(100 * margin) / whole}%`
  answer({ type: 'drawn', width: whole, height: height + 2 * margin })
}

function isDraw(data: unknown): data is { source: string; theme: unknown } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    data.type === 'draw' &&
    'source' in data &&
    typeof data.source === 'string' &&
    'theme' in data
  )
}

function answer(message: DiagramAnswer): void {
  window.parent.postMessage(message, '*')
}
