/**
 * Loaded with `--import` into a server's process, and so into each of its threads: collects garbage and tells what is left when the process
 * that started the server asks. Buffers and other memory that objects own count with the heap.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** Some of what is dropped is gone only after a further collection, or a turn of the event loop. */
const collections = 4
const restMs = 100

const threads = new BroadcastChannel('memory probe')
threads.unref()

function ownBytes() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

if (isMainThread) {
  process.on('message', async (message) => {
    if (message !== 'memory') return
    const others = new Map()
    threads.onmessage = ({ data }) => others.set(data.threadId, data.bytes)
    for (let times = 0; times < collections; times++) {
      globalThis.gc()
      threads.postMessage('collect')
      await rest(restMs)
    }
    const heap = [...others.values()].reduce((sum, bytes) => sum + bytes, ownBytes())
    process.send({ heap, rss: process.memoryUsage().rss, threads: 1 + others.size })
  })
} else {
  threads.onmessage = ({ data }) => {
    if (data !== 'collect') return
    globalThis.gc()
    threads.postMessage({ threadId, bytes: ownBytes() })
  }
}
