/** Code → coloured lines, away from what the user does: loaded on demand, some lines at a time, remembered. */

interface CodeToken {
  text: string
  color?: string
  italic?: boolean
  bold?: boolean
}

export type CodeLine = readonly CodeToken[]

/** Longer code stays plain. */
export const maxHighlight = 60_000
/** Few at first: a language that is new compiles its rules in the first slice. Then as many as take about this long. */
const firstLines = 4
const maxLines = 200
const sliceMs = 8
const maxRemembered = 60
const remembered = new Map<string, readonly CodeLine[]>()

/** What was coloured before, at once: a block that comes back into view does not blink. */
export function rememberedHighlight(text: string, language: string): readonly CodeLine[] | undefined {
  return remembered.get(key(text, language))
}

/** Undefined when it was stopped. `keep`: it will be asked for again. */
export async function highlight(
  text: string,
  language: string,
  signal: AbortSignal,
  keep: boolean,
): Promise<readonly CodeLine[] | undefined> {
  const { highlightSlice } = await import('./shiki-highlighter.ts')
  const lines = text.split('\n')
  const done: CodeLine[] = []
  let state: Parameters<typeof highlightSlice>[2]
  let count = firstLines
  for (let at = 0; at < lines.length; ) {
    await idle()
    if (signal.aborted) return undefined
    const start = performance.now()
    const slice = await highlightSlice(lines.slice(at, at + count).join('\n'), language, state)
    const took = performance.now() - start
    at += count
    count = nextCount(count, took)
    state = slice.state
    for (const line of slice.lines) done.push(line.map(toToken))
  }
  if (keep) remember(key(text, language), done)
  return done
}

/** Lines for the next slice, from what the last one took. */
export function nextCount(count: number, took: number): number {
  const fitting = took > 0 ? Math.floor((count * sliceMs) / took) : maxLines
  return Math.min(maxLines, Math.max(firstLines, Math.min(fitting, count * 4)))
}

interface StyledToken {
  content: string
  color?: string
  fontStyle?: number
}

/** The bits of TextMate's font styles. */
const fontStyles = { italic: 1, bold: 2 }

function toToken({ content, color, fontStyle = 0 }: StyledToken): CodeToken {
  const styled = fontStyle > 0
  return {
    text: content,
    ...(color !== undefined && { color }),
    ...(styled && (fontStyle & fontStyles.italic) !== 0 && { italic: true }),
    ...(styled && (fontStyle & fontStyles.bold) !== 0 && { bold: true }),
  }
}

function remember(name: string, lines: readonly CodeLine[]): void {
  remembered.delete(name)
  remembered.set(name, lines)
  const oldest = remembered.keys().next().value
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
}

const key = (text: string, language: string): string => `${language}\n${text}`

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 300 })
    else setTimeout(resolve, 0)
  })
}
