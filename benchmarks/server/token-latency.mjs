/** What does the server add to a token's way from the CLI's stdout to a subscriber? */
import { startHelper } from './helper.mjs'
import { startHere } from './server-here.mjs'
import { percentile } from './statistics.mjs'
import { writeStreamCli } from './stream-cli.mjs'

/** As fast as a model speaks, and then some. */
const everyMs = 5
const count = 1000

/** @typedef {{ cliPath: string }} Input */

/** @type {import('../question.mjs').Question} */
export const tokenLatency = {
  name: 'token latency',
  rounds: 5,
  async prepare() {
    const { path, dispose } = await writeStreamCli({ count, everyMs })
    return { input: { cliPath: path }, dispose }
  },
  subjects: { both },
  metrics: [
    {
      metric: 'server.token_latency_added_p50',
      unit: 'ms',
      ours: 'both.added_p50_ms',
      peer: 'both.bare_p50_ms',
      target: { most: 2 },
    },
    {
      metric: 'server.token_latency_p50',
      unit: 'ms',
      ours: 'both.p50_ms',
      peer: 'both.bare_p50_ms',
    },
    {
      metric: 'server.token_latency_p99',
      unit: 'ms',
      ours: 'both.p99_ms',
      floor: 'both.bare_p99_ms',
      target: { most: 25 },
    },
  ],
}

/** One right after the other, since what is asked is the difference. @param {Input} input */
async function both(input) {
  const alone = await bare(input)
  const whole = await ours(input)
  return {
    ...whole,
    bare_p50_ms: alone.p50_ms,
    bare_p99_ms: alone.p99_ms,
    added_p50_ms: whole.p50_ms - alone.p50_ms,
  }
}

/** @param {Input} input */
async function ours({ cliPath }) {
  const { client, server, token, close } = await startHere({ cliPath })
  const { session } = await client.createSession({ body: {} })
  const sample = await measured(`${server.url}/api/sessions/${session.id}/events`, token, async () => {
    await client.sendMessage({ params: { id: session.id }, body: { content: 'go' } })
  })
  await close()
  return sample
}

/** A pipe, a parser and a response. @param {Input} input */
async function bare({ cliPath }) {
  const { createServer } = await import('node:http')
  const { startBare } = await import('../sdk/bare-cli.mjs')
  /** @type {import('node:http').ServerResponse | undefined} */
  let subscriber
  const server = createServer((_request, response) => {
    subscriber = response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': \n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const cli = await startBare({ cliPath }, ({ type, event }) => {
    if (type !== 'stream_event' || event.type !== 'content_block_delta') return
    const published = { type: 'text_delta', index: event.index, text: event.delta.text }
    subscriber?.write(`data: ${JSON.stringify(published)}\n\n`)
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const sample = await measured(`http://127.0.0.1:${port}/`, '', async () => cli.say('go'))
  await cli.end()
  server.closeAllConnections()
  return sample
}

/** A turn to warm up, and one that counts. @param {string} url @param {string} token @param {() => Promise<void>} say */
async function measured(url, token, say) {
  const reader = startHelper('token-reader.mjs')
  await reader.ask({ url, token })
  await say()
  await reader.ask({ count })
  await say()
  const { ages } = await reader.ask({ count })
  reader.end()
  return { p50_ms: percentile(ages, 0.5), p99_ms: percentile(ages, 0.99) }
}
