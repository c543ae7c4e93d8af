/**
 * Messages, steers, stops, pauses, answers, background work and crashes in any order, on everything between the queue and the wire: the
 * manager, the permission gateway, the agent's adapter, the SDK, and a CLI whose reports come at any moment. Nothing hangs, all agree in the
 * end, and what is told of a message is what the model was asked.
 */
import { say } from '@dorkos/shared'
import { fakeCliInProcess, type InProcessCli, type InProcessOptions, steps } from '@dorkos/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClaudeAgent } from '../src/adapters/claude/agent.ts'
import { AppError } from '../src/core/app-error.ts'
import type { PermissionGateway } from '../src/core/permissions/permission-gateway.ts'
import type { SessionRunner } from '../src/core/sessions/session-runner.ts'
import { owner } from './support/actors.ts'
import { checkPublished } from './support/check-published.ts'
import { memoryGateway, permissionsOf } from './support/memory-gateway.ts'
import { createSessionRig, type SessionRig, specOf } from './support/session-rig.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const said = steps.say('{prompt}')
const question = steps.ask({ toolName: 'Bash', input: { command: 'make it' } })
const work = [
  [said],
  [said, steps.wait(3), steps.say('more')],
  [steps.background({ ms: 0 }), said],
  [steps.background({ ms: 3 }), said],
  [steps.background({ ms: 1, steps: [steps.wait(4)] }), said, steps.wait(2)],
  [steps.background({ ms: 40 }), said],
  [steps.background({ ms: 40 }), said, steps.wait(2)],
  [said, question, steps.say('answered')],
  [steps.background({ ms: 2, steps: [question] }), said, question],
]
/** The drill's own: what was told, and what the model was asked. */
const { checkAsked } = (await import(new URL('../../../drills/check-asked.mjs', import.meta.url).href)) as {
  checkAsked(session: { events: unknown; turns: unknown; asked: string[]; ownTurns: number }): string[]
}
/** Longer than any real run takes; a run that hangs takes for ever. */
const hungAfterMs = 20_000
/** `DORKOS_TEST_RUNS` of them, however long they take, and `DORKOS_TEST_SEED` to repeat their choices. */
const { DORKOS_TEST_RUNS: wantedRuns, DORKOS_TEST_SEED: wantedSeed } = process.env
const runs = Number(wantedRuns ?? 60)
/** After so long no further run begins; one that has begun is always waited for, since it may be one that hangs. */
const enoughMs = wantedRuns === undefined ? 30_000 : Number.POSITIVE_INFINITY

type Plain = 'send' | 'steer' | 'withdraw' | 'release' | 'pause' | 'resume' | 'kill' | 'end' | 'rest'
type Action =
  | { act: Plain }
  | { act: 'stop'; unread: 'run' | 'hold' | 'cancel' }
  | { act: 'answer'; decision: 'allow' | 'deny' }
  | { act: 'wait'; ms: number }

/** What a person does about questions in the end: `stop` leaves them unanswered. */
type Rest = 'allow' | 'deny' | 'stop'

const plain = (act: Plain) => fc.constant<Action>({ act })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: plain('send') },
  { weight: 2, arbitrary: plain('steer') },
  { weight: 1, arbitrary: plain('withdraw') },
  { weight: 1, arbitrary: plain('release') },
  { weight: 1, arbitrary: plain('pause') },
  { weight: 2, arbitrary: plain('resume') },
  { weight: 2, arbitrary: plain('kill') },
  { weight: 1, arbitrary: plain('end') },
  { weight: 3, arbitrary: plain('rest') },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      decision: fc.constantFrom('allow', 'deny'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('stop' as const),
      unread: fc.constantFrom('run', 'hold', 'cancel'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 6 }) }),
  },
)

class World {
  readonly #clis: InProcessCli[]
  readonly sent: { id: string; content: string; delivery: 'queue' | 'steer' }[] = []
  readonly rig: SessionRig
  readonly id: string
  readonly #gateway: PermissionGateway
  readonly #all: Promise<unknown>[] = []
  /** What the model was put, and how often the CLI had reason to begin a turn by itself. */
  readonly #truth: { asked: string[]; ownTurns: number }

  private constructor(
    rig: SessionRig,
    id: string,
    gateway: PermissionGateway,
    clis: InProcessCli[],
    truth: { asked: string[]; ownTurns: number },
  ) {
    this.rig = rig
    this.id = id
    this.#gateway = gateway
    this.#clis = clis
    this.#truth = truth
  }

