/** How long does the first page of a very long conversation take, and how much memory? */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHere } from './server-here.mjs'
import { rest } from './statistics.mjs'

const bytes = 100 * 1024 * 1024

/** @typedef {{ root: string, configDir: string, sessionId: string, path: string }} Input */

/** @type {import('../question.mjs').Question} */
export const longTranscript = {
  name: 'long transcript',
  rounds: 5,
  prepare,
  subjects: { ours, whole_file: wholeFile },
  metrics: [
    {
      metric: 'server.open_100_mb_transcript',
      unit: 'ms',
      ours: 'ours.ms',
      floor: 'whole_file.ms',
      target: { most: 300 },
    },
    {
      metric: 'server.open_100_mb_transcript_memory',
      unit: 'MB',
      ours: 'ours.more_mb',
      floor: 'whole_file.more_mb',
      target: { most: 32 },
    },
  ],
}

async function prepare() {
  const { writeLongTranscript } = await import('./transcript-files.mjs')
  const root = await realpath(await mkdtemp(join(tmpdir(), 'benchmark-transcript-')))
  const configDir = join(root, '.claude')
  const { sessionId, path } = await writeLongTranscript(configDir, bytes)
  // What the index does in the background, once for all, is not what is asked here.
  const { close } = await startIndexed({ root, configDir })
  await close()
  return {
    input: { root, configDir, sessionId, path },
    dispose: () => rm(root, { recursive: true, force: true }),
  }
}

/** The first request for it after the start, over HTTP. @param {Input} input */
async function ours({ root, configDir, sessionId }) {
  const { client, close } = await startIndexed({ root, configDir })
  await rest(200)
  const sample = await measured(async () => {
    const { events, before } = await client.getHistory({ params: { id: sessionId } })
    if (events.length === 0 || before === undefined) throw new Error('this is not a first page')
  })
  await close()
  return sample
}

/** @param {{ root: string, configDir: string }} folders */
async function startIndexed(folders) {
  const here = await startHere(folders)
  while ((await here.client.getStatus()).index.indexed < 1) await rest(100)
  return here
}

/** @param {Input} input */
async function wholeFile({ path }) {
  const { readFile } = await import('node:fs/promises')
  return measured(async () => {
    const text = await readFile(path, 'utf8')
    const entries = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    if (entries.slice(-50).length !== 50) throw new Error('this is not a page')
  })
}

/** @param {() => Promise<void>} work */
async function measured(work) {
  const memory = await watchMemory()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  return { ms, more_mb: await memory.more() }
}

/** The most that is in use at a time from now on, above what was. Linux can count from a moment on; elsewhere it is looked at now and then. */
async function watchMemory() {
  const { readFile, writeFile } = await import('node:fs/promises')
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 2)
  const counted = await writeFile('/proc/self/clear_refs', '5').then(
    () => true,
    () => false,
  )
  return {
    async more() {
      clearInterval(timer)
      most = Math.max(most, process.memoryUsage.rss())
      const status = counted ? await readFile('/proc/self/status', 'utf8') : ''
      const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
      return (Math.max(most, peak) - before) / 1024 / 1024
    },
  }
}
