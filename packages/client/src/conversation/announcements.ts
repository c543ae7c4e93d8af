/** What a screen reader says of a conversation: whole blocks and what matters, never every token. */
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { outcomeView } from './outcome-text.ts'
import { toolTitle, verbText } from './tools/tool-title.ts'

const mostChars = 600

/** The news between two states, in the order to be said. Nothing for a session that has only just been opened. */
export function announcements(before: PageSession, after: PageSession): string[] {
  if (before.phase !== 'ready' || after.phase !== 'ready' || before.items === after.items)
    return asks(before, after)
  const words: string[] = []
  const known = new Map(before.items.map((item) => [item.key, item]))
  // Pages of the past are not news.
  const newest = before.items.at(-1)?.time ?? ''
  for (const item of after.items.slice(-50)) {
    const old = known.get(item.key)
    if (old === item || (old === undefined && item.time < newest)) continue
    if (
      item.kind === 'text' &&
      !item.streaming &&
      (old === undefined || (old.kind === 'text' && old.streaming))
    ) {
      words.push(text.conversation.saysAgent(plain(item.text)))
    } else if (item.kind === 'turn' && old === undefined && item.outcome !== 'joined') {
      const { words: ended, loud } = outcomeView(item.outcome, item.reasonCode)
      const isFine = item.outcome === 'completed' && !loud
      words.push(isFine ? text.conversation.saysDone : text.conversation.saysEnded(ended))
    }
  }
  return [...words, ...asks(before, after)]
}

function asks(before: PageSession, after: PageSession): string[] {
  if (before.phase !== 'ready' || before.approvals === after.approvals) return []
  return Object.values(after.approvals)
    .filter(({ id, state }) => state === 'pending' && before.approvals[id] === undefined)
    .map(({ tool, input }) => {
      const { verb, target } = toolTitle({ name: tool, input, inputJson: '' }, after.session?.cwd)
      return text.conversation.saysNeedsYou(`${verbText(verb, 'waiting')} ${target}`.trim().slice(0, 200))
    })
}

/** Words without the signs of markdown; code is not read out. */
function plain(markdown: string): string {
  const words = markdown
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/[*`#>|]+/g, '')
    // Emphasis; names such as `read_file` keep theirs.
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > mostChars ? `${words.slice(0, mostChars)} …` : words
}