  static async open(seed: number, faults: boolean): Promise<World> {
    const clis: InProcessCli[] = []
    const truth = { asked: [] as string[], ownTurns: 0 }
    const openTasks = new Set<string>()
    const agent = createClaudeAgent({
      cliPath: 'none',
      logger: quiet,
      configDirOf: async () => ({ configDir: '/nowhere', isOurs: true }),
      contain: () => Promise.reject(new Error('nothing is contained here')),
      transport: (launch) => {
        const disorder = { seed: seed + clis.length, faults }
        const log: InProcessOptions['log'] = (entry) => {
          if (entry.type === 'asked') truth.asked.push(String(entry.prompt))
          if (entry.type === 'task_ended' || entry.type === 'unannounced') truth.ownTurns++
        }
        const cli = fakeCliInProcess({ turns: work, disorder }, launch, { openTasks, log })
        clis.push(cli)
        return cli
      },
    })
    const start = (cliSessionId: string) =>
      clis.length > 0 ? { kind: 'resume' as const, cliSessionId } : { kind: 'new' as const, cliSessionId }
    const rig: SessionRig = await createSessionRig(undefined, {
      agent: { ...agent, sweep: async () => 0 },
      sourcesWith: (runner) => ({
        permissions: permissionsOf(gateway(), runner),
        spec: async (record) => ({ ...specOf(record), start: start(record.id) }),
      }),
    })
    let opened: PermissionGateway | undefined
    const gateway = () => (opened ??= memoryGateway(rig))
    await rig.manager.start()
    return new World(rig, (await rig.record()).id, gateway(), clis, truth)
  }

  get runner(): SessionRunner | undefined {
    return this.rig.manager.peek(this.id)
  }

