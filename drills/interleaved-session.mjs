/** One session to which everything happens at once: what is done to it is chosen by chance, and what it tells is kept and checked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../packages/shared/dist/index.js'
import { wordsOf } from './asked-prompts.mjs'
import { checkAsked } from './check-asked.mjs'
import { checkPublished } from './check-published.mjs'

/** A session that hangs publishes nothing for so long, on however busy a machine; one that turns in circles does not come to rest. */
const hangMs = 60_000
const circleMs = 600_000
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
  crash: 1,
  answer: 3,
  end: 0.5,
  rest: 3,
  begun: 3,
  wait: 6,
}
const weighted = Object.entries(acts).flatMap(([act, weight]) => Array(weight * 2).fill(act))

function brief({ type, turn_id, state, live, outcome, code, message }) {
  return [type, turn_id, state, live, outcome, code, message].filter((part) => part !== undefined).join(' ')
}

export class InterleavedSession {
  /** What must not be, in words. */
  faults = []
  /** Of the last run: messages that the server took and that the model was asked, turns of the CLI's own, questions to a person, tasks of a fake CLI that a kill or an end cut off. */
  figures = {}
  #accepted = []
  #sent = 0
  #world
  #server
  #events = []
  /** Of the runs before, to which late turns of background work can belong. */
  #ownTurns = 0
  #askedBefore = 0
  /** When it published something last. */
  #seenAt = 0
  #lossesBefore = 0
  /** Questions to a person that have no answer yet. */
  #questions = new Set()
  /** As it was published last. */
  #backgroundTasks = 0
  /** Turns of the runs before. */
  #checked = new Set()
  #abort = new AbortController()
  #following
  #under = new Set()

  static async open(world, permission_mode) {
    const { session } = await world.server.client.createSession({ body: { permission_mode } })
    return new InterleavedSession(world, session.id)
  }

  constructor(world, id) {
    this.#world = world
    this.#server = world.server
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
      if (['wait', 'rest', 'begun'].includes(act)) await doing
    }
    await Promise.all(this.#under)
    await this.#comeToRest(random.pick(['allow', 'deny', 'stop']))
    await this.#check()
  }

  async close() {
    this.#abort.abort()
    await this.#following
    await this.#server.client.deleteSession({ params: this.params }).catch(() => undefined)
    this.#world.prompts.forget(this.id)
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
      case 'crash':
        return this.#crash(random)
      case 'kill':
        this.#world.prompts.processEnded(this.id)
        return this.#server.killCli(this.id)
      case 'answer':
        return this.#answer(random.pick(['allow', 'deny']))
      case 'end':
        this.#world.prompts.processEnded(this.id)
        return client.stopSession(call)
      case 'wait':
        return sleep(random.pick([0, 2, random.between(0, 30), random.between(0, 200)]))
      case 'begun':
        return this.#untilBegun()
      case 'rest':
        for (let tries = 0; tries < 20 && (await this.#isWorking()); tries++) await sleep(3)
    }
  }

  async #send(delivery, random) {
    const content = wordsOf(random.pick(this.#world.contents), this.#sent++, this.id)
    const { turn } = await this.#server.client.sendMessage({
      params: this.params,
      body: { content, delivery },
    })
    this.#accepted.push({ id: turn.id, content, delivery })
  }

  /** The oldest question that is open. */
  async #answer(decision) {
    const [id] = this.#questions
    const body = decision === 'allow' ? { decision } : { decision, message: 'No.' }
    if (id !== undefined) await this.#server.client.answerApproval({ params: { id }, body })
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

  /** Until what was sent has begun: however slow the machine, what comes next comes to work that is under way. */
  async #untilBegun() {
    const before = this.#of('turn_start').length
    await this.#workUntil(() => this.#of('turn_start').length > before)
  }

  /** The CLI is killed while something runs in the background, and the person goes on. */
  async #crash(random) {
    await this.#workUntil(() => this.#backgroundTasks > 0)
    this.#world.prompts.processEnded(this.id)
    this.#server.killCli(this.id)
    await this.#send('queue', random)
  }

  /** Until this holds; not for ever, and not where nothing is to be done. */
  async #workUntil(holds) {
    for (let tries = 0; tries < 200 && !holds(); tries++) {
      const { queued_messages, state } = await this.#server.client.getSession({ params: this.params })
      if (queued_messages === 0 && state !== 'working') return
      await sleep(5)
    }
  }

  /**
   * A person resumes what is paused, releases what is held, and starts again what was given up. What is asked gets this answer, or the turn
   * that waits for one is stopped.
   */
  async #comeToRest(answer) {
    const { client } = this.#server
    const call = { params: this.params, body: {} }
    const began = performance.now()
    let quietSince
    for (;;) {
      const session = await client.getSession({ params: this.params })
      const open = (await this.#turns()).filter(({ state }) => state !== 'ended')
      const isQuiet = open.length === 0 && this.#backgroundTasks === 0 && !working.includes(session.state)
      quietSince = isQuiet ? (quietSince ?? performance.now()) : undefined
      // Background work that ended begins a turn in a moment.
      if (isQuiet && performance.now() - quietSince > this.#world.quietMs) return
      const now = performance.now()
      if (now - Math.max(began, this.#seenAt) > hangMs || now - began > circleMs) {
        const left = open.map(({ id, state }) => `${id} ${state}`)
        const { state, live, queued_messages, queue_held } = session
        left.push(JSON.stringify({ state, live, queued_messages, queue_held, tasks: this.#backgroundTasks }))
        this.faults.push(
          `it hangs: ${left.join(', ')}, after ${this.#events.slice(-12).map(brief).join('; ')}`,
        )
        return
      }
      if (session.state === 'paused') await client.resumeSession(call).catch(() => undefined)
      if (session.state === 'waiting')
        await (answer === 'stop' ? client.interruptSession(call) : this.#answer(answer)).catch(
          () => undefined,
        )
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
    this.#seenAt = performance.now()
    if (event.type === 'session_status')
      this.#backgroundTasks = event.background_tasks ?? this.#backgroundTasks
    if (event.type === 'approval_required') this.#questions.add(event.approval.id)
    if (event.type === 'approval_resolved') this.#questions.delete(event.approval_id)
  }

  async #check() {
    const turns = await this.#settled()
    const events = this.#events
    this.faults.push(...checkPublished({ events, turns, accepted: this.#accepted }))
    const { asked, ownTurns, losses } = this.#world.prompts.of(this.id)
    this.faults.push(...checkAsked({ events, turns, asked, ownTurns: ownTurns - this.#ownTurns }))
    for (const { id } of turns) this.#checked.add(id)
    const own = this.#of('turn_start').filter(({ cause }) => cause === 'background').length
    this.figures = {
      accepted: this.#accepted.length,
      asked: asked.length - this.#askedBefore,
      own_turns: own,
      questions: this.#of('approval_required').length,
      losses: losses - this.#lossesBefore,
    }
    this.#lossesBefore = losses
    this.#ownTurns += own
    this.#askedBefore = asked.length
    this.#events = []
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
      // What was stored may be older than what was published since.
      const isStored = turns.every(({ state }) => state === 'ended')
      if ((isPublished && isOver && isStored) || tries === 500) return turns
      await sleep(10)
    }
  }

  #of(type) {
    return this.#events.filter((event) => event.type === type)
  }
}
