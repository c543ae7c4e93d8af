/**
 * Loaded with `--import` into a server's process, and so into each of its threads: collects garbage and tells what is left when the process
 * that started the server asks. Buffers and other memory that objects own count with the heap; what V8 has compiled of the program is told apart.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** Some of what is dropped is gone only after a further collection, or a turn of the event loop. */
const collections = 4
const restMs = 100

const threads = new BroadcastChannel('memory probe')
threads.unref()

function ownBytes() {
  const { heapUsed, external } = process.memoryUsage()
  const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics()
  const code = code_and_metadata_size + bytecode_and_metadata_size
  return { heap: heapUsed + external - code, code }
}

if (isMainThread) {
  process.on('message', async (message) => {
    if (message !== 'memory') return
    const others = new Map()
    threads.onmessage = ({ data }) => others.set(data.threadId, data)
    for (let times = 0; times < collections; times++) {
      globalThis.gc()
      threads.postMessage('collect')
      await rest(restMs)
    }
    const all = [ownBytes(), ...others.values()]
    const sum = (figure) => all.reduce((bytes, thread) => bytes + thread[figure], 0)
    process.send({
      heap: sum('heap'),
      code: sum('code'),
      rss: process.memoryUsage().rss,
      threads: all.length,
    })
  })
} else {
  threads.onmessage = ({ data }) => {
    if (data !== 'collect') return
    globalThis.gc()
    threads.postMessage({ threadId, ...ownBytes() })
  }
}
