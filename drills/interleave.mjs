/**
 * Messages, steers, stops, pauses, answers, background work and kills come to sessions in any order: `runs` times with a CLI whose reports
 * come at any moment, then `real` times with the real one. No session may hang or contradict itself, and what it tells of its messages must be
 * what the model was asked: both worlds keep that. With `load`, every core has
 * something else to do meanwhile. `--seed` of a failed run repeats what was done to it; when it all came is up to the machine.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { fakeCli, reply, startScriptedModel, steps, text, toolUse } from '../packages/testkit/dist/index.js'
import { AskedPrompts, followFakeLog } from './asked-prompts.mjs'
import { InterleavedSession } from './interleaved-session.mjs'
import { createRandom } from './random.mjs'
import { ServerChild } from './server-child.mjs'

/** A session is followed from its first event on, and is not to grow without end. */
const runsPerSession = 10

export async function interleave({ runs, real, load, seed, log }) {
  const failures = []
  const count = { accepted: 0, asked: 0, own_turns: 0, questions: 0, losses: 0, real_runs: real, load }
  const play = async (world, first, number) => {
    const next = { number: first }
    let opened = 0
    const work = async () => {
      let session
      while (next.number < first + number) {
        const mine = next.number++
        if ((mine - first) % runsPerSession === 0 || !session || session.faults.length > 0) {
          await session?.close()
          session = await InterleavedSession.open(world, modes[opened++ % modes.length])
        }
        await session.run(createRandom(seed + mine))
        for (const [figure, number] of Object.entries(session.figures)) count[figure] += number
        for (const fault of session.faults) {
          failures.push(fault)
          log(`run ${mine + 1} (${world.name}, --seed ${seed + mine}): ${fault}`)
        }
        if ((mine + 1) % 100 === 0) log(`${mine + 1} runs, ${failures.length} failures`)
      }
      await session?.close()
    }
    await Promise.all(Array.from({ length: world.sessions }, work))
  }
  const playIn = async (world, first, number) => {
    try {
      await play(world, first, number)
    } finally {
      await world.close()
    }
  }
  const others = load ? Array.from({ length: availableParallelism() }, startBusyLoop) : []
  try {
    if (runs > 0) await playIn(await openFakeWorld(seed), 0, runs)
    if (real > 0) await playIn(await openRealWorld(), runs, real)
  } finally {
    for (const busy of others) await busy.terminate()
  }
  return { ok: failures.length === 0, ...count, failures: failures.length }
}

/** Of sessions in turn: where tools are asked about, and where they are not. */
const modes = ['bypassPermissions', 'default']

function startBusyLoop() {
  return new Worker('for (;;);', { eval: true })
}

const config = (cliPath) => ({
  sessions: { prewarm: false, maxLive: 20 },
  sandbox: 'off',
  ...(cliPath && { cliPath }),
})

async function openFakeWorld(seed) {
  const said = steps.say('{prompt}')
  const question = steps.ask({ toolName: 'Bash', input: { command: 'make it' } })
  const work = [
    [said],
    [said, steps.wait(10), steps.say('more')],
    [steps.background({ ms: 1 }), said],
    [steps.background({ ms: 8 }), said],
    [steps.background({ ms: 3, steps: [steps.wait(12)] }), said, steps.wait(5)],
    [steps.background({ ms: 1500 }), said],
    [steps.background({ ms: 1500 }), said, steps.wait(5)],
    [said, question, steps.say('answered')],
    [steps.background({ ms: 4, steps: [question] }), said, question],
  ]
  const disorder = { seed, maxDelayMs: 15, maxReadingMs: 800, faults: true }
  const cli = fakeCli({ turns: work, disorder, hasTranscript: true }, { logStdin: false })
  const server = await ServerChild.create({ modelUrl: 'http://127.0.0.1:9', config: config(cli.path) })
  await server.start().ready
  return {
    name: 'fake CLI',
    server,
    prompts: followFakeLog(cli.logFile),
    contents: ['message'],
    /** Nothing begins by itself after so long a rest. */
    quietMs: 100,
    sessions: 8,
    async close() {
      await server.stop()
      await cli.dispose()
      await server.remove()
    },
  }
}

async function openRealWorld() {
  const prompts = new AskedPrompts()
  const model = await startScriptedModel((request) => answer(prompts, request))
  const server = await ServerChild.create({ modelUrl: model.url, config: config() })
  await server.start().ready
  return {
    name: 'real CLI',
    server,
    prompts,
    quietMs: 600,
    contents: ['plain', 'background', 'background', 'tool', 'slow'],
    sessions: 3,
    async close() {
      await server.stop()
      await model.close()
      await server.remove()
    },
  }
}

/** Repeats the words of what it is asked, and does what the first of them says. */
function answer(prompts, { kind, newText, toolResults }) {
  const asked = kind === 'side' ? [] : prompts.note(newText)
  const words = text(`asked: ${asked.join(', ')} and some words in small pieces`)
  const [act, number, , session] = (asked.at(-1) ?? '').split(' ')
  // It writes: where tools are asked about, this one is.
  const command = { command: `touch made; sleep 0.${10 + (Number(number) % 20)}` }
  if (toolResults.length === 0 && act === 'background') {
    prompts.mayBeginTurn(session)
    return reply([words, toolUse('Bash', { ...command, run_in_background: true })])
  }
  if (toolResults.length === 0 && act === 'tool') return reply([words, toolUse('Bash', command)])
  return reply([words], act === 'slow' ? { deltaDelayMs: 10, deltaSize: 4 } : {})
}
