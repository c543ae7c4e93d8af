/** The text of a message, for lists: what was typed, and what was attached only where nothing was. */
import type { MessageContent } from '@dorkos/shared'

const longest = 500
/** A text file that goes with a message is a text block of its own. */
const attachedFile = /^<file name="([^"\n]*)">\n[\s\S]*\n<\/file>$/

export function promptText(content: MessageContent): string {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const typed: string[] = []
  const attached: string[] = []
  for (const block of blocks) {
    const fileName = block.type === 'text' ? attachedFile.exec(block.text.trim())?.[1] : undefined
    if (fileName !== undefined) attached.push(fileName)
    else if (block.type !== 'text') attached.push(block.title ?? `[${block.type}]`)
    else if (block.text.trim() !== '') typed.push(block.text)
  }
  const words = typed.length > 0 ? typed : attached
  return words.join(' ').trim().slice(0, longest)
}
