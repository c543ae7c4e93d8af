/** How long from an accepted message to the agent's first text? The real CLI, and a model that answers at once. */
import { startHere } from './server-here.mjs'
import { rest } from './statistics.mjs'

const prompt = 'Say something.'
/** How long a process is left alone before the next message, so that it is not still tidying up. */
const restMs = 300

/** @typedef {{ cliPath: string, cwd: string, env: Record<string, string>, modelUrl: string }} Input */

/** @type {import('../question.mjs').Question} */
export const secondTurn = {
  name: 'second turn',
  rounds: 7,
  prepare,
  subjects: {
    ours,
    per_turn: processPerTurn,
    floor,
    ours_prewarmed: oursPrewarmed,
    ours_first: oursFirst,
    ours_cold: oursCold,
  },
  metrics: [
    {
      metric: 'server.second_turn_against_process_per_turn',
      unit: 'ms',
      ours: 'ours.second_ms',
      peer: 'per_turn.second_ms',
      floor: 'floor.second_ms',
      target: { most: 0.15 },
    },
    {
      metric: 'server.first_turn_prewarmed',
      unit: 'ms',
      ours: 'ours_prewarmed.first_ms',
      peer: 'per_turn.first_ms',
    },
    {
      metric: 'server.first_message_against_second_turn',
      unit: 'ms',
      ours: 'ours_first.first_ms',
      peer: 'ours_first.second_ms',
      target: { most: 2.5 },
    },
    {
      metric: 'server.opened_session_against_second_turn',
      unit: 'ms',
      ours: 'ours_first.opened_ms',
      peer: 'ours_first.second_ms',
      target: { most: 2.5 },
    },
    {
      metric: 'server.first_message_cold_against_second_turn',
      unit: 'ms',
      ours: 'ours_cold.first_ms',
      peer: 'ours_cold.second_ms',
    },
  ],
}

async function prepare() {
  const { realCliPath, startOffline } = await import('@dorkos/testkit')
  const offline = await startOffline(() => 'Something.')
  const { cwd, env, model } = offline
  return {
    input: { cliPath: realCliPath(), cwd, env, modelUrl: model.url },
    dispose: () => offline.dispose(),
  }
}

/** @param {Input} input */
async function ours({ modelUrl }) {
  const { client, close } = await startHere({ modelUrl })
  const { session } = await client.createSession({ body: {} })
  await turn(client, session.id)
  await rest(restMs)
  const second_ms = await turn(client, session.id)
  await close()
  return { second_ms }
}

/** A session that was opened a second ago. @param {Input} input */
async function oursPrewarmed({ modelUrl }) {
  const { client, close } = await startHere({ modelUrl })
  const { session } = await client.createSession({ body: {} })
  await rest(1000)
  const first_ms = await turn(client, session.id)
  await close()
  return { first_ms }
}

/** The page for a new session, then the session it made; and that session again, opened when its process had ended. @param {Input} input */
async function oursFirst({ modelUrl }) {
  const { client, server, close } = await startHere({ modelUrl, spareProcesses: 1 })
  await client.prepareNewSession({ body: {} })
  await ready(server, 1)
  // What the page says with the first character.
  await client.prepareNewSession({ body: { writing: true } })
  await rest(restMs)
  const { first_ms, id } = await firstMessage(client)
  await rest(restMs)
  const second_ms = await sentTurn(client, id)
  await client.stopSession({ params: { id }, body: {} })
  await client.prepareSession({ params: { id }, body: {} })
  await ready(server, 2)
  const opened_ms = await sentTurn(client, id)
  await close()
  return { first_ms, second_ms, opened_ms }
}

/** The same where nothing is ready. @param {Input} input */
async function oursCold({ modelUrl }) {
  const { client, close } = await startHere({ modelUrl })
  await rest(restMs)
  const { first_ms, id } = await firstMessage(client)
  await rest(restMs)
  const second_ms = await sentTurn(client, id)
  await close()
  return { first_ms, second_ms }
}

