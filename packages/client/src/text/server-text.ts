/** What the server says to people, in the page's words. Loaded with the first of it that is shown, or when the page is at rest. */
import { render, type Said, type ServerWords } from '@dorkos/shared'
import { server } from './en/server.ts'

const words: ServerWords = server

/** Undefined for what a newer server says: its own sentence stands then. */
export const sentenceOf = (said: Said): string | undefined => render(words, said)
