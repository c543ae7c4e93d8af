/** How long until the agent speaks? The real CLI, and a model that answers at once. */
import { startBare } from './bare-cli.mjs'

const prompt = 'Say something.'
const systemPrompt = 'You are brief.'

/** How long a process is left alone before the next message, so that it is not still tidying up. */
const restMs = 200

/** @typedef {{ cliPath: string, cwd: string, env: Record<string, string> }} Input */

/** @type {import('../question.mjs').Question} */
export const latency = {
  name: 'latency',
  rounds: 7,
  prepare,
  subjects: {
    ours,
    official,
    floor,
    ours_prewarmed: oursPrewarmed,
    official_prewarmed: officialPrewarmed,
    floor_prewarmed: floorPrewarmed,
    ours_per_turn: oursPerTurn,
  },
  metrics: [
    {
      metric: 'sdk.first_message_cold',
      unit: 'ms',
      ours: 'ours.first_ms',
      peer: 'official.first_ms',
      floor: 'floor.first_ms',
    },
    {
      metric: 'sdk.first_message_prewarmed_against_second_turn',
      unit: 'ms',
      ours: 'ours_prewarmed.first_ms',
      peer: 'ours.second_ms',
      floor: 'floor_prewarmed.first_ms',
      target: { most: 1.5 },
    },
    {
      metric: 'sdk.first_message_prewarmed',
      unit: 'ms',
      ours: 'ours_prewarmed.first_ms',
      peer: 'official_prewarmed.first_ms',
      floor: 'floor_prewarmed.first_ms',
    },
    {
      metric: 'sdk.second_turn_against_process_per_turn',
      unit: 'ms',
      ours: 'ours.second_ms',
      peer: 'official.second_ms',
      floor: 'floor.second_ms',
      target: { most: 0.15 },
    },
    {
      metric: 'sdk.process_per_turn',
      unit: 'ms',
      ours: 'ours_per_turn.second_ms',
      peer: 'official.second_ms',
    },
  ],
}

async function prepare() {
  const { realCliPath, startOffline } = await import('@dorkos/testkit')
  const offline = await startOffline(() => 'Something.')
  return {
    input: { cliPath: realCliPath(), cwd: offline.cwd, env: offline.env },
    dispose: () => offline.dispose(),
  }
}

/** One process for both turns. @param {Input} input */
async function ours(input) {
  const { ClaudeCodeAgent } = await import('claude-code-agent')
  const agent = new ClaudeCodeAgent(agentOptions(input))
  const start = performance.now()
  const session = await agent.startSession({ prompt, keepAlive: true })
  const messages = session.messages()
  const first_ms = (await spoken(messages)) - start
  await turnEnd(messages)
  await rest()
  const again = performance.now()
  await session.send(prompt)
  const second_ms = (await spoken(messages)) - again
  await turnEnd(messages)
  await agent.close()
  return { first_ms, second_ms }
}

/** @param {Input} input */
async function oursPrewarmed(input) {
  const { ClaudeCodeAgent } = await import('claude-code-agent')
  const agent = new ClaudeCodeAgent(agentOptions(input))
  await agent.prewarm(1)
  await rest()
  const start = performance.now()
  const session = await agent.startSession({ prompt, keepAlive: true })
  const messages = session.messages()
  const first_ms = (await spoken(messages)) - start
  await turnEnd(messages)
  await agent.close()
  return { first_ms }
}

/** One-shot sessions, the second resumed. @param {Input} input */
async function oursPerTurn(input) {
  const { ClaudeCodeAgent } = await import('claude-code-agent')
  const agent = new ClaudeCodeAgent(agentOptions(input))
  const session = await agent.startSession({ prompt })
  await session.waitForCompletion()
  await rest()
  const again = performance.now()
  const resumed = await agent.resumeSession(session.id, { prompt })
  const messages = resumed.messages()
  const second_ms = (await spoken(messages)) - again
  await resumed.waitForCompletion()
  return { second_ms }
}

/** The official SDK has no session object: a second turn is a second process that resumes. @param {Input} input */
async function official(input) {
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  const first = await queryOnce(query, queryOptions(input))
  await rest()
  const second = await queryOnce(query, { ...queryOptions(input), resume: first.sessionId })
  return { first_ms: first.ms, second_ms: second.ms }
}

/** @param {Input} input */
async function officialPrewarmed(input) {
  const { startup } = await import('@anthropic-ai/claude-agent-sdk')
  const warm = await startup({ options: queryOptions(input) })
  await rest()
  const { ms } = await queryOnce(({ prompt }) => warm.query(prompt), {})
  return { first_ms: ms }
}

/** @param {Input} input */
async function floor(input) {
  const start = performance.now()
  const cli = await startBare({ ...input, args: ['--setting-sources='] })
  cli.initialize({ systemPrompt: [systemPrompt] })
  const first_ms = (await bareTurn(cli)) - start
  await rest()
  const again = performance.now()
  const second_ms = (await bareTurn(cli)) - again
  await cli.end()
  return { first_ms, second_ms }
}

/** @param {Input} input */
async function floorPrewarmed(input) {
  const cli = await startBare({ ...input, args: ['--setting-sources='] })
  cli.initialize({ systemPrompt: [systemPrompt] })
  await cli.next('control_response')
  await rest()
  const start = performance.now()
  const first_ms = (await bareTurn(cli)) - start
  await cli.end()
  return { first_ms }
}

/** When the agent spoke; resolves when its turn is over. @param {Awaited<ReturnType<typeof startBare>>} cli */
async function bareTurn(cli) {
  const ended = cli.next('result')
  const answered = cli.next('assistant').then(() => performance.now())
  cli.say(prompt)
  await ended
  return answered
}

/** @param {Input} input */
function agentOptions({ cliPath, cwd, env }) {
  return { cliPath, cwd, env, systemPrompt, settingSources: [] }
}

/** @param {Input} input */
function queryOptions({ cliPath, cwd, env }) {
  return { pathToClaudeCodeExecutable: cliPath, cwd, env, systemPrompt, settingSources: [] }
}

/** Runs a query to its end; the time is that to its first answer. @param {any} query @param {object} options */
async function queryOnce(query, options) {
  const start = performance.now()
  let ms = 0
  let sessionId = ''
  for await (const message of query({ prompt, options })) {
    if (message.type === 'assistant') ms ||= performance.now() - start
    if (message.type === 'result') sessionId = message.session_id
  }
  return { ms, sessionId }
}

/** When the agent spoke. @param {AsyncIterator<any>} messages */
async function spoken(messages) {
  await until(messages, 'assistant')
  return performance.now()
}

/** @param {AsyncIterator<any>} messages */
function turnEnd(messages) {
  return until(messages, 'result')
}

/** @param {AsyncIterator<any>} messages @param {string} type */
async function until(messages, type) {
  for (;;) {
    const { value, done } = await messages.next()
    if (done) throw new Error(`the session ended before a message of type ${type}`)
    if (value.type === type) return
  }
}

function rest() {
  return new Promise((resolve) => setTimeout(resolve, restMs))
}
