/** Code → coloured lines, away from what the user does: by a worker, and remembered. */
import { scripts, trustedScript } from '../browser/trusted-scripts.ts'
import type { CodeLine } from './highlight-messages.ts'
import { createHighlighter } from './highlighter.ts'

/** Longer code stays plain. */
export const maxHighlight = 60_000
const maxRemembered = 60
const remembered = new Map<string, readonly CodeLine[]>()

const highlighter = createHighlighter(
  () => new Worker(trustedScript(scripts.highlighter), { type: 'module', name: 'highlighter' }),
)

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
  const lines = await highlighter(text, language, signal)
  if (keep && lines) remember(key(text, language), lines)
  return lines
}

function remember(name: string, lines: readonly CodeLine[]): void {
  remembered.delete(name)
  remembered.set(name, lines)
  const oldest = remembered.keys().next().value
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
}

const key = (text: string, language: string): string => `${language}\n${text}`
