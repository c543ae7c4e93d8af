/** The highlighter itself. It is large, and only the worker has it. */
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type ThemedToken,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { loadGrammar } from './grammars.ts'
import type { CodeToken, HighlightAnswer, HighlightQuestion } from './highlight-messages.ts'

/** Colours are names of the page's style sheet, so that another theme needs nothing from here. */
const theme = createCssVariablesTheme({ name: 'page', variablePrefix: '--code-', fontStyle: true })

/** Questions come one after the other; what one ended with is where the next goes on. */
export function createHighlightAnswers(): (question: HighlightQuestion) => Promise<HighlightAnswer> {
  const highlighter = createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  let state: GrammarState | undefined
  return async ({ text, language, goesOn }) => {
    try {
      const shiki = await highlighter
      if (!shiki.getLoadedLanguages().includes(language))
        await shiki.loadLanguage(await loadGrammar(language))
      const { tokens, grammarState } = shiki.codeToTokens(text, {
        lang: language,
        theme: 'page',
        tokenizeMaxLineLength: 2000,
        // For a line. The first ones of a language also compile its rules, which takes long on a machine that has much to do.
        tokenizeTimeLimit: 10_000,
        ...(goesOn && state && { grammarState: state }),
      })
      state = grammarState
      return { lines: tokens.map((line) => line.map(toToken)) }
    } catch (error) {
      return { fault: String(error) }
    }
  }
}

/** What has the colour of all text needs none: it is the larger part of most code. */
const ordinary = 'var(--code-foreground)'
/** The bits of TextMate's font styles. */
const fontStyles = { italic: 1, bold: 2 }

function toToken({ content, color, fontStyle = 0 }: ThemedToken): CodeToken {
  // There is also -1, for none.
  const styles = Math.max(fontStyle, 0)
  return {
    text: content,
    ...(color !== undefined && color !== ordinary && { color }),
    ...((styles & fontStyles.italic) !== 0 && { italic: true }),
    ...((styles & fontStyles.bold) !== 0 && { bold: true }),
  }
}
