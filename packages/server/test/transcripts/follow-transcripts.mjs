// Prints what a reader of transcripts reports: its log, and the first prompt of every session that changes.
import { openTranscriptReader } from '../../dist/adapters/transcripts/transcript-reader.js'

const [configDir = '', indexPath = ''] = process.argv.slice(2)
const log = (_fields, message) => console.log(message)
const logger = { debug: log, info: log, warn: log, error: log }
const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined }
const reader = await openTranscriptReader({ configDirs: [configDir], indexPath, logger, clock })
reader.onChange(async (sessionId) => console.log((await reader.get(sessionId))?.firstPrompt ?? 'gone'))
// What it prints begins with the first question.
await reader.list({ limit: 1 })
