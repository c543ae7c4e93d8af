import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { text as words } from '../text/text.ts'
import { createBlockReader } from './block-reader.ts'
import { capText } from './cap-text.ts'
import { CutNotice } from './cut-notice.tsx'
import { BlockView } from './markdown-block.tsx'

const limits = { lines: 4000, characters: 100_000 }

interface MarkdownProps {
  text: string
  /** More of it is coming. */
  streaming?: boolean
}

/** What a model wrote. One element a block: while the text grows, only the last is drawn again. */
export function Markdown({ text, streaming = false }: MarkdownProps) {
  const [all, setAll] = useState(false)
  const [reader] = useState(createBlockReader)
  const cost = useRef(0)
  const slowed = useSlowed(text, streaming, cost)
  const lines = slowed.includes('\r') ? slowed.replace(/\r\n?/g, '\n') : slowed
  const capped = all || lines.length < limits.characters / 2 ? undefined : capText(lines, limits)
  const shown = capped?.cut ? capped.text : lines
  const open = streaming && !capped?.cut
  const before = performance.now()
  const blocks = reader.read(shown, open)
  cost.current = performance.now() - before
  return (
    <div className="min-w-0 leading-relaxed break-words [&>:first-child]:mt-0 [&>:last-child]:mb-0">
      {blocks.map((block, index) => (
        <BlockView key={block.start} block={block} streaming={open && index === blocks.length - 1} />
      ))}
      {capped?.cut && (
        <CutNotice
          label={words.render.cutText(shown.length, text.length)}
          onShowAll={() => setAll(true)}
          value={text}
        />
      )}
    </div>
  )
}

/** Milliseconds that reading a text may take before it is read less often, and how much of the time it then gets at most. */
const cheap = 6
const share = 1 / 8
const maxPause = 500

/**
 * The text, a little late while it grows and is costly to read; in time when it has ended. `cost`: what reading it took last, in
 * milliseconds; the caller keeps it up to date.
 */
function useSlowed(text: string, streaming: boolean, cost: RefObject<number>): string {
  const latest = useRef(text)
  const shown = useRef(text)
  const nextAt = useRef(0)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  latest.current = text
  const late =
    streaming && cost.current > cheap && performance.now() < nextAt.current && text.startsWith(shown.current)
  if (!late && shown.current !== text) {
    shown.current = text
    nextAt.current = performance.now() + Math.min(maxPause, cost.current / share)
  }
  const behind = shown.current !== text
  useEffect(() => {
    if (!behind) return
    const timer = setTimeout(draw, Math.max(0, nextAt.current - performance.now()))
    return () => clearTimeout(timer)
  }, [behind])
  return shown.current
}
