/** Messages that were sent before, for going back to them with the arrow keys. */
import type { Item } from '../live/page-session.ts'
import { typedText } from './message-content.ts'

const maxMessages = 200

/** What a person typed in this session, the newest first, nothing twice in a row. */
export function historyOf(items: readonly Item[]): string[] {
  const texts: string[] = []
  for (let at = items.length - 1; at >= 0 && texts.length < maxMessages; at--) {
    const item = items[at]
    if (item?.kind !== 'user' || item.synthetic) continue
    const typed = typedText(item.content)
    if (typed.trim() !== '' && texts.at(-1) !== typed) texts.push(typed)
  }
  return texts
}

export interface Recall {
  readonly texts: readonly string[]
  /** -1: what was being typed. */
  readonly at: number
  /** What was being typed when going back began. */
  readonly draft: string
}

export function beginRecall(texts: readonly string[], draft: string): Recall {
  return { texts, at: -1, draft }
}

/** One older (`1`) or newer (`-1`). Nothing at either end. */
export function recallStep(recall: Recall, step: 1 | -1): { recall: Recall; text: string } | undefined {
  const at = recall.at + step
  if (at < -1) return undefined
  const text = at === -1 ? recall.draft : recall.texts[at]
  return text === undefined ? undefined : { recall: { ...recall, at }, text }
}
