/** What the server says, by reason: it makes the same sentences of them for the command line and the log. */
export { words as server } from '@dorkos/shared'
