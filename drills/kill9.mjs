/**
 * Kills the server at random moments while agents work, and looks after each crash whether anything was lost, ran twice,
 * dangles or is damaged. Most runs use a CLI that does little and starts fast; every tenth the real one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fakeCli, reply, startScriptedModel, steps, text, toolUse } from '../packages/testkit/dist/index.js'
import { AgentLoad } from './agent-load.mjs'
import { readStore } from './check-store.mjs'
import { createRandom } from './random.mjs'
import { ServerChild } from './server-child.mjs'

const settleMs = 60_000
const runsPerSession = 10

export async function kill9({ runs, seed, realEvery = 10, log }) {
  const random = createRandom(seed)
  const worlds = { fake: await openFakeWorld(random.branch()) }
  const count = {
    accepted: 0,
    lost: 0,
    double: 0,
    corrupt: 0,
    dangling: 0,
    gaps: 0,
    orphans: 0,
    real_runs: 0,
  }
  const failures = []
  const fail = (kind, number, message) => {
    count[kind]++
    failures.push(message)
    log(`run ${number}: ${message}`)
  }
  try {
    for (let number = 1; number <= runs; number++) {
      const isReal = number % realEvery === 0
      if (isReal) worlds.real ??= await openRealWorld(random.branch())
      if (isReal) count.real_runs++
      await runOnce(isReal ? worlds.real : worlds.fake, random, (kind, message) =>
        fail(kind, number, message),
      )
      if (number % 25 === 0) log(`${number} runs, ${failures.length} failures`)
    }
    const outcomes = {}
    for (const world of Object.values(worlds))
      await finish(world, outcomes, (kind, text) => fail(kind, 'end', text))
    count.accepted = Object.values(worlds).reduce((sum, { load }) => sum + load.accepted.size, 0)
    const followed = Object.values(worlds).reduce((sum, { load }) => sum + load.events, 0)
    const answered = Object.values(worlds).reduce((sum, { load }) => sum + load.answered.size, 0)
    return {
      ok: failures.length === 0,
      ...count,
      events_followed: followed,
      approvals_answered: answered,
      outcomes,
    }
  } finally {
    for (const world of Object.values(worlds)) await world.close()
  }
}

const config = (cliPath) => ({
  sessions: { prewarm: false, maxLive: 6 },
  sandbox: 'off',
  ...(cliPath && { cliPath }),
})

/** The CLI of the testkit: it keeps no transcript, so every message that was sent when the server died is a person's to decide. */
async function openFakeWorld(random) {
  const work = [
    [steps.say('one piece'), steps.wait(40), steps.say('and another')],
    [steps.ask({ toolName: 'Bash', input: { command: 'touch made' } }), steps.say('it was answered')],
    [steps.wait(150), steps.say('that took a while')],
    [steps.say('quick')],
  ]
  const cli = fakeCli({ turns: [...work, ...work, ...work], onExtra: work[0] })
  const server = await ServerChild.create({ modelUrl: 'http://127.0.0.1:9', config: config(cli.path) })
  const load = new AgentLoad(server, random, 'fake')
  return {
    server,
    load,
    runs: 0,
    sessions: 3,
    /** How often the CLI got each message, by its id. */
    async timesRun() {
      const times = new Map()
      for (const entry of await cli.log())
        if (entry.type === 'stdin' && entry.message.type === 'user')
          times.set(entry.message.uuid, (times.get(entry.message.uuid) ?? 0) + 1)
      return times
    },
    async close() {
      await load.stop()
      await server.kill()
      await cli.dispose()
      await server.remove()
    },
  }
}

async function openRealWorld(random) {
  const model = await startScriptedModel((request) => {
    const pieces = { deltaDelayMs: 5, deltaSize: 5 }
    if (request.toolResults.length > 0) return reply([text('it was answered')])
    if (request.lastUserText.endsWith('asks')) return reply([toolUse('Bash', { command: 'touch made' })])
    return reply([text('some words in small pieces '.repeat(3))], pieces)
  })
  const server = await ServerChild.create({ modelUrl: model.url, config: config() })
  const load = new AgentLoad(server, random, 'real')
  return {
    server,
    load,
    runs: 0,
    sessions: 2,
    /** How often the model was asked to begin on each message, by its id. */
    async timesRun() {
      const asked = new Map()
      for (const { kind, toolResults, lastUserText } of model.requests)
        if (kind === 'main' && toolResults.length === 0)
          asked.set(lastUserText, (asked.get(lastUserText) ?? 0) + 1)
      return new Map([...load.accepted].map(([id, { content }]) => [id, asked.get(content) ?? 0]))
    },
    async close() {
      await load.stop()
      await server.kill()
      await model.close()
      await server.remove()
    },
  }
}

/** Starts the server, looks at what the last crash left, lets agents work for a while, and kills it. */
async function runOnce(world, random, fail) {
  const { server, load } = world
  world.isOld ||= world.runs % runsPerSession === 0
  world.runs++
  const { ready } = server.start()
  // Some crashes come while the server still puts right what the last one left.
  if (world.runs > 1 && random.chance(0.2)) await sleep(random.between(0, 1000))
  else {
    await ready
    await checkRunning(world, fail)
    if (world.isOld) await load.addSessions(world.sessions)
    world.isOld = false
    await sleep(random.between(0, 3000))
  }
  await server.kill()
  await checkStore(world, fail)
}

