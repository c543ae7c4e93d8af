import { useEffect, useRef, useState } from 'react'
import { highlight, maxHighlight, rememberedHighlight } from './highlight.ts'
import type { CodeLine } from './highlight-messages.ts'
import { languageName } from './languages.ts'

export interface Highlighted {
  /** The beginning of the code that `lines` covers. */
  text: string
  lines: readonly CodeLine[]
}

/** While code still comes in, it is coloured now and then, and only while it is short. */
const streamingPause = 700
const maxStreaming = 15_000

/** Undefined while nothing is coloured. What is given is a beginning of `text`, whole lines while streaming. */
export function useHighlight(
  text: string,
  written: string | undefined,
  streaming: boolean,
): Highlighted | undefined {
  const language = languageName(written)
  const [done, setDone] = useState<Highlighted>()
  const part = streaming ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const wanted =
    language !== undefined && part !== '' && part.length <= (streaming ? maxStreaming : maxHighlight)
  const known = wanted ? rememberedHighlight(part, language) : undefined
  const pending = wanted && known === undefined && done?.text !== part
  const latest = useRef(part)
  latest.current = part
  // While streaming, more text does not put the next look off.
  const round = streaming ? done : part
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts the next look.
  useEffect(() => {
    if (!pending || language === undefined) return
    const stop = new AbortController()
    const update = async () => {
      const source = latest.current
      const lines = await highlight(source, language, stop.signal, !streaming)
      if (lines) setDone({ text: source, lines })
    }
    const timer = setTimeout(() => update().catch(() => undefined), streaming ? streamingPause : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [pending, round, language, streaming])
  if (language === undefined) return undefined
  if (known) return { text: part, lines: known }
  return done && text.startsWith(done.text) ? done : undefined
}
