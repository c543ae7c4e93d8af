/**
 * Cuts event streams at random bytes while agents of the real CLI write, and compares what each client got with the log:
 * nothing lost, nothing doubled, nothing out of order.
 */
import { createApiClient, parseEventId } from '../packages/shared/dist/index.js'
import { reply, startScriptedModel, text } from '../packages/testkit/dist/index.js'
import { CuttingProxy } from './cutting-proxy.mjs'
import { createRandom } from './random.mjs'
import { ServerChild } from './server-child.mjs'

const followersPerKind = 5
/** Pieces of one block are joined on a busy machine; blocks never are, so many of them make many events. */
const blocks = Array.from({ length: 150 }, (_unused, index) => text(`piece ${index} of it `))

export async function cuts({ runs, seed, log }) {
  const random = createRandom(seed)
  const model = await startScriptedModel(() => reply(blocks, { deltaDelayMs: 1, deltaSize: 6 }))
  let isCutting = true
  const proxy = new CuttingProxy(() => (isCutting ? chooseCut(random) : undefined))
  const farUrl = `http://127.0.0.1:${await proxy.listen()}`
  const server = await ServerChild.create({
    modelUrl: model.url,
    config: { publicOrigins: [farUrl], sessions: { prewarm: false, maxTurns: 10_000 }, sandbox: 'off' },
  })
  proxy.targetPort = server.port
  try {
    await server.start().ready
    const writers = await Promise.all([startWriter(server.client), startWriter(server.client)])
    const reference = writers.map(({ id }) => new Follower(server.client, { id }))
    const far = createApiClient({ baseUrl: farUrl, token: server.token })
    const ids = writers.map(({ id }) => id)
    const newest = (id) => reference[ids.indexOf(id)].positions.get(id)
    const followers = []
    for (let count = 0; count < followersPerKind; count++) {
      followers.push(new Follower(far, { id: ids[count % 2], newest }))
      followers.push(new Follower(far, { ids, newest }))
    }
    let next = 1000
    while (proxy.cuts < runs) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (proxy.cuts < next) continue
      log(`${proxy.cuts} cuts`)
      next += 1000
    }
    isCutting = false
    const made = proxy.cuts
    await Promise.all(writers.map((writer) => writer.stop()))
    const logs = new Map()
    for (const [index, id] of ids.entries()) logs.set(id, await reference[index].wholeLog(id))
    for (const follower of followers) await follower.reach(logs)
    const counts = { lost: 0, doubled: 0, reordered: 0, resyncs: 0 }
    for (const follower of [...followers, ...reference]) follower.compare(logs, counts, log)
    await Promise.all([...followers, ...reference].map((follower) => follower.close()))
    const waits = followers.flatMap(({ caughtUpMs }) => caughtUpMs).toSorted((a, b) => a - b)
    const at = (share) => Math.round((waits[Math.floor(waits.length * share)] ?? 0) * 10) / 10
    const events = [...logs.values()].reduce((sum, list) => sum + list.length, 0)
    const ok = Object.values(counts).every((count) => count === 0) && events > 0 && waits.length > 0
    const speed = { caught_up_p50_ms: at(0.5), caught_up_p95_ms: at(0.95) }
    return { ok, cuts: made, clients: followers.length, events, ...counts, ...speed }
  } finally {
    proxy.close()
    await server.kill()
    await model.close()
    await server.remove()
  }
}

/** Most cuts fall into the head or the first frames, where resuming is hardest; some far into the live part. */
function chooseCut(random) {
  if (random.chance(0.08)) return { toServer: random.between(1, 400) }
  const limit = random.pick([500, 500, 2500, 2500, 20_000])
  return { fromServer: random.between(1, limit) }
}

/** A session that always has something to say. */
async function startWriter(client) {
  const { session } = await client.createSession({ body: { title: 'writes' } })
  const params = { id: session.id }
  const abort = new AbortController()
  let isStopped = false
  const send = () => client.sendMessage({ params, body: { content: 'write' } })
  await send()
  await send()
  const writing = (async () => {
    try {
      for await (const frame of client.followSession(session.id, {
        signal: abort.signal,
        lastEventId: '1-1',
      }))
        if (frame.frame === 'message' && frame.event.type === 'turn_end' && !isStopped) await send()
    } catch (error) {
      if (!abort.signal.aborted) throw error
    }
  })()
  return {
    id: session.id,
    async stop() {
      isStopped = true
      await client.interruptSession({ params, body: { cancel_queued: true } })
      await client.stopSession({ params, body: {} })
      abort.abort()
      await writing
    },
  }
}

