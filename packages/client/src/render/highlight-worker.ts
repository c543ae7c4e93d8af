/** Runs beside the page: the rules of a language take up to half a second to compile, and the page must not stand still meanwhile. */
import type { HighlightQuestion } from './highlight-messages.ts'
import { createHighlightAnswers } from './shiki-highlighter.ts'

const answer = createHighlightAnswers()

addEventListener('message', async ({ data }: MessageEvent<HighlightQuestion>) => {
  postMessage(await answer(data))
})