/** What must hold of the store in whatever moment the server died. */
async function checkStore(world, fail) {
  const { server, load } = world
  const store = readStore(server.home)
  world.left = store
  for (const fault of store.faults) fail('corrupt', `integrity check: ${fault}`)
  for (const row of [...store.gaps, ...store.epochGaps])
    fail('gaps', `events with a gap: ${JSON.stringify(row)}`)
  for (const row of store.doubleLedgerRows) fail('double', `two ledger rows: ${JSON.stringify(row)}`)
  const byId = new Map(store.turns.map((turn) => [turn.id, turn]))
  for (const [id, { content }] of load.accepted) {
    if (!byId.has(id)) fail('lost', `the accepted message ${id} is not in the store`)
    else if (byId.get(id).content !== JSON.stringify(content)) fail('lost', `the message ${id} is another`)
  }
  for (const [content, times] of countBy(
    store.turns.filter((turn) => turn.content),
    (turn) => turn.content,
  ))
    if (times > 1) fail('double', `${times} turns of one request: ${content}`)
  const times = await world.timesRun()
  for (const [id, count] of times) {
    const allowed = 1 + (load.settledRuns.get(id) ?? 0)
    if (count > allowed) fail('double', `the message ${id} ran ${count} times`)
  }
  const states = new Map(store.approvals.map(({ id, state }) => [id, state]))
  for (const [id, state] of load.answered)
    if (states.get(id) !== state) fail('lost', `the answer to ${id} was ${state} and is ${states.get(id)}`)
  for (const { id, starts, ends } of store.logged)
    if (starts > 1 + (load.settledRuns.get(id) ?? 0) || ends > starts)
      fail('double', `the log has ${starts} begins and ${ends} ends of the turn ${id}`)
  for (const fault of load.faults.splice(0)) fail('gaps', fault)
}

/** What must hold once the server has put right what was left. */
async function checkRunning(world, fail) {
  const { server, load, left } = world
  const orphans = server.orphans()
  if (orphans.length > 0) fail('orphans', `processes without a server: ${orphans.join(', ')}`)
  if (!left) return
  const { client } = server
  for (const { id } of left.approvals.filter(({ state }) => state === 'pending')) {
    const { state } = await client.getApproval({ params: { id } })
    if (state !== 'void') fail('dangling', `the approval ${id} of the last run is ${state}`)
  }
  const open = left.turns.filter(({ state }) => state === 'running')
  const undecided = left.turns.filter(({ outcome }) => outcome === 'unconfirmed')
  for (const id of new Set(open.map(({ sessionId }) => sessionId))) {
    const { turns } = await client.listTurns({ params: { id }, query: { limit: 500 } })
    for (const turn of turns.filter((one) => open.some((old) => old.id === one.id))) {
      if (turn.state !== 'ended') fail('dangling', `the turn ${turn.id} of the last run is ${turn.state}`)
      if (turn.outcome === 'unconfirmed') undecided.push({ id: turn.id, sessionId: id })
    }
  }
  for (const id of load.sessionIds.slice(-world.sessions)) {
    const session = await client.getSession({ params: { id } })
    const works = session.state === 'working' || session.state === 'waiting'
    if (works && !session.live) fail('dangling', `session ${id} is ${session.state} without a process`)
  }
  await load.settle(undecided.filter(({ id }) => !load.dropped.has(id)))
}

/** Lets everything come to its end, and looks for the last time. */
async function finish(world, outcomes, fail) {
  const { server, load } = world
  await server.start().ready
  await checkRunning(world, fail)
  await load.calmDown()
  const deadline = performance.now() + settleMs
  while (performance.now() < deadline) {
    await load.answerAll()
    const counts = await Promise.all(
      load.sessionIds.map(async (id) => {
        const { turns } = await server.client.listTurns({ params: { id }, query: { limit: 500 } })
        return turns.filter(({ state }) => state !== 'ended').length
      }),
    )
    if (counts.every((count) => count === 0)) break
    await sleep(100)
  }
  if ((await server.stop()) !== 0) fail('dangling', 'the server did not stop in good order')
  const orphans = server.orphans()
  if (orphans.length > 0) fail('orphans', `processes are left after the stop: ${orphans.join(', ')}`)
  await checkStore(world, fail)
  const unfinished = world.left.turns.filter(({ state }) => state !== 'ended')
  for (const turn of unfinished) fail('lost', `the message ${turn.id} never ended: it is ${turn.state}`)
  for (const { id, starts, ends } of world.left.logged)
    if (starts !== ends) fail('dangling', `the log has ${starts} begins and ${ends} ends of the turn ${id}`)
  const logged = new Set(world.left.logged.filter(({ ends }) => ends > 0).map(({ id }) => id))
  for (const { id, started_at, outcome } of world.left.turns)
    if (started_at && !['joined', 'withdrawn'].includes(outcome) && !logged.has(id))
      fail('dangling', `the log does not say that the turn ${id} ended: ${outcome}`)
  for (const [outcome, times] of countBy(world.left.turns, (turn) => turn.outcome ?? turn.state))
    outcomes[outcome] = (outcomes[outcome] ?? 0) + times
}

function countBy(list, keyOf) {
  const counts = new Map()
  for (const item of list) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
