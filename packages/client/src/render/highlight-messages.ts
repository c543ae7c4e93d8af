/** What the page and the highlighter's worker say to each other: one question, then its answer, then the next. */

export interface CodeToken {
  text: string
  color?: string
  italic?: boolean
  bold?: boolean
}

export type CodeLine = readonly CodeToken[]

export interface HighlightQuestion {
  /** Some lines of a text. */
  text: string
  language: string
  /** They follow those that were asked for last. */
  goesOn: boolean
}

export type HighlightAnswer = { lines: readonly CodeLine[] } | { fault: string }
