/** What does a message cost on its way from the CLI's stdout to a loop over the messages? */
import { startBare } from './bare-cli.mjs'
import { cpuTime, peakMemory } from './resources.mjs'

const warmUpCount = 100_000
const count = 250_000
/** The median length of such lines from the real CLI. */
const lineBytes = { stream_event: 266, assistant: 430 }

/** @typedef {{ kind: string, warmUpCli: string, cli: string }} Input */

/** @param {keyof typeof lineBytes} kind @returns {import('../question.mjs').Question} */
export function streaming(kind) {
  const target = { most: 0.65 }
  const memory = {
    metric: 'sdk.peak_memory_streaming',
    unit: 'MB',
    ours: 'ours.peak_mb',
    peer: 'official.peak_mb',
    floor: 'floor.peak_mb',
    target,
  }
  return {
    name: `streaming ${kind}`,
    rounds: 5,
    prepare: () => prepare(kind),
    subjects: { ours, official, floor, ours_session: oursSession },
    metrics: [
      {
        metric: `sdk.cpu_per_${kind}`,
        unit: 'us',
        ours: 'ours.cpu_us',
        peer: 'official.cpu_us',
        floor: 'floor.cpu_us',
        target,
      },
      {
        metric: `sdk.cpu_per_${kind}_through_session`,
        unit: 'us',
        ours: 'ours_session.cpu_us',
        peer: 'official.cpu_us',
        floor: 'floor.cpu_us',
      },
      ...(kind === 'stream_event' ? [memory] : []),
    ],
  }
}

/** @param {keyof typeof lineBytes} kind */
async function prepare(kind) {
  const { fakeCli, steps } = await import('@dorkos/testkit')
  const bytes = lineBytes[kind]
  const [warmUpCli, cli] = [warmUpCount, count].map((count) =>
    fakeCli([steps.flood({ count, kind, bytes })], { logStdin: false }),
  )
  return {
    input: { kind, warmUpCli: warmUpCli.path, cli: cli.path },
    dispose: async () => {
      await warmUpCli.dispose()
      await cli.dispose()
    },
  }
}

/** @param {Input} input */
async function ours(input) {
  const { query } = await import('claude-code-agent')
  return measured(input, (cliPath) => iterate(query, cliPath, input.kind))
}

/** @param {Input} input */
async function official(input) {
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  return measured(input, (cliPath) => iterate(query, cliPath, input.kind))
}

/** Our session object, whose messages are not the CLI's own but made from them. @param {Input} input */
async function oursSession(input) {
  const { ClaudeCodeAgent } = await import('claude-code-agent')
  return measured(input, async (cliPath) => {
    const agent = new ClaudeCodeAgent({ cliPath, settingSources: [] })
    const session = await agent.startSession({ prompt: 'go' })
    let seen = 0
    for await (const message of session.messages()) if (message.type === input.kind) seen++
    return seen
  })
}

/** @param {Input} input */
async function floor(input) {
  return measured(input, async (cliPath) => {
    let seen = 0
    const cli = await startBare({ cliPath }, (message) => {
      if (message.type === input.kind) seen++
    })
    cli.initialize()
    cli.say('go')
    await cli.next('result')
    await cli.end()
    return seen
  })
}

/**
 * The official SDK and ours alike.
 *
 * @param {(parameters: any) => AsyncIterable<any>} query
 * @param {string} cliPath
 * @param {string} kind
 */
async function iterate(query, cliPath, kind) {
  let seen = 0
  const options = {
    pathToClaudeCodeExecutable: cliPath,
    env: process.env,
    settingSources: [],
    includePartialMessages: true,
  }
  for await (const message of query({ prompt: 'go', options })) if (message.type === kind) seen++
  return seen
}

/** @param {Input} input @param {(cliPath: string) => Promise<number>} run */
async function measured({ warmUpCli, cli }, run) {
  await run(warmUpCli)
  const before = cpuTime()
  const seen = await run(cli)
  const used = cpuTime() - before
  if (seen !== count) throw new Error(`${seen} of ${count} messages arrived`)
  return { cpu_us: used / count, peak_mb: peakMemory() }
}
