/** What drives a server in the drill: people who send, answer and watch, and come back after every crash. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, parseEventId } from '../packages/shared/dist/index.js'

export class AgentLoad {
  /** Messages by turn id that the server answered with 202. */
  accepted = new Map()
  /** Approvals by id that the server took an answer to, with the state it said. */
  answered = new Map()
  /** How often a person had a message run again. */
  settledRuns = new Map()
  dropped = new Set()
  faults = []
  events = 0
  #server
  #random
  #name
  #sessions = []
  #isStopped = false
  #isCalm = false
  #tasks = []

  constructor(server, random, name) {
    this.#server = server
    this.#random = random
    this.#name = name
  }

  get sessionIds() {
    return this.#sessions.map(({ id }) => id)
  }

  /** New sessions, each with a sender and a watcher of its own; the older ones get no further messages. */
  async addSessions(count) {
    for (const session of this.#sessions) session.isOld = true
    for (let added = 0; added < count; added++) await this.#addSession()
  }

  async #addSession() {
    const body = { title: `${this.#name} ${this.#sessions.length + 1}` }
    const key = `session-${this.#sessions.length}`
    const made = await this.#insist(() => this.#server.client.createSession({ body, idempotencyKey: key }))
    const session = {
      id: made.session.id,
      sent: 0,
      open: new Set(),
      isOld: false,
      stop: new AbortController(),
    }
    this.#sessions.push(session)
    this.#tasks.push(this.#send(session), this.#watch(session))
  }

  /** Nothing new is sent from here on; everything that waits for a person is answered. */
  async calmDown() {
    this.#isCalm = true
    await this.#insist(() => this.answerAll())
  }

  async answerAll() {
    const { approvals } = await this.#server.client.listApprovals({ query: { limit: 500 } })
    for (const { id } of approvals) await this.#answer(id, 'allow')
  }

  async stop() {
    this.#isStopped = true
    for (const { stop } of this.#sessions) stop.abort()
    await Promise.all(this.#tasks)
  }

  /** A message that may or may not have run: a person has it run, or drops it. */
  async settle(turns) {
    for (const turn of turns) {
      const action = this.#random.pick(['run', 'drop'])
      // Counted before: the server may die after it took this and before it said so.
      if (action === 'run') this.settledRuns.set(turn.id, (this.settledRuns.get(turn.id) ?? 0) + 1)
      const params = { id: turn.sessionId, messageId: turn.id }
      await this.#server.client.settleMessage({ params, body: { action } }).catch(noteUnless(this, 409))
      if (action === 'drop') this.dropped.add(turn.id)
    }
  }

  async #send(session) {
    while (!this.#isStopped) {
      await sleep(this.#random.between(10, 150))
      if (this.#isStopped || session.isOld) return
      if (this.#isCalm || session.open.size >= 3) continue
      const number = ++session.sent
      const content = `message ${number} of ${session.id}${this.#random.chance(0.25) ? ' asks' : ''}`
      const idempotencyKey = `key-${number}`
      const call = { params: { id: session.id }, body: { content }, idempotencyKey }
      const answer = await this.#insist(() => this.#server.client.sendMessage(call))
      if (!answer) return
      this.accepted.set(answer.turn.id, { content, sessionId: session.id })
      if (answer.turn.state !== 'ended') session.open.add(answer.turn.id)
    }
  }

  /** Follows the session for ever, over every crash, and notes what is not the next event. */
  async #watch(session) {
    const { signal } = session.stop
    let last = { epoch: 1, seq: 1 }
    while (!this.#isStopped) {
      try {
        const from = `${last.epoch}-${last.seq}`
        const stream = this.#server.client.followSession(session.id, {
          signal,
          lastEventId: from,
          maxRetryMs: 60,
        })
        for await (const frame of stream) {
          if (frame.frame === 'resync' && last.seq > 1)
            this.faults.push(`resync of ${session.id} from ${from}`)
          if (frame.frame === 'snapshot')
            last = frame.snapshot.at ? parseEventId(frame.snapshot.at) : { epoch: 1, seq: 0 }
          if (frame.frame !== 'message') continue
          last = this.#next(session, last, frame.event)
        }
      } catch (error) {
        if (signal.aborted) return
        // Before the first event there is nothing to follow; a server that stops answers so too.
        if (!(error instanceof ApiError)) this.faults.push(`the stream of ${session.id}: ${error}`)
        await sleep(50)
      }
    }
  }

  #next(session, last, event) {
    this.events++
    const at = parseEventId(event.id)
    const isNext =
      at.epoch === last.epoch ? at.seq === last.seq + 1 : at.epoch === last.epoch + 1 && at.seq === 1
    if (!isNext) this.faults.push(`${session.id}: ${event.id} came after ${last.epoch}-${last.seq}`)
    if (event.type === 'turn_end') session.open.delete(event.turn_id)
    if (event.type === 'queue_update')
      for (const { id } of event.queue) if (this.accepted.has(id)) session.open.add(id)
    if (event.type === 'approval_required' && (this.#isCalm || this.#random.chance(0.7))) {
      const decision = this.#random.pick(['allow', 'allow', 'deny'])
      const delay = this.#isCalm ? 0 : this.#random.between(0, 200)
      void sleep(delay).then(() => this.#answer(event.approval.id, decision))
    }
    return at
  }

  async #answer(id, decision) {
    const body = decision === 'allow' ? { decision } : { decision, message: 'no' }
    try {
      const { state } = await this.#server.client.answerApproval({ params: { id }, body })
      this.answered.set(id, state)
    } catch {
      // Answered, void, or the server is gone: the store tells.
    }
  }

  /** Tries until the server has answered. Undefined when the drill is over. */
  async #insist(call) {
    while (!this.#isStopped) {
      await this.#server.up()
      try {
        return await call()
      } catch (error) {
        if (error instanceof ApiError && error.status !== 503)
          this.faults.push(`${error.code}: ${error.message}`)
        await sleep(20)
      }
    }
    return undefined
  }
}

function noteUnless(load, status) {
  return (error) => {
    if (error instanceof ApiError && error.status !== status)
      load.faults.push(`${error.code}: ${error.message}`)
  }
}
