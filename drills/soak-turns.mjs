/**
 * One session of a whole server has many turns, one after the other, each with an approval, followed as by a page. The server runs as it does
 * for people, in a process of its own. In the first 200 turns (of few: the first half) caches fill; from there to the end its heap, without the
 * code that V8 has compiled, must not grow by more than a kilobyte a turn.
 */
import { fileURLToPath } from 'node:url'
import { fakeCli, steps } from '../packages/testkit/dist/index.js'
import { ServerChild } from './server-child.mjs'

const bytesPerTurn = 1024
const warmUpTurns = 200
/** One collection leaves more lying around than another (30 turns: 40 to 80 KB): a short run cannot tell less. */
const tellableBytes = 2e5
const readings = 20
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
    return judge(turns, await readWhileTalking(server, turns, log))
  } finally {
    await server.stop()
    await cli.dispose()
    await server.remove()
  }
}

async function readWhileTalking(server, turns, log) {
  const conversation = await openConversation(server.client)
  const every = Math.max(1, Math.floor(turns / readings))
  const from = judgedFrom(turns)
  const read = []
  for (let turn = 1; turn <= turns; turn++) {
    await conversation.say(`message ${turn} with some words in it`)
    if (turn % every !== 0 || (turn < from && read.length > 0)) continue
    const now = await server.ask('memory')
    read.push({ turn, ...now })
    const [heap, code, rss] = [now.heap, now.code, now.rss].map(megabytes)
    log(`${turn} turns: heap ${heap} MB in ${now.threads} threads, code ${code} MB, process ${rss} MB`)
  }
  conversation.close()
  return read
}

function judgedFrom(turns) {
  return Math.min(warmUpTurns, turns / 2)
}

function judge(turns, read) {
  const late = read.filter(({ turn }) => turn >= judgedFrom(turns))
  const heap = slope(late, 'heap')
  const span = late.at(-1).turn - late[0].turn
  const of = (figure) => [read[0], late[0], late.at(-1)].map((reading) => megabytes(reading[figure]))
  return {
    ok: heap * span <= Math.max(tellableBytes, bytesPerTurn * span),
    turns,
    threads: late.at(-1).threads,
    heap_bytes_per_turn: Math.round(heap),
    code_bytes_per_turn: Math.round(slope(late, 'code')),
    rss_bytes_per_turn: Math.round(slope(late, 'rss')),
    judged_from: late[0].turn,
    // Early, from where on it is judged, and at the end.
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
