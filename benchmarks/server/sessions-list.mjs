/** How long does a page of the list of sessions take, with many transcripts on the machine? */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../measure.mjs'
import { startHere } from './server-here.mjs'
import { rest } from './statistics.mjs'

const many = 10_000
const few = 1000
const requests = 40

/** @typedef {{ root: string, configDir: string, count: number }} Folder A machine, in effect: the server's state lasts. */
/** @typedef {{ many: Folder, few: Folder }} Input */

/** @type {import('../question.mjs').Question} */
export const sessionsList = {
  name: 'sessions list',
  rounds: 5,
  prepare,
  subjects: {
    ours: (input) => ours(input.many),
    ours_few: (input) => ours(input.few),
    scan: (input) => scan(input.many),
  },
  metrics: [
    {
      metric: 'server.sessions_list_10000',
      unit: 'ms',
      ours: 'ours.ms',
      peer: 'scan.ms',
      target: { most: 0.1 },
    },
    {
      metric: 'server.sessions_list_10000_against_1000',
      unit: 'ms',
      ours: 'ours.ms',
      peer: 'ours_few.ms',
      target: { most: 1.5 },
    },
  ],
}

async function prepare() {
  const { writeTranscripts } = await import('./transcript-files.mjs')
  const base = await realpath(await mkdtemp(join(tmpdir(), 'benchmark-list-')))
  const folders = await Promise.all(
    [many, few].map(async (count) => {
      const root = join(base, String(count))
      const configDir = join(root, '.claude')
      await writeTranscripts(configDir, count)
      return { root, configDir, count }
    }),
  )
  return {
    input: { many: folders[0], few: folders[1] },
    dispose: () => rm(base, { recursive: true, force: true }),
  }
}

/** Over HTTP, once the index has all of them. @param {Folder} folder */
async function ours({ root, configDir, count }) {
  const { client, close } = await startHere({ root, configDir })
  for (;;) {
    const { index } = await client.getStatus()
    if (index.transcripts === count && index.indexed === count) break
    await rest(100)
  }
  await rest(200)
  const times = await timed(requests, async () => {
    const { sessions } = await client.listSessions()
    if (sessions.length !== 50) throw new Error(`${sessions.length} sessions in a page`)
  })
  await close()
  return { ms: median(times) }
}

/** What there is without an index: every folder, every file's time and beginning, and the newest 50 of them. @param {Folder} folder */
async function scan({ configDir, count }) {
  const times = await timed(3, async () => {
    const found = await scanOnce(join(configDir, 'projects'))
    if (found.length !== count) throw new Error(`${found.length} transcripts were found`)
    found.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, 50)
  })
  return { ms: median(times) }
}

/** @param {string} folder */
async function scanOnce(folder) {
  const { closeSync, openSync, readSync, readdirSync, statSync } = await import('node:fs')
  const head = Buffer.alloc(4096)
  const found = []
  for (const project of readdirSync(folder))
    for (const name of readdirSync(join(folder, project))) {
      const path = join(folder, project, name)
      const { mtimeMs } = statSync(path)
      const file = openSync(path, 'r')
      const text = head.toString('utf8', 0, readSync(file, head))
      closeSync(file)
      found.push({ name, mtimeMs, first: JSON.parse(text.slice(0, text.indexOf('\n'))) })
    }
  return found
}

/** The first does not count. @param {number} count @param {() => Promise<void>} work */
async function timed(count, work) {
  const times = []
  for (let number = 0; number <= count; number++) {
    const start = performance.now()
    await work()
    if (number > 0) times.push(performance.now() - start)
  }
  return times
}
