/** The highlighter itself, in a file of its own because it is large and loaded when code is first seen. */
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type ThemedToken,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { loadLanguage } from './languages.ts'

const theme = createCssVariablesTheme({ name: 'page', variablePrefix: '--code-', fontStyle: true })
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

export interface HighlightSlice {
  lines: ThemedToken[][]
  state: GrammarState | undefined
}

/** Lines of one text, some at a time: `state` is what the slice before ended with. */
export async function highlightSlice(
  text: string,
  language: string,
  state: GrammarState | undefined,
): Promise<HighlightSlice> {
  const shiki = await highlighter
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(await loadLanguage(language))
  const result = shiki.codeToTokens(text, {
    lang: language,
    theme: 'page',
    tokenizeMaxLineLength: 2000,
    tokenizeTimeLimit: 1000,
    ...(state && { grammarState: state }),
  })
  return { lines: result.tokens, state: result.grammarState }
}
