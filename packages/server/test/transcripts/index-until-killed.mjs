// Indexes transcripts until it is killed; says `begun` when another one is read, or `done` when all are.
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTranscriptReader } from '../../dist/adapters/transcripts/transcript-reader.js'

const [configDir = '', indexPath = ''] = process.argv.slice(2)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined }
const reader = await openTranscriptReader({ configDirs: [configDir], indexPath, logger, clock })
const { indexed } = reader.progress()
for (;;) {
  const { complete } = await reader.search('', 1)
  if (complete || reader.progress().indexed > indexed) {
    writeSync(1, complete ? 'done' : 'begun')
    break
  }
  await sleep(10)
}
