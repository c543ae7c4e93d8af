/** What `npm run bench -- server` asks, in the order of its report. */
import { fanout } from './fanout.mjs'
import { longTranscript } from './long-transcript.mjs'
import { secondTurn } from './second-turn.mjs'
import { sessionsList } from './sessions-list.mjs'
import { start } from './start.mjs'
import { tokenLatency } from './token-latency.mjs'

export const questions = [secondTurn, tokenLatency, fanout, sessionsList, longTranscript, start]
