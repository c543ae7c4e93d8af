/**
 * Text that must not deceive: in code, commands, paths and links, characters that turn the direction of writing, take no room or move a cursor
 * are shown by their number.
 */
import { sequence } from './sequence.ts'

export interface TextPiece {
  text: string
  /** A character that would not be seen; `text` is then its name, such as `U+202E`. */
  control: boolean
}

/** Controls but tab and line feed, direction marks, zero-width and filler characters, line separators, tags. */
const hidden =
  /(?![\t\n\r])\p{Cc}|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\r(?!\n)|(?<!\p{Extended_Pictographic}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** Splits a text into what is seen and what is not. The joiner inside a composed emoji counts as seen. */
export function visibleControls(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), control: false })
    pieces.push({ text: name(match[0]), control: true })
    end = match.index + match[0].length
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), control: false })
  return pieces
}

/** The same in one string, for titles and labels. */
export function withVisibleControls(text: string): string {
  return text.replace(hidden, (character) => `[${name(character)}]`)
}

function name(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A command, a path, a piece of code: what is hidden in it is shown. */
export function SafeText({ text }: { text: string }) {
  const pieces = visibleControls(text)
  if (pieces.length === 1 && !pieces[0]?.control) return <>{text}</>
  return sequence(pieces, (piece) => (piece.control ? <ControlChip name={piece.text} /> : piece.text))
}

function ControlChip({ name }: { name: string }) {
  return <span className="mx-px rounded-sm bg-warn-ground px-0.5 text-[0.85em] text-warn">{`[${name}]`}</span>
}
