/** One session to which everything happens at once: what is done to it is chosen by chance, and what it tells is kept and checked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../packages/shared/dist/index.js'
import { checkPublished } from './check-published.mjs'

/** So long a session may take to come to rest on a busy machine; one that hangs never does. */
const restMs = 60_000
const working = ['working', 'waiting', 'paused']
const acts = {
  send: 6,
  steer: 2,
  stop: 3,
  withdraw: 1,
  release: 1,
  pause: 1,
  resume: 2,
  kill: 1,
  end: 0.5,
  rest: 3,
  wait: 6,
}
const weighted = Object.entries(acts).flatMap(([act, weight]) => Array(weight * 2).fill(act))

export class InterleavedSession {
  /** What must not be, in words. */
  faults = []
  /** How many messages the server took in the last run. */
  taken = 0
  #accepted = []
  #sent = 0
  #server
  #contents
  #quietMs
  #events = []
  /** As it was published last. */
  #backgroundTasks = 0
  /** Turns of the runs before. */
  #checked = new Set()
  #abort = new AbortController()
  #following
  #under = new Set()

  static async open({ server, contents, quietMs }) {
    const body = { permission_mode: 'bypassPermissions' }
    const { session } = await server.client.createSession({ body })
    return new InterleavedSession(server, contents, quietMs, session.id)
  }

  constructor(server, contents, quietMs, id) {
    this.#server = server
    this.#contents = contents
    this.#quietMs = quietMs
    this.id = id
    this.#following = this.#follow()
  }

  get params() {
    return { id: this.id }
  }

  /** Does some things, most of them while others are under way; then lets all come to its end, and looks. */
  async run(random) {
    for (let left = random.between(4, 16); left > 0; left--) {
      const act = random.pick(weighted)
      const doing = this.#do(act, random).catch((error) => this.#refused(act, error))
      this.#under.add(doing.finally(() => this.#under.delete(doing)))
      if (act === 'wait' || act === 'rest') await doing
    }
    await Promise.all(this.#under)
    await this.#comeToRest()
    await this.#check()
  }

  async close() {
    this.#abort.abort()
    await this.#following
    await this.#server.client.deleteSession({ params: this.params }).catch(() => undefined)
  }

  async #do(act, random) {
    const { client } = this.#server
    const call = { params: this.params, body: {} }
    switch (act) {
      case 'send':
      case 'steer':
        return this.#send(act === 'send' ? 'queue' : 'steer', random)
      case 'stop': {
        const body = random.pick([{}, { hold_queued: false }, { cancel_queued: true }])
        return client.interruptSession({ params: this.params, body })
      }
      case 'withdraw': {
        const [turn] = (await this.#turns()).filter(({ state }) => state === 'queued')
        return turn && client.withdrawMessage({ params: { ...this.params, messageId: turn.id } })
      }
      case 'release':
        return client.releaseQueue(call)
      case 'pause':
        return client.pauseSession(call)
      case 'resume':
        return client.resumeSession(call)
      case 'kill':
        return this.#server.killCli(this.id)
      case 'end':
        return client.stopSession(call)
      case 'wait':
        return sleep(random.pick([0, 2, random.between(0, 30), random.between(0, 200)]))
      case 'rest':
        for (let tries = 0; tries < 20 && (await this.#isWorking()); tries++) await sleep(3)
    }
  }

  async #send(delivery, random) {
    const content = `${random.pick(this.#contents)} ${this.#sent++}`
    const { turn } = await this.#server.client.sendMessage({
      params: this.params,
      body: { content, delivery },
    })
    this.#accepted.push({ id: turn.id, content, delivery })
  }

  /** What a session is in no state for is refused; anything else is a fault. */
  #refused(act, error) {
    const isRefused = error instanceof ApiError && [404, 409].includes(error.status)
    const hasEnded = error instanceof ApiError && error.code === 'agent_failed'
    if (!isRefused && !hasEnded) this.faults.push(`${act}: ${error}`)
  }

  async #turns() {
    return (await this.#server.client.listTurns({ params: this.params, query: { limit: 500 } })).turns
  }

  async #isWorking() {
    return working.includes((await this.#server.client.getSession({ params: this.params })).state)
  }

  /** A person resumes what is paused, releases what is held, and starts again what was given up. */
  async #comeToRest() {
    const { client } = this.#server
    const call = { params: this.params, body: {} }
    const by = performance.now() + restMs
    let quietSince
    for (;;) {
      const session = await client.getSession({ params: this.params })
      const open = (await this.#turns()).filter(({ state }) => state !== 'ended')
      const isQuiet = open.length === 0 && this.#backgroundTasks === 0 && !working.includes(session.state)
      quietSince = isQuiet ? (quietSince ?? performance.now()) : undefined
      // Background work that ended begins a turn in a moment.
      if (isQuiet && performance.now() - quietSince > this.#quietMs) return
      if (performance.now() > by) {
        const left = open.map(({ id, state }) => `${id} ${state}`)
        left.push(`${this.#backgroundTasks} background tasks`)
        this.faults.push(`it hangs: ${session.state}, ${left.join(', ')}`)
        return
      }
      if (session.state === 'paused') await client.resumeSession(call).catch(() => undefined)
      if (session.queue_held) await client.releaseQueue(call).catch(() => undefined)
      if (!session.live && session.queued_messages > 0) await client.startSession(call).catch(() => undefined)
      await sleep(10)
    }
  }

  async #follow() {
    try {
      const stream = this.#server.client.followSession(this.id, {
        signal: this.#abort.signal,
        lastEventId: '1-1',
      })
      for await (const frame of stream) {
        if (frame.frame === 'message') this.#see(frame.event)
        if (frame.frame === 'resync' && this.#events.length > 0) this.faults.push('the stream has a gap')
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.faults.push(`the stream: ${error}`)
    }
  }

  #see(event) {
    this.#events.push(event)
    if (event.type === 'session_status')
      this.#backgroundTasks = event.background_tasks ?? this.#backgroundTasks
  }

  async #check() {
    const turns = await this.#settled()
    this.faults.push(...checkPublished({ events: this.#events, turns, accepted: this.#accepted }))
    for (const { id } of turns) this.#checked.add(id)
    this.#events = []
    this.taken = this.#accepted.length
    this.#accepted = []
  }

  /** The turns of this run, once all that is stored of them is published. Background work may begin one even now, on a busy machine. */
  async #settled() {
    for (let tries = 0; ; tries++) {
      const turns = (await this.#turns()).filter(({ id }) => !this.#checked.has(id))
      const ended = turns.filter(
        ({ state, outcome, started_at }) =>
          state === 'ended' && started_at && !['joined', 'withdrawn'].includes(outcome),
      )
      const published = new Set(this.#of('turn_end').map(({ turn_id }) => turn_id))
      const isPublished = ended.every(({ id }) => published.has(id))
      const isOver = this.#of('turn_start').every(({ turn_id }) => published.has(turn_id))
      if ((isPublished && isOver) || tries === 500) return turns
      await sleep(10)
    }
  }

  #of(type) {
    return this.#events.filter((event) => event.type === type)
  }
}
