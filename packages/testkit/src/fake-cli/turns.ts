import { builtinTools } from './canned.ts'
import { reportLostTasks, say } from './conversation-steps.ts'
import { Disorder, type ReportFault } from './disorder.ts'
import { initMessage, lifecycle, resultMessage, systemMessage, userMessage } from './messages.ts'
import type { Program } from './program.ts'
import type { CliStep, JsonObject } from './scenario.ts'
import {
  type FakeTurn,
  Interrupted,
  interruptedResult,
  lostTasksResult,
  newTurn,
  sleep,
  untilAborted,
} from './turn.ts'

type RunSteps = (program: Program, turn: FakeTurn, steps: readonly CliStep[]) => Promise<void>

interface Waiting {
  steps: readonly CliStep[]
  /** As hooks receive it. */
  prompt: string
  uuid?: string
  content?: unknown
  fault?: ReportFault | undefined
  /** Background work was lost: nothing is put to the model. */
  isLoss?: boolean
}

const costPerTurn = 0.00044

/** The session's turns: one at a time, further messages wait. */
export class Turns {
  readonly #program: Program
  readonly #runSteps: RunSteps
  readonly #queue: Waiting[] = []
  readonly #disorder: Disorder | undefined
  #state = 'idle'
  #busy = false
  #ended = false
  #questions = 0
  #userMessages = 0
  #assistantMessages = 0
  #results = 0
  #cost = 0
  #lastFailed = false
  /** Of the turn that runs. */
  #isLoss = false
  /** Messages that came before the end of a turn that reports a loss. */
  #unreported: Waiting[] | undefined
  #abort = new AbortController()

  constructor(program: Program, runSteps: RunSteps) {
    this.#program = program
    this.#runSteps = runSteps
    const { scenario, facts } = program
    if (scenario.disorder) this.#disorder = new Disorder(scenario.disorder, facts.sessionId)
  }

  get state(): string {
    return this.#state
  }

