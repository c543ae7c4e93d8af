/** Where math begins and ends in markdown. Careful with `$`: prices and shell variables are not math. */
import type { TokenizerExtension } from 'marked'

/** `$$ … $$` and `\[ … \]` on lines of their own. No blank line inside, so that a lone `$$` does not swallow the rest. */
const display =
  /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[^$\\]|\\[^\n]|\\(?=\n)|\$(?!\$))+)\$\$|\\\[((?:(?!\n[ \t]*\n|\\\])[\s\S])+)\\\])[ \t]*(?:\n+|$)/

const inlineForms: readonly { form: RegExp; display: boolean }[] = [
  { form: /^\$\$((?:[^$\\\n]|\\[^\n]){1,2000})\$\$/, display: true },
  // No space inside the dollars, no digit after them, not escaped: "$5 and $10" is money.
  {
    form: /^\$(?![\s$\d]|[A-Z_]{2,}\b|[({])((?:[^$\\\n`]|\\[^\n]){1,1000}?)(?<![\s\\])\$(?![\w$])/,
    display: false,
  },
  { form: /^\$(\d(?:[^$\\\n`]|\\[^\n]){0,1000}?)(?<![\s\\])\$(?![\w$])/, display: false },
  { form: /^\\\(((?:(?!\\\))[^\n]){1,2000})\\\)/, display: false },
  { form: /^\\\[((?:(?!\\\])[^\n]){1,2000})\\\]/, display: true },
]

/** Between dollars that begin with a digit, only what has an operator or a command is math. */
const mathLike = /[\\^_=<>+]|^\d+[a-zA-Z]$/

/** How far a paragraph is searched for math that ends it: it is searched anew at each block. */
const lookahead = 4000

export const mathBlock: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start: (src) => {
    const near = src.slice(0, lookahead)
    const paragraphEnd = near.search(/\n[ \t]*\n/)
    const index = (paragraphEnd < 0 ? near : near.slice(0, paragraphEnd)).search(/\n {0,3}(?:\$\$|\\\[)/)
    return index < 0 ? undefined : index + 1
  },
  tokenizer: (src) => {
    const match = display.exec(src)
    if (!match) return undefined
    return { type: 'math', raw: match[0], text: (match[1] ?? match[2] ?? '').trim(), display: true }
  },
}

export const mathInline: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (src) => {
    const index = src.search(/\$|\\[([]/)
    return index < 0 ? undefined : index
  },
  tokenizer: (src) => {
    for (const { form, display: isDisplay } of inlineForms) {
      const match = form.exec(src)
      const body = match?.[1]
      if (!match || body === undefined || body.trim() === '') continue
      if (/^\d/.test(body) && src.startsWith('$') && !src.startsWith('$$') && !mathLike.test(body)) continue
      return { type: 'math', raw: match[0], text: body.trim(), display: isDisplay }
    }
    return undefined
  },
}
