// Indexes transcripts until it is killed; says when it has begun.
import { writeSync } from 'node:fs'
import { openTranscriptReader } from '../../dist/adapters/transcripts/transcript-reader.js'

const [configDir = '', indexPath = ''] = process.argv.slice(2)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined }
await openTranscriptReader({ configDirs: [configDir], indexPath, logger, clock })
writeSync(1, 'open\n')