  /** Begins to do it. What a session is in no state for is refused, and that is all. */
  do(action: Action): Promise<unknown> {
    const doing = this.#do(action).catch((error: unknown) => {
      const isRefused = error instanceof AppError || /session has ended|ended/.test(String(error))
      if (!isRefused) throw error
    })
    this.#all.push(doing)
    // Most come while the one before is still under way.
    return action.act === 'wait' || action.act === 'rest' ? doing : Promise.resolve()
  }

  async #do(action: Action): Promise<unknown> {
    const { turns } = this.rig.coordination
    switch (action.act) {
      case 'send':
      case 'steer':
        return this.#send(action.act === 'send' ? 'queue' : 'steer')
      case 'withdraw':
        return turns.withdraw(
          this.id,
          (await turns.queued(this.id)).at(-1)?.id ?? '',
          new Date().toISOString(),
        )
      case 'release':
        await turns.release(this.id)
        return this.runner?.wake()
      case 'pause':
        return this.runner?.pause()
      case 'resume':
        return this.runner?.resume()
      case 'kill':
        return this.#clis.at(-1)?.kill()
      case 'end':
        return this.runner?.stop(say('cli_words', { text: 'ended' }))
      case 'answer':
        return this.#answer(action.decision)
      case 'stop':
        return this.#stop(action.unread)
      case 'wait':
        return new Promise((resolve) => setTimeout(resolve, action.ms))
      case 'rest':
        for (let tries = 0; tries < 40 && this.runner?.working; tries++) await new Promise(setImmediate)
    }
  }

  async #send(delivery: 'queue' | 'steer'): Promise<void> {
    const content = `message ${this.sent.length}.`
    const message = { id: '', content, delivery }
    this.sent.push(message)
    message.id = (await this.rig.send(content, { delivery })).id
  }

  /** The oldest question that is open. */
  async #answer(decision: 'allow' | 'deny'): Promise<void> {
    const [approval] = await this.#questions()
    const answer = decision === 'allow' ? { decision, scope: 'once' as const } : { decision, message: 'No.' }
    if (approval) await this.#gateway.approvals.answer(owner(), approval.id, answer)
  }

  async #questions() {
    const { approvals } = await this.#gateway.approvals.list(owner(), { state: 'pending', limit: 100 })
    return approvals.toReversed()
  }

  async #stop(unread: 'run' | 'hold' | 'cancel'): Promise<void> {
    const { turns } = this.rig.coordination
    if (unread === 'hold') await turns.hold(this.id)
    if (unread === 'cancel')
      for (const { id } of await turns.queued(this.id))
        await turns.withdraw(this.id, id, new Date().toISOString())
    await this.runner?.interrupt(say('cli_words', { text: 'stopped' }), 'person', unread)
  }

  /**
   * Lets everything come to its end: a person resumes, releases and starts again what was given up, and answers what is asked,
   * or stops the turn that waits for an answer.
   */
  async finish(rest: Rest): Promise<void> {
    await Promise.all(this.#all)
    const by = performance.now() + hungAfterMs
    while (!(await this.#isOver())) {
      if (performance.now() > by) throw new Error(`it hangs: ${JSON.stringify(await this.#view())}`)
      if (this.runner?.state === 'paused') await this.do({ act: 'resume' })
      if ((await this.#questions()).length > 0)
        await this.do(rest === 'stop' ? { act: 'stop', unread: 'run' } : { act: 'answer', decision: rest })
      const queue = await this.rig.coordination.turns.queued(this.id)
      if (queue.some(({ held }) => held)) await this.do({ act: 'release' })
      if (queue.length > 0 && this.runner && !this.runner.live && !this.runner.busy)
        await this.runner.start().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await this.runner?.events.flushed()
  }

  async #isOver(): Promise<boolean> {
    const { open, state, busy } = await this.#view()
    return open.length === 0 && !busy && !['working', 'waiting', 'paused'].includes(state ?? '')
  }

  async #view() {
    const turns = await this.rig.coordination.turns.list(this.id, { limit: 1000 })
    const open = turns.filter(({ state }) => state !== 'ended').map(({ id, state }) => ({ id, state }))
    return { open, state: this.runner?.state, busy: this.runner?.busy, running: this.runner?.runningTurnId }
  }

  async check(): Promise<void> {
    const turns = await this.rig.coordination.turns.list(this.id, { limit: 1000 })
    checkPublished(this.rig.events, turns)
    for (const { id, content } of this.sent)
      expect(
        turns.find((turn) => turn.id === id),
        `${content} is stored`,
      ).toMatchObject({ state: 'ended' })
    const { events } = this.rig
    expect(checkAsked({ events, turns, ...this.#truth }), 'what is told is what the model was asked').toEqual(
      [],
    )
    const questions = this.rig.of('approval_required').map(({ approval }) => approval.id)
    const answered = this.rig.of('approval_resolved').map(({ approval_id }) => approval_id)
    expect(answered.toSorted(), 'every question has one end').toEqual(questions.toSorted())
    expect(await this.#questions(), 'nothing is asked that nobody waits for').toEqual([])
    const queued = this.sent.filter(({ delivery }) => delivery === 'queue').map(({ content }) => content)
    const said = this.rig.of('user_message').map(({ content }) => content as string)
    const inTurn = said.filter((content) => queued.includes(content))
    expect(inTurn, 'messages run in their order').toEqual(queued.filter((content) => said.includes(content)))
    const warnings = this.rig.of('notice').filter(({ level }) => level === 'warning')
    expect(warnings, 'nothing was done that is a reason to warn').toEqual([])
    expect(this.rig.faults.filter((fault) => fault !== 'the agent did not start')).toEqual([])
  }
}

async function play(actions: readonly Action[], seed: number, rest: Rest, faults: boolean): Promise<void> {
  const world = await World.open(seed, faults)
  try {
    for (const action of actions) await world.do(action)
    await world.finish(rest)
    await world.check()
  } finally {
    await world.rig.manager.stop(0)
  }
}

describe('whatever comes when', { timeout: 60_000 + runs * 1000 }, () => {
  const script = fc.array(action, { minLength: 1, maxLength: 30, size: 'max' })
  const seed = fc.integer({ min: 0, max: 2 ** 31 })
  const rest = fc.constantFrom<Rest>('allow', 'deny', 'stop')

  async function playMany(faults: boolean): Promise<void> {
    const by = performance.now() + enoughMs
    const property = fc.asyncProperty(script, seed, rest, async (actions, number, atRest) => {
      if (performance.now() < by) await play(actions, number, atRest, faults)
    })
    // Of many, one that fails is told at once: to make it smaller would take as long again.
    const endOnFailure = wantedRuns !== undefined
    await fc.assert(property, {
      numRuns: runs,
      endOnFailure,
      ...(wantedSeed && { seed: Number(wantedSeed) }),
    })
  }

  it('every message ends under its own turn, or says which it joined; state, queue and turns agree', () =>
    playMany(false))

  it('also when the CLI leaves reports out, doubles them, or makes them late', () => playMany(true))
})
