/** Reads a growing markdown text into top-level blocks. A block that did not change is the same object as before. */
import type { Links, Token } from 'marked'
import { completeTail } from './complete-tail.ts'
import { lexMarkdown } from './lex-markdown.ts'
import { emptySplit, type Split, splitBlocks } from './split-blocks.ts'

export interface MarkdownBlock {
  /** Where it begins in the text; the same while the text grows. */
  start: number
  token: Token
}

export interface BlockReader {
  /** `streaming`: more will come, so the end is drawn as if it were closed. */
  read(text: string, streaming: boolean): readonly MarkdownBlock[]
}

/** What was read is kept for the next, longer text. The answer depends on the arguments alone. */
export function createBlockReader(): BlockReader {
  let split: Split = emptySplit
  let finished: MarkdownBlock[][] = []
  let links: Links = {}
  let tail: readonly MarkdownBlock[] = []

  function readFinished(next: Split): void {
    const goesOn = next.finished.length >= split.finished.length && next.text.startsWith(split.text)
    if (!goesOn) {
      finished = []
      links = {}
    }
    split = next
    let start = finished.reduce((sum, _, index) => sum + (next.finished[index]?.length ?? 0), 0)
    for (const part of next.finished.slice(finished.length)) {
      const lexed = lexMarkdown(part, links)
      finished.push(reuse(blocksOf(lexed.tokens, start)))
      if (Object.keys(lexed.links).length > Object.keys(links).length) relex(lexed.links)
      start += part.length
    }
  }

  /** What was in the tail and did not change stays the object that it was. */
  function reuse(blocks: MarkdownBlock[]): MarkdownBlock[] {
    return blocks.map((block) =>
      same(
        tail.find((one) => one.start === block.start),
        block,
      ),
    )
  }

  /** A definition came after its use: rare, and worth reading all again. */
  function relex(found: Links): void {
    links = { ...found }
    let start = 0
    finished = finished.map((_, index) => {
      const part = split.finished[index] ?? ''
      const blocks = blocksOf(lexMarkdown(part, links).tokens, start)
      start += part.length
      return blocks
    })
  }

  return {
    read(text, streaming) {
      readFinished(splitBlocks(text, split))
      const shown = streaming ? completeTail(split.tail) : split.tail
      const blocks = blocksOf(lexMarkdown(shown, links).tokens, text.length - split.tail.length)
      tail = reuse(blocks)
      return [...finished.flat(), ...tail]
    },
  }
}

function blocksOf(tokens: readonly Token[], from: number): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let start = from
  for (const token of tokens) {
    if (token.type !== 'space') blocks.push({ start, token })
    start += token.raw.length
  }
  return blocks
}

function same(before: MarkdownBlock | undefined, now: MarkdownBlock): MarkdownBlock {
  const unchanged =
    before?.start === now.start && before.token.type === now.token.type && before.token.raw === now.token.raw
  return unchanged ? before : now
}