/** So many processes have been ready, and rest. @param {import('@dorkos/server').RunningServer} server @param {number} count */
async function ready(server, count) {
  const { readFile } = await import('node:fs/promises')
  while ((await readFile(server.logFile, 'utf8')).split('a process is ready').length <= count) await rest(20)
  await rest(restMs)
}

/** From the request that makes the session to the first text. @param {import('@dorkos/shared').ApiClient} client */
async function firstMessage(client) {
  const begun = performance.now()
  const { session } = await client.createSession({ body: { content: prompt } })
  let first_ms = 0
  for await (const frame of client.followSession(session.id, { lastEventId: '1-1' })) {
    const events =
      frame.frame === 'snapshot' ? frame.snapshot.turn : frame.frame === 'message' ? [frame.event] : []
    if (events.some(({ type }) => type === 'text_delta')) first_ms ||= performance.now() - begun
    if (events.some(({ type }) => type === 'turn_end')) break
  }
  return { first_ms, id: session.id }
}

/** From the request with the message to the first text. @param {import('@dorkos/shared').ApiClient} client @param {string} id */
async function sentTurn(client, id) {
  const begun = performance.now()
  let ms = 0
  for await (const frame of client.streamMessage({ params: { id }, body: { content: prompt } }))
    if (frame.frame === 'message' && frame.event.type === 'text_delta') ms ||= performance.now() - begun
  if (ms === 0) throw new Error('the agent said nothing')
  return ms
}

/** From the acceptance to the first text; resolves when the turn is over. @param {import('@dorkos/shared').ApiClient} client @param {string} id */
async function turn(client, id) {
  let acceptedAt = 0
  let ms = 0
  for await (const frame of client.streamMessage({ params: { id }, body: { content: prompt } })) {
    if (frame.frame === 'accepted') acceptedAt = performance.now()
    if (frame.frame === 'message' && frame.event.type === 'text_delta') ms ||= performance.now() - acceptedAt
  }
  if (ms === 0) throw new Error('the agent said nothing')
  return ms
}

/** What a server does that keeps no process: `claude -p` for each message, resuming from the second on. @param {Input} input */
async function processPerTurn(input) {
  const first = await oneProcess(input, [])
  await rest(restMs)
  const second = await oneProcess(input, ['--resume', first.sessionId])
  return { first_ms: first.ms, second_ms: second.ms }
}

/** @param {Input} input @param {string[]} more */
async function oneProcess({ cliPath, cwd, env }, more) {
  const { spawn } = await import('node:child_process')
  const { once } = await import('node:events')
  const start = performance.now()
  const output = ['--output-format', 'stream-json', '--verbose', '--include-partial-messages']
  const child = spawn(cliPath, ['-p', prompt, ...output, '--setting-sources=', ...more], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let ms = 0
  let sessionId = ''
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line)
      if (message.event?.delta?.type === 'text_delta') ms ||= performance.now() - start
      if (message.type === 'result') sessionId = message.session_id
    }
  })
  await closed
  if (ms === 0) throw new Error('the CLI said nothing')
  return { ms, sessionId }
}

/** The CLI's process, kept, and nothing else. @param {Input} input */
async function floor(input) {
  const { startBare } = await import('../sdk/bare-cli.mjs')
  let spokenAt = 0
  const cli = await startBare(
    { ...input, args: ['--setting-sources=', '--include-partial-messages'] },
    ({ event }) => {
      if (event?.delta?.type === 'text_delta') spokenAt ||= performance.now()
    },
  )
  cli.initialize()
  const turn = async () => {
    spokenAt = 0
    const start = performance.now()
    const ended = cli.next('result')
    cli.say(prompt)
    await ended
    return spokenAt - start
  }
  await turn()
  await rest(restMs)
  const second_ms = await turn()
  await cli.end()
  return { second_ms }
}
