/** Markdown → tokens, with bounds on what a hostile text can cost. Nothing here makes HTML. */
import { Lexer, type Links, Marked, type MarkedOptions, type Token } from 'marked'
import { mathBlock, mathInline } from './math-syntax.ts'

/** In lists and quotes every line is tried as the begin of an underlined heading, and read to the end of its paragraph. */
const underlineWithin = 1000
const underline = /\n {0,3}(?:=+|-+) *(?:\n|$)/

const marked = new Marked({
  gfm: true,
  // Line breaks are kept: the CLI shows them in a terminal, and models write for that.
  breaks: true,
  extensions: [mathBlock, mathInline],
  tokenizer: {
    // `false` leaves it to the lexer's own.
    lheading: (src) => (underline.test(src.slice(0, underlineWithin)) ? false : undefined),
  },
})
const options: MarkedOptions = marked.defaults

/** Longer runs of text are not searched for emphasis and links: hostile ones take quadratic time. */
export const maxInline = 10_000
/** After this many milliseconds in one text, the rest of it gets no inline markup. Ordinary texts take a tenth. */
const budget = 200
/** Quotes and lists in one another. The lexer recurses, so they are counted before it runs. */
const tooDeep = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){41}/m

/** Formulas on lines of their own end paragraphs, and each begin of a paragraph is searched to its end. */
const formula = /^ {0,3}(?:\$\$|\\\[)/gm
const maxFormulas = 400

const isHostile = (text: string): boolean =>
  tooDeep.test(text) || (text.match(formula)?.length ?? 0) > maxFormulas

export interface Lexed {
  tokens: Token[]
  /** The reference links that the text defines. */
  links: Links
}

/** `links`: what other parts of the same text define. */
export function lexMarkdown(text: string, links: Links = {}): Lexed {
  if (isHostile(text)) return plain(text)
  try {
    const lexer = new Lexer(options)
    Object.assign(lexer.tokens.links, links)
    lexer.blockTokens(text, lexer.tokens)
    lexInline(lexer)
    return { tokens: lexer.tokens, links: lexer.tokens.links }
  } catch {
    // The lexer recursed too deep, or met what it does not know.
    return plain(text)
  }
}

/** Blocks alone, without what is in them: for finding where they end. */
export function lexBlocks(text: string): Token[] {
  if (isHostile(text)) return plain(text).tokens
  try {
    return new Lexer(options).blockTokens(text, [])
  } catch {
    return plain(text).tokens
  }
}

function lexInline(lexer: Lexer): void {
  const deadline = performance.now() + budget
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > maxInline || performance.now() > deadline)
      tokens.push({ type: 'text', raw: src, text: src })
    else lexer.inlineTokens(src, tokens)
  }
}

function plain(text: string): Lexed {
  return { tokens: [{ type: 'plain', raw: text, text }], links: {} }
}
