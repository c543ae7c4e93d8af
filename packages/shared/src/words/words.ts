/**
 * Every sentence that the server says to people, by its reason. A translation is another object of this shape (`ServerWords`). What a table
 * gets as text from elsewhere (a name, a path, words of the CLI or of a server) stands in the sentence as it is.
 */
import { approvalWords } from './approval-words.ts'
import { changeWords } from './change-words.ts'
import { hookWords } from './hook-words.ts'
import { mcpWords } from './mcp-words.ts'
import { outputWords } from './output-words.ts'
import { profileWords } from './profile-words.ts'
import { requestWords } from './request-words.ts'
import { serverWords } from './server-words.ts'
import { sessionWords } from './session-words.ts'
import { statusWords } from './status-words.ts'
import { turnWords } from './turn-words.ts'
import { workspaceWords } from './workspace-words.ts'

export const words = {
  ...approvalWords,
  ...changeWords,
  ...hookWords,
  ...mcpWords,
  ...outputWords,
  ...profileWords,
  ...requestWords,
  ...serverWords,
  ...sessionWords,
  ...statusWords,
  ...turnWords,
  ...workspaceWords,
}

export type Words = typeof words

/** Closed: a sentence that is not in the table cannot be said. */
export type Reason = keyof Words

/** The table in any language. */
export type ServerWords = {
  readonly [R in Reason]: Words[R] extends string ? string : Words[R]
}
