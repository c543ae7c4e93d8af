/** What the page and the frame that draws diagrams say to each other. The frame runs hostile sources, so the page believes it little. */

export interface DrawDiagram {
  type: 'draw'
  source: string
  theme: 'light' | 'dark'
}

export type DiagramAnswer =
  | { type: 'ready' }
  | { type: 'drawn'; width: number; height: number }
  | { type: 'failed' }

export const maxDiagramSource = 50_000
const maxSize = 4000

/** Undefined if it is none of the answers. Sizes are brought into bounds. */
export function readDiagramAnswer(data: unknown): DiagramAnswer | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  if (data.type === 'ready' || data.type === 'failed') return { type: data.type }
  if (data.type !== 'drawn' || !('width' in data) || !('height' in data)) return undefined
  const width = size(data.width)
  const height = size(data.height)
  return width === undefined || height === undefined ? undefined : { type: 'drawn', width, height }
}

function size(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Math.min(maxSize, Math.max(16, Math.ceil(value)))
}
