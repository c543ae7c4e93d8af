/** The text of a message, for lists. */
import type { MessageContent } from '@dorkos/shared'

export function promptText(content: MessageContent): string {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ')
  return text.trim().slice(0, 500)
}
