/**
 * Messages, steers, stops, pauses, background work and crashes in any order, on everything between the queue and the wire: the
 * manager, the agent's adapter, the SDK, and a CLI whose reports come at any moment. Nothing hangs, and all agree in the end.
 */
import { fakeCliInProcess, type InProcessCli, steps } from '@dorkos/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClaudeAgent } from '../src/adapters/claude/agent.ts'
import { AppError } from '../src/core/app-error.ts'
import type { SessionRunner } from '../src/core/sessions/session-runner.ts'
import { checkPublished } from './support/check-published.ts'
import { createSessionRig, type SessionRig } from './support/session-rig.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const work = [
  [steps.say('quick')],
  [steps.say('one'), steps.wait(3), steps.say('two')],
  [steps.background({ ms: 0 }), steps.say('started')],
  [steps.background({ ms: 3 }), steps.say('started')],
  [steps.background({ ms: 1, steps: [steps.wait(4)] }), steps.wait(2)],
]
/** Longer than any real run takes; a run that hangs takes for ever. */
const hungAfterMs = 20_000
/** `DORKOS_TEST_RUNS` of them, however long they take, and `DORKOS_TEST_SEED` to repeat their choices. */
const { DORKOS_TEST_RUNS: wantedRuns, DORKOS_TEST_SEED: wantedSeed } = process.env
const runs = Number(wantedRuns ?? 60)
/** After so long no further run begins; one that has begun is always waited for, since it may be one that hangs. */
const enoughMs = wantedRuns === undefined ? 30_000 : Number.POSITIVE_INFINITY

type Action =
  | { act: 'send' | 'steer' | 'withdraw' | 'release' | 'pause' | 'resume' | 'kill' | 'rest' }
  | { act: 'stop'; unread: 'run' | 'hold' | 'cancel' }
  | { act: 'wait'; ms: number }

const plain = (act: 'send' | 'steer' | 'withdraw' | 'release' | 'pause' | 'resume' | 'kill' | 'rest') =>
  fc.constant<Action>({ act })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: plain('send') },
  { weight: 2, arbitrary: plain('steer') },
  { weight: 1, arbitrary: plain('withdraw') },
  { weight: 1, arbitrary: plain('release') },
  { weight: 1, arbitrary: plain('pause') },
  { weight: 2, arbitrary: plain('resume') },
  { weight: 1, arbitrary: plain('kill') },
  { weight: 3, arbitrary: plain('rest') },
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
  readonly #all: Promise<unknown>[] = []

  /** How often background work came to its end in the CLI. */
  readonly #wakeUps: () => number

  private constructor(rig: SessionRig, id: string, clis: InProcessCli[], wakeUps: () => number) {
    this.rig = rig
    this.id = id
    this.#clis = clis
    this.#wakeUps = wakeUps
  }

  static async open(seed: number, faults: boolean): Promise<World> {
    const clis: InProcessCli[] = []
    let wakeUps = 0
    const agent = createClaudeAgent({
      cliPath: 'none',
      logger: quiet,
      configDirOf: async () => ({ configDir: '/nowhere', isOurs: true }),
      contain: () => Promise.reject(new Error('nothing is contained here')),
      transport: (launch) => {
        const cli = fakeCliInProcess({ turns: work, disorder: { seed: seed + clis.length, faults } }, launch)
        clis.push(cli)
        const message =
          (receive: (message: Record<string, unknown>) => void) => (raw: Record<string, unknown>) => {
            if (raw.subtype === 'task_notification') wakeUps++
            receive(raw)
          }
        return { ...cli, connect: (to) => cli.connect({ ...to, message: message(to.message.bind(to)) }) }
      },
    })
    const rig = await createSessionRig(undefined, { agent: { ...agent, sweep: async () => 0 } })
    await rig.manager.start()
    return new World(rig, (await rig.record()).id, clis, () => wakeUps)
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
      case 'stop':
        return this.#stop(action.unread)
      case 'wait':
        return new Promise((resolve) => setTimeout(resolve, action.ms))
      case 'rest':
        for (let tries = 0; tries < 40 && this.runner?.working; tries++) await new Promise(setImmediate)
    }
  }

  async #send(delivery: 'queue' | 'steer'): Promise<void> {
    const content = `message ${this.sent.length}`
    const message = { id: '', content, delivery }
    this.sent.push(message)
    message.id = (await this.rig.send(content, { delivery })).id
  }

  async #stop(unread: 'run' | 'hold' | 'cancel'): Promise<void> {
    const { turns } = this.rig.coordination
    if (unread === 'hold') await turns.hold(this.id)
    if (unread === 'cancel')
      for (const { id } of await turns.queued(this.id))
        await turns.withdraw(this.id, id, new Date().toISOString())
    await this.runner?.interrupt('stopped', 'person', unread)
  }

  /** Lets everything come to its end: a person resumes, releases and starts again what was given up. */
  async finish(): Promise<void> {
    await Promise.all(this.#all)
    const by = performance.now() + hungAfterMs
    while (!(await this.#isOver())) {
      if (performance.now() > by) throw new Error(`it hangs: ${JSON.stringify(await this.#view())}`)
      if (this.runner?.state === 'paused') await this.do({ act: 'resume' })
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

  async check(faults: boolean): Promise<void> {
    const turns = await this.rig.coordination.turns.list(this.id, { limit: 1000 })
    checkPublished(this.rig.events, turns)
    for (const { id, content } of this.sent)
      expect(
        turns.find((turn) => turn.id === id),
        `${content} is stored`,
      ).toMatchObject({ state: 'ended' })
    const background = this.rig.of('turn_start').filter(({ cause }) => cause === 'background').length
    if (!faults)
      expect(background, 'no turn of a message is taken for another').toBeLessThanOrEqual(this.#wakeUps())
    const queued = this.sent.filter(({ delivery }) => delivery === 'queue').map(({ content }) => content)
    const said = this.rig.of('user_message').map(({ content }) => content as string)
    const inTurn = said.filter((content) => queued.includes(content))
    expect(inTurn, 'messages run in their order').toEqual(queued.filter((content) => said.includes(content)))
    const warnings = this.rig.of('notice').filter(({ level }) => level === 'warning')
    expect(warnings, 'nothing was done that is a reason to warn').toEqual([])
    expect(this.rig.faults.filter((fault) => fault !== 'the agent did not start')).toEqual([])
  }
}

async function play(actions: readonly Action[], seed: number, faults: boolean): Promise<void> {
  const world = await World.open(seed, faults)
  try {
    for (const action of actions) await world.do(action)
    await world.finish()
    await world.check(faults)
  } finally {
    await world.rig.manager.stop(0)
  }
}

describe('whatever comes when', { timeout: 60_000 + runs * 1000 }, () => {
  const script = fc.array(action, { minLength: 1, maxLength: 30, size: 'max' })
  const seed = fc.integer({ min: 0, max: 2 ** 31 })

  async function playMany(faults: boolean): Promise<void> {
    const by = performance.now() + enoughMs
    const property = fc.asyncProperty(script, seed, async (actions, number) => {
      if (performance.now() < by) await play(actions, number, faults)
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
