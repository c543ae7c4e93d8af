/** The measured part of soak.mjs. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createBridge, createSupervisor } from '../packages/mcp-gateway/dist/index.js'

const runs = Number(process.argv[2])
const callsEach = 10
/** Until here caches fill and code is compiled. */
const warmUp = Math.max(1, Math.ceil(runs / 5))
const mark = `soak-${process.pid}`
const serverFile = fileURLToPath(new URL('soak-server.mjs', import.meta.url))
const supervisor = createSupervisor({ mark })

const entry = (name, sharing) => ({
  name,
  sharing,
  timeoutMs: 30_000,
  launch: {
    type: 'stdio',
    command: process.execPath,
    args: [serverFile],
    env: { PATH: process.env.PATH ?? '' },
    cwd: process.cwd(),
  },
})
const shared = entry('shared', 'shared')
/** Every tenth session also has a server of its own, which must be gone when it is. */
const own = entry('own', 'session')

/** The shared one, and the one that tools of the other are listed from: it outlives sessions, but not for ever. */
const atRest = 2

const counts = { starts: 0, calls: 0, wrong: 0 }
const stay = supervisor.hold(shared, { id: 'keeps it running' })
let before
for (let run = 0; run < runs; run++) {
  await session(`session-${run}`, run % 10 === 0 ? [shared, own] : [shared])
  if (run + 1 === warmUp) before = await measure()
  if ((run + 1) % 200 === 0) process.send({ log: `${run + 1} sessions, ${counts.calls} calls` })
}
const after = await measure()
const heapGrowthMb = after.heapMb - before.heapMb
stay.release()
await supervisor.close()
const left = marked().length
const ok =
  counts.wrong === 0 &&
  counts.calls === counts.starts * callsEach &&
  after.handles <= before.handles &&
  after.processes <= atRest &&
  // Half a kilobyte a session at the most, and what a collection leaves lying around.
  heapGrowthMb < 3 + runs * 0.0005 &&
  left === 0
process.send({ ok, ...counts, before, after, left }, () => process.exit())

async function session(id, entries) {
  for (const one of entries) {
    let ready = () => {}
    const changed = new Promise((resolve) => {
      ready = resolve
    })
    const bridge = createBridge({ name: one.name, hold: (holder) => supervisor.hold(one, { id: holder }) })
    const connection = bridge.connect({
      sessionId: id,
      send: ({ method }) => method === 'notifications/tools/list_changed' && ready(),
    })
    const { toolsListResult } = await connection.manifest()
    if (toolsListResult.tools.length === 0) await changed
    const calls = Array.from({ length: callsEach }, async (_unused, number) => {
      const text = `${id} ${number}`
      const params = { name: 'echo', arguments: { text } }
      const answer = await connection.handle({ jsonrpc: '2.0', id: number, method: 'tools/call', params })
      if (answer?.result?.content?.[0]?.text !== text || answer.id !== number) counts.wrong++
      counts.calls++
    })
    await Promise.all(calls)
    connection.close()
    counts.starts++
  }
}

/** After what was ended has had time to be gone. */
async function measure() {
  const deadline = Date.now() + 10_000
  while (marked().length > atRest && Date.now() < deadline) await rest(50)
  await rest(100)
  globalThis.gc()
  await rest(50)
  globalThis.gc()
  return {
    heapMb: Math.round((process.memoryUsage().heapUsed / 1048576) * 100) / 100,
    handles: readdirSync('/proc/self/fd').length,
    processes: marked().length,
  }
}

/** Processes that the supervisor started. */
function marked() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DORKOS_MCP_MARK=${mark}:`)
    } catch {
      return false
    }
  })
}

function rest(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
