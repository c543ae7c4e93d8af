/** What `npm run bench -- sdk` asks, in the order of its report. */
import { importTime } from './import-time.mjs'
import { latency } from './latency.mjs'
import { streaming } from './streaming.mjs'
import { toolCalls } from './tool-calls.mjs'

export const questions = [
  streaming('stream_event'),
  streaming('assistant'),
  toolCalls(1),
  toolCalls(16),
  importTime,
  latency,
]
