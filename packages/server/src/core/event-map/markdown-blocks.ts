/** Pieces of Markdown that hold what nobody has checked. */
import type { StreamEvent } from '@dorkos/shared'

/** Text in a fence that it cannot close: longer than any row of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Words in a line of their own: no markup, no line breaks, not longer than a line should be. */
export function plainLine(text: string, maxChars = 120): string {
  const line = escapeHtml(text.replace(/\s+/g, ' ').trim().slice(0, maxChars))
  return line.replace(/[\\`*_[\]#|]/g, '\\$&')
}

/** Shown when it is opened. */
export function collapsed(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n</details>\n\n`
}

export function quoted(text: string): string {
  return `${text.replace(/^/gm, '> ')}\n\n`
}

type Content = Extract<StreamEvent, { type: 'user_message' | 'tool_result' }>['content']

/** The text of a message or a result; what is no text is named. */
export function contentText(content: Content): string {
  if (typeof content === 'string') return content
  return content
    .map((block) => ('text' in block && typeof block.text === 'string' ? block.text : named(block)))
    .join('\n')
}

function named(block: { type: string; source?: unknown }): string {
  const { source } = block
  const mediaType =
    typeof source === 'object' && source !== null && 'media_type' in source
      ? ` ${String(source.media_type)}`
      : ''
  return `[${block.type}${mediaType}]`
}
