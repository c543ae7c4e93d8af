/**
 * One session of a whole server has many turns, one after the other, each with an approval, followed as by a page. The server runs as it does
 * for people, in a process of its own. Another session has as many turns before (at most 2,000): by then V8 has compiled what it will compile of
 * the program, and caches are full. From the second session's first turn to its last the heap, with all compiled code, must not grow by more than
 * a kilobyte a turn. What the first session added is told too, and so is the memory of the whole process.
 */
import { fileURLToPath } from 'node:url'
import { fakeCli, steps } from '../packages/testkit/dist/index.js'
import { ServerChild } from './server-child.mjs'

const bytesPerTurn = 1024
const mostWarmUpTurns = 2000
/** A short run cannot tell less: one collection leaves more lying around than another, and V8 still compiles. */
const tellableBytes = 1e6
/** Each takes a moment: of few turns, every fourth is enough. */
const mostReadings = 20
const probe = fileURLToPath(new URL('memory-probe.mjs', import.meta.url))

export async function soakTurns({ turns, log }) {
  const call = steps.ask({ toolName: 'Bash', input: { command: 'echo a line of some length' } })
  const work = [steps.say('some words of an answer '.repeat(20)), call, steps.say('done')]
  const cli = fakeCli(work, { logStdin: false })
  const server = await ServerChild.create({
    modelUrl: 'http://127.0.0.1:9',
    config: { cliPath: cli.path, sandbox: 'off' },
    nodeOptions: ['--expose-gc', `--import=${probe}`],
  })
  try {
    await server.start().ready
    const warmUp = await readWhileTalking(server, Math.min(turns, mostWarmUpTurns), log)
    return judge(turns, warmUp, await readWhileTalking(server, turns, log))
  } finally {
    await server.stop()
    await cli.dispose()
    await server.remove()
  }
}

async function readWhileTalking(server, turns, log) {
  const conversation = await openConversation(server.client)
  const every = Math.max(4, Math.floor(turns / mostReadings))
  const read = []
  for (let turn = 1; turn <= turns; turn++) {
    await conversation.say(`message ${turn} with some words in it`)
    if (turn % every !== 0 && turn > 1) continue
    const now = await server.ask('memory')
    read.push({ turn, ...now, all: now.heap + now.code })
    const [heap, code, rss] = [now.heap, now.code, now.rss].map(megabytes)
    log(`${turn} turns: heap ${heap} MB in ${now.threads} threads, code ${code} MB, process ${rss} MB`)
  }
  conversation.close()
  return read
}

function judge(turns, warmUp, read) {
  const all = slope(read, 'all')
  const of = (figure) => [warmUp[0], read[0], read.at(-1)].map((reading) => megabytes(reading[figure]))
  return {
    ok: all * turns <= Math.max(tellableBytes, bytesPerTurn * turns),
    turns,
    threads: read.at(-1).threads,
    // What is judged: the heap with the code in it.
    bytes_per_turn: Math.round(all),
    heap_bytes_per_turn: Math.round(slope(read, 'heap')),
    code_bytes_per_turn: Math.round(slope(read, 'code')),
    rss_bytes_per_turn: Math.round(slope(read, 'rss')),
    warm_up_turns: warmUp.at(-1).turn,
    warm_up_bytes_per_turn: Math.round(slope(warmUp, 'all')),
    // After the first turn of all, after the first of the session that is judged, and at the end.
    heap_mb: of('heap'),
    code_mb: of('code'),
    rss_mb: of('rss'),
  }
}

/** The median of the slopes between any two readings: a single odd one does not move it. */
function slope(readings, figure) {
  const slopes = readings.flatMap((one, index) =>
    readings.slice(index + 1).map((other) => (other[figure] - one[figure]) / (other.turn - one.turn)),
  )
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0
}

/** A new session that is followed; what it asks is allowed. */
async function openConversation(client) {
  const { session } = await client.createSession({ body: {} })
  const params = { id: session.id }
  const stop = new AbortController()
  const options = { signal: stop.signal, lastEventId: '1-1' }
  const frames = client.followSession(session.id, options)[Symbol.asyncIterator]()
  const nextEvent = async () => {
    const { value, done } = await frames.next()
    if (done) throw new Error('the event stream ended')
    return value.frame === 'message' ? value.event : undefined
  }
  return {
    /** Resolves when the turn is over. */
    async say(content) {
      const { turn } = await client.sendMessage({ params, body: { content } })
      for (;;) {
        const event = await nextEvent()
        if (event?.type === 'approval_required')
          await client.answerApproval({ params: { id: event.approval.id }, body: { decision: 'allow' } })
        if (event?.type === 'turn_end' && event.turn_id === turn.id) return
      }
    },
    close: () => stop.abort(),
  }
}

function megabytes(bytes) {
  return Math.round(bytes / 1e4) / 100
}