  /** The host is there. Resumed, the CLI first reports work that was lost, in a turn in which it asks no model (2.1.325). */
  begin(): void {
    if (!this.#program.launch.isResumed || !reportLostTasks(this.#program)) return
    // On a busy machine it reports on no message before that turn is over.
    if (this.#disorder?.happens()) this.#unreported = []
    this.#enqueue({ steps: [], prompt: '', isLoss: true })
  }

  /** A user message from the host. */
  add(message: JsonObject): void {
    const { turns = [], onExtra } = this.#program.scenario
    const nth = turns[this.#userMessages++] ?? onExtra ?? turns.at(-1) ?? []
    const steps = this.#disorder?.pick(turns) ?? nth
    const { uuid } = message
    const { content } = (message.message ?? {}) as JsonObject
    const fault = this.#disorder?.fault()
    this.#enqueue({
      steps,
      prompt: textOf(content),
      content,
      fault,
      ...(typeof uuid === 'string' && { uuid }),
    })
  }

  /** A turn that nobody asked for. */
  wake(steps: CliStep[], prompt: string): void {
    this.#enqueue({ steps, prompt })
  }

  interrupt(cancelQueued: boolean): JsonObject {
    // A turn that reports a loss is not stopped (2.1.325).
    if (this.#busy && !this.#isLoss) this.#abort.abort()
    this.#program.requests.interrupt()
    const uuids = this.#queue.flatMap((waiting) => waiting.uuid ?? [])
    if (!cancelQueued) return { still_queued: uuids }
    const [loss] = this.#queue.filter((waiting) => waiting.isLoss)
    for (const waiting of this.#queue.splice(0)) this.#track(waiting, 'cancelled')
    if (loss) this.#queue.push(loss)
    return { still_queued: [], cancelled: uuids }
  }

  /** Takes a waiting message out; false if it is not waiting. */
  cancel(uuid: string): boolean {
    const index = this.#queue.findIndex((waiting) => waiting.uuid === uuid)
    const taken = index < 0 ? [] : this.#queue.splice(index, 1)
    for (const waiting of taken) this.#track(waiting, 'cancelled')
    return taken.length > 0
  }

  /** Called around each question to the person: the state is `requires_action` while one is open. */
  question(change: 1 | -1): void {
    this.#questions += change
    this.#setState(this.#questions > 0 ? 'requires_action' : 'running')
  }

  /** Sends a result message and remembers how it ended, for the exit code. */
  sendResult(turn: FakeTurn, fields: JsonObject): void {
    const costBefore = this.#cost
    this.#cost += costPerTurn
    const about = {
      index: this.#results++,
      costBefore,
      cost: this.#cost,
      durationMs: Date.now() - turn.startedAt,
      text: turn.text,
      queued: this.#queue.length,
    }
    const message = resultMessage(this.#program.facts, about, fields)
    this.#lastFailed = message.is_error === true
    turn.resultSent = true
    this.#program.output.send(message)
  }

  nextMessageId(): string {
    return `msg_${++this.#assistantMessages}`
  }

  /** No message will follow: exit once all turns are over. */
  end(): void {
    this.#ended = true
    if (!this.#busy) this.#exit()
  }

  #enqueue(waiting: Waiting): void {
    this.#queue.push(waiting)
    if (this.#unreported && waiting.uuid !== undefined) return void this.#unreported.push(waiting)
    if (this.#busy) return this.#track(waiting, 'queued')
    this.#busy = true
    void this.#wakeUp(waiting)
  }

  async #wakeUp(first: Waiting): Promise<void> {
    if (this.#disorder?.happens()) {
      // The real CLI often says so while it is idle, and begins a moment later (2.1.325).
      this.#track(first, 'queued')
      await this.#disorder.moment()
      if (this.#queue.length > 0) this.#setState('running')
    } else {
      this.#setState('running')
      this.#track(first, 'queued')
    }
    await this.#runAll()
  }

  async #runAll(): Promise<void> {
    for (let next = this.#take(); next.length > 0; next = this.#take()) await this.#runTurn(next)
    this.#busy = false
    this.#setState('idle')
    if (this.#ended) this.#exit()
  }

  /** What the next turn begins with: background work may come first, and messages that wait may begin one together. */
  #take(): Waiting[] {
    const own = this.#queue.findIndex(({ uuid }) => uuid === undefined)
    if (own > 0 && this.#disorder?.happens()) return this.#queue.splice(own, 1)
    const [first] = this.#queue
    const together = first?.uuid !== undefined && this.#disorder?.happens() === true
    const count = together ? this.#queue.findLastIndex(({ uuid }) => uuid !== undefined) + 1 : 1
    return this.#queue.splice(0, own > 0 ? Math.min(own, count) : count)
  }

  async #runTurn(begun: Waiting[]): Promise<void> {
    this.#abort = new AbortController()
    const turn = newTurn(this.#abort.signal)
    const isLoss = begun.some((waiting) => waiting.isLoss)
    this.#isLoss = isLoss
    const unannounced = begun.slice(0, 1)
    const late = begun.filter(({ fault }) => fault === 'late_started')
    for (const waiting of begun) if (!late.includes(waiting)) this.#track(waiting, 'started')
    const { log, facts } = this.#program
    if (late.length === begun.length) log.write({ type: 'unannounced', sessionId: facts.sessionId })
    try {
      await untilAborted(turn.signal, this.#program.servers.ready())
      if (this.#disorder)
        await untilAborted(turn.signal, isLoss ? this.#disorder.reading() : this.#disorder.moment())
      this.#introduce(unannounced.shift())
      for (const waiting of late.splice(0)) this.#track(waiting, 'started')
      for (const waiting of begun) if (!isLoss) await this.#put(waiting, turn)
      if (!isLoss && this.#disorder?.happens()) await this.#join(turn)
      if (turn.resultDelayMs > 0) await untilAborted(turn.signal, sleep(turn.resultDelayMs))
      if (!turn.resultSent) this.sendResult(turn, isLoss ? lostTasksResult : {})
      for (const waiting of begun) this.#track(waiting, 'completed')
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      this.#introduce(unannounced.shift())
      const text = `[Request interrupted by user${turn.inTools ? ' for tool use' : ''}]`
      this.#program.output.send(userMessage(this.#program.facts, [{ type: 'text', text }]))
      for (const waiting of late) this.#track(waiting, 'started')
      if (!turn.resultSent) this.sendResult(turn, interruptedResult(turn))
      for (const waiting of begun) this.#track(waiting, 'cancelled')
    }
    this.#reportLate()
    if (this.#disorder) await this.#disorder.moment()
  }

  /** Puts a prompt to the model, unless a hook of the host's blocks it. */
  async #put(waiting: Waiting, turn: FakeTurn): Promise<void> {
    const blocked = await this.#submit(waiting.prompt)
    if (blocked !== undefined) {
      turn.text = `UserPromptSubmit operation blocked by hook:\n${blocked}`
      return
    }
    this.#ask(waiting, turn)
    await this.#runSteps(this.#program, turn, waiting.steps)
  }

  #ask({ prompt, content, uuid }: Waiting, turn: FakeTurn): void {
    const { log, transcript, facts } = this.#program
    turn.prompt = prompt
    transcript.add(content ?? prompt, uuid)
    log.write({ type: 'asked', sessionId: facts.sessionId, prompt })
  }

  #reportLate(): void {
    const late = this.#unreported?.filter((waiting) => this.#queue.includes(waiting)) ?? []
    this.#unreported = undefined
    for (const waiting of late) this.#track(waiting, 'queued')
  }

  /** Calls the host's hooks; answers with why one of them blocks the prompt. */
  async #submit(prompt: string): Promise<string | undefined> {
    const { hooks, requests, facts } = this.#program
    const ids = (hooks.UserPromptSubmit ?? []).flatMap(({ hookCallbackIds }) => hookCallbackIds as string[])
    const input = { session_id: facts.sessionId, hook_event_name: 'UserPromptSubmit', prompt }
    for (const callback_id of ids) {
      const answer = await requests.ask({ subtype: 'hook_callback', callback_id, input })
      if (answer.outcome === 'interrupted') throw new Interrupted()
      const { decision, reason } = answer.outcome === 'answered' ? answer.response : {}
      if (decision === 'block') return String(reason)
    }
    return undefined
  }

  /** The running turn takes in what waits. */
  async #join(turn: FakeTurn): Promise<void> {
    for (const waiting of this.#queue.filter(({ uuid }) => uuid !== undefined)) {
      const isBlocked = (await this.#submit(waiting.prompt)) !== undefined
      const index = this.#queue.indexOf(waiting)
      // It was taken back meanwhile.
      if (index < 0) continue
      this.#queue.splice(index, 1)
      this.#track(waiting, 'started')
      if (!isBlocked) {
        this.#ask(waiting, turn)
        say(this.#program, turn, { verb: 'say', text: '{prompt}' })
      }
      this.#track(waiting, 'completed')
    }
  }

  #introduce(waiting: Waiting | undefined): void {
    if (!waiting) return
    const { facts, launch, output, servers } = this.#program
    output.send(initMessage(facts, [...builtinTools, ...servers.toolNames()], servers.forInit()))
    if (!launch.replayUserMessages || waiting.content === undefined) return
    const uuid = waiting.uuid === undefined ? {} : { uuid: waiting.uuid }
    output.send(userMessage(facts, waiting.content, { isReplay: true, ...uuid }))
  }

  #setState(next: string): void {
    if (next === this.#state) return
    this.#state = next
    const { facts, launch, output } = this.#program
    if (launch.stateEvents === 'off') return
    const marker = launch.stateEvents === 'host' ? { sdk_host_only: true } : {}
    output.send(systemMessage(facts, 'session_state_changed', { state: next, ...marker }))
  }

  #track(waiting: Waiting, stage: string): void {
    const { uuid, fault } = waiting
    if (uuid === undefined || fault === `no_${stage}`) return
    for (let times = fault === 'doubled' ? 2 : 1; times > 0; times--)
      this.#program.output.send(lifecycle(this.#program.facts, uuid, stage))
  }

  #exit(): void {
    void this.#program.exit(this.#lastFailed ? 1 : 0)
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return (content as JsonObject[])
    .flatMap(({ type, text }) => (type === 'text' ? String(text) : []))
    .join('\n')
}
