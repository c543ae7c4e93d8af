/** Pieces of Markdown that hold what nobody has checked. */
import type { ByteSource } from '../ports/transcripts.ts'
import { base64Of, decoded } from './byte-source.ts'
import type { ResultPart } from './whole-result.ts'

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
  return `${collapsedStart(summary)}${body}${collapsedEnd}`
}

export const collapsedStart = (summary: string): string => `<details>\n<summary>${summary}</summary>\n\n`

export const collapsedEnd = '\n</details>\n\n'

export function quoted(text: string): string {
  return `${text.replace(/^/gm, '> ')}\n\n`
}

/** What a tool gave back: texts in fences, pictures where they were, what is gone said in its place. */
export async function* shownParts(parts: readonly ResultPart[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (part.kind === 'text') yield* fencedSource(part.source)
    else yield* otherPart(part)
  }
}

/** What a person said: Markdown as it is, with its pictures. */
export async function* spokenParts(parts: readonly ResultPart[]): AsyncGenerator<string> {
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield '\n'
    if (part.kind === 'text') yield* decoded(part.source)
    else yield* otherPart(part)
  }
}

async function* otherPart(part: Exclude<ResultPart, { kind: 'text' }>): AsyncGenerator<string> {
  if (part.kind === 'picture') {
    yield `\n![picture](data:${part.mediaType};base64,`
    yield* base64Of(part.source)
    yield ')\n'
  } else if (part.kind === 'missing') yield `\n*⚠ ${plainLine(part.saying.message, 500)}*\n`
  else yield `\n\\[${plainLine(part.name)}\\]\n`
}

/** As `fenced` does, without holding the text. */
async function* fencedSource(source: ByteSource): AsyncGenerator<string> {
  const fence = '`'.repeat((await longestTicks(source)) + 1)
  yield `${fence}\n`
  let last = ''
  for await (const piece of decoded(source)) {
    yield piece
    last = piece.at(-1) ?? last
  }
  yield `${last === '\n' ? '' : '\n'}${fence}\n`
}

const backtick = 0x60

/** At least two, so that a fence has three. */
async function longestTicks(source: ByteSource): Promise<number> {
  let most = 2
  let row = 0
  for await (const piece of source.read())
    for (const byte of piece) {
      row = byte === backtick ? row + 1 : 0
      most = Math.max(most, row)
    }
  return most
}