/** One client. Follows one session from its first event on, or several on one stream from a snapshot on. */
class Follower {
  /** The newest position of each session. */
  positions = new Map()
  caughtUpMs = []
  /** Events by session. */
  #seen = new Map()
  /** Where each session began. */
  #from = new Map()
  #resyncs = 0
  #abort = new AbortController()
  #waiting = []
  #newest
  #targets
  #connectedAt = 0
  #done

  constructor(client, { id, ids, newest }) {
    this.#newest = newest
    const options = { signal: this.#abort.signal, maxRetryMs: 50, onState: (state) => this.#onState(state) }
    for (const one of ids ?? [id]) this.#seen.set(one, [])
    if (id) this.#from.set(id, { epoch: 1, seq: 1 })
    this.#done = this.#read(
      ids
        ? client.followAll({ sessions: ids, ...options })
        : client.followSession(id, { lastEventId: '1-1', ...options }),
    )
  }

  /** All events of the session, once it has ended; for the client that nobody cuts. */
  async wholeLog(id) {
    const isLast = (event) => event.type === 'session_status' && !event.live
    while (!isLast(this.#seen.get(id).at(-1) ?? {})) await this.#event()
    return this.#seen.get(id)
  }

  /** Resolves when the last event of each session is here, or another stands in its place for good. */
  async reach(logs) {
    for (const [id, events] of this.#seen) {
      const last = logs.get(id).at(-1).id
      const deadline = performance.now() + 20_000
      while (events.at(-1)?.id !== last && performance.now() < deadline) await this.#event()
    }
  }

  compare(logs, counts, log) {
    counts.resyncs += this.#resyncs
    for (const [id, events] of this.#seen) {
      const from = this.#from.get(id)
      const expected = logs.get(id).filter((event) => from && isAfter(parseEventId(event.id), from))
      const ids = events.map((event) => event.id)
      const known = new Set(ids)
      const lost = expected.filter((event) => !known.has(event.id)).length
      const doubled = ids.length - known.size
      const reordered = ids.filter(
        (eventId, index) => index > 0 && !isAfter(parseEventId(eventId), parseEventId(ids[index - 1])),
      ).length
      const isSame = JSON.stringify(events) === JSON.stringify(expected)
      if (!isSame) log(`session ${id}: ${lost} lost, ${doubled} doubled, ${reordered} out of order`)
      counts.lost += lost || (isSame || doubled + reordered > 0 ? 0 : 1)
      counts.doubled += doubled
      counts.reordered += reordered
    }
  }

  async close() {
    this.#abort.abort()
    await this.#done
  }

  #event() {
    return Promise.race([
      new Promise((resolve) => this.#waiting.push(resolve)),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ])
  }

  /** From the moment of a new connection: how long until the client has all that was there then. */
  #onState({ state }) {
    if (state !== 'connecting' || !this.#newest) return
    this.#connectedAt = performance.now()
    this.#targets = new Map([...this.#seen.keys()].map((id) => [id, this.#newest(id)]))
  }

  async #read(stream) {
    for await (const frame of stream) {
      if (frame.frame === 'resync') this.#resyncs++
      else if (frame.frame === 'snapshot') this.#begin(frame)
      else if (frame.frame === 'message') {
        this.#seen.get(frame.event.session).push(frame.event)
        this.positions.set(frame.event.session, parseEventId(frame.event.id))
        this.#check()
      }
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  /** A second snapshot of a session would hide what was lost: it counts like a resync. */
  #begin({ session, snapshot }) {
    if (this.#from.has(session)) this.#resyncs++
    this.#from.set(session, snapshot.at ? parseEventId(snapshot.at) : { epoch: 0, seq: 0 })
  }

  #check() {
    if (!this.#targets) return
    for (const [id, target] of this.#targets)
      if (target && isAfter(target, this.positions.get(id) ?? { epoch: 0, seq: 0 })) return
    this.#targets = undefined
    this.caughtUpMs.push(performance.now() - this.#connectedAt)
  }
}

function isAfter(one, other) {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.seq > other.seq)
}
