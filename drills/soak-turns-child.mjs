/** The measured part of soak.mjs with turns: a server, one session, and one message after the other, each with an approval. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../packages/server/dist/index.js'
import { createApiClient } from '../packages/shared/dist/index.js'
import { fakeCli, steps } from '../packages/testkit/dist/index.js'

const turns = Number(process.argv[2])
/** Until here caches fill and code is compiled. */
const warmUp = Math.min(600, turns)
/** What a collection leaves lying around. */
const leftBytes = 5e5
const root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-turns-')))
const [cwd, home] = [join(root, 'workspace'), join(root, 'state')]
mkdirSync(cwd)
mkdirSync(home, { mode: 0o700 })
const call = steps.ask({ toolName: 'Bash', input: { command: 'echo a line of some length' } })
const cli = fakeCli([steps.say('some words of an answer '.repeat(20)), call, steps.say('done')], {
  logStdin: false,
})
const config = { cliPath: cli.path, sandbox: 'off' }
writeFileSync(join(home, 'config.jsonc'), JSON.stringify(config), { mode: 0o600 })
const env = {
  PATH: process.env.PATH,
  HOME: root,
  DORKOS_HOME: home,
  TMPDIR: root,
  ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
  DORKOS_ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
}
const server = await startServer({ env, flags: { '--port': '0' }, cwd })
const client = createApiClient({ baseUrl: server.url, token: await server.ownToken() })
const { session } = await client.createSession({ body: {} })
const params = { id: session.id }
const stop = new AbortController()
const ends = new Map()
const followed = follow().catch((error) => {
  if (!stop.signal.aborted) throw error
})
for (let turn = 0; turn < warmUp; turn++) await say(turn)
const before = await measure()
for (let turn = warmUp; turn < warmUp + turns; turn++) {
  await say(turn)
  if ((turn + 1) % 500 === 0) process.send({ log: `${turn + 1} turns` })
}
const after = await measure()
stop.abort()
await followed
await server.close({ graceMs: 0 })
await cli.dispose()
await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
const growth = after.heap - before.heap
// A kilobyte a turn at the most.
const ok = growth < leftBytes + turns * 1024
process.send({ ok, turns, bytes_per_turn: Math.round(growth / turns), before, after }, () => process.exit())

async function say(number) {
  const body = { content: `message ${number} with some words in it` }
  const { turn } = await client.sendMessage({ params, body })
  await new Promise((resolve) => ends.set(turn.id, resolve))
}

/** Follows the session as a page does, and answers what it is asked. */
async function follow() {
  const early = new Set()
  for await (const frame of client.followSession(session.id, { signal: stop.signal, lastEventId: '1-1' })) {
    if (frame.frame !== 'message') continue
    const { event } = frame
    if (event.type === 'approval_required')
      await client.answerApproval({ params: { id: event.approval.id }, body: { decision: 'allow' } })
    if (event.type !== 'turn_end') continue
    // It may be over before the answer to the message is here.
    for (const id of early.add(event.turn_id)) {
      if (!ends.has(id)) continue
      ends.get(id)()
      ends.delete(id)
      early.delete(id)
    }
  }
}

async function measure() {
  for (let times = 0; times < 4; times++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    globalThis.gc()
  }
  const { heapUsed, rss, external } = process.memoryUsage()
  return { heap: heapUsed, external, rss }
}
