/** How many deliveries a second are there to a thousand subscribers of one session? */
import { cpuTime } from '../sdk/resources.mjs'
import { startHelper } from './helper.mjs'
import { startHere } from './server-here.mjs'
import { rest } from './statistics.mjs'
import { writeStreamCli } from './stream-cli.mjs'

const subscriberCount = 1000
/** Fewer than may wait for a subscriber, so that none is dropped for being slow. */
const count = 500
/** A model that speaks at this pace leaves the server time between two texts: nothing can be written together. */
const everyMs = 20
const pacedCount = 150
const pad = 60

/** @typedef {{ floodCli: string, pacedCli: string }} Input */

/** @type {import('../question.mjs').Question} */
export const fanout = {
  name: 'fanout',
  rounds: 5,
  async prepare() {
    // The texts of one block would be joined when they come this fast.
    const flood = await writeStreamCli({ count, blocks: 2, pad })
    const paced = await writeStreamCli({ count: pacedCount, everyMs, blocks: 2, pad })
    return {
      input: { floodCli: flood.path, pacedCli: paced.path },
      dispose: async () => {
        await flood.dispose()
        await paced.dispose()
      },
    }
  },
  subjects: {
    ours: ({ floodCli }) => ours(floodCli, count),
    bare: () => bare(count, undefined),
    ours_paced: ({ pacedCli }) => ours(pacedCli, pacedCount),
    bare_paced: () => bare(pacedCount, everyMs),
  },
  metrics: [
    {
      metric: 'server.fanout_deliveries_per_second',
      unit: '1/s',
      ours: 'ours.per_second',
      peer: 'bare.per_second',
      target: { least: 0.8 },
    },
    {
      metric: 'server.fanout_cpu_per_delivery',
      unit: 'us',
      ours: 'ours_paced.cpu_us',
      peer: 'bare_paced.cpu_us',
    },
  ],
}

/** @param {string} cliPath @param {number} frames */
async function ours(cliPath, frames) {
  const { client, server, close } = await startHere({ cliPath })
  const { session } = await client.createSession({ body: {} })
  const sample = await measured(
    {
      port: server.port,
      path: `/api/sessions/${session.id}/events`,
      tokens: await manyTokens(client),
      // What to do on a lost connection, and a snapshot.
      firstFrames: 2,
      frames,
    },
    async () => {
      await client.sendMessage({ params: { id: session.id }, body: { content: 'go' } })
    },
  )
  await close()
  return sample
}

/** A token may have only so many streams. @param {import('@dorkos/shared').ApiClient} client */
async function manyTokens(client) {
  const tokens = []
  for (let number = 0; number * 25 < subscriberCount; number++) {
    const { secret } = await client.createToken({ body: { name: `subscribers ${number}`, scopes: ['read'] } })
    tokens.push(secret)
  }
  return tokens
}

/** The same bytes in a loop: all at once, or one each time. @param {number} frames @param {number | undefined} everyMs */
async function bare(frames, everyMs) {
  const { createServer } = await import('node:http')
  /** @type {import('node:http').ServerResponse[]} */
  const responses = []
  const server = createServer((_request, response) => {
    response.removeHeader('transfer-encoding')
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
    response.write('retry: 1000\n\n')
    responses.push(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const sample = await measured({ port, path: '/', tokens: [''], firstFrames: 1, frames }, async () => {
    for (let number = 0; number < frames; number++) {
      const frame = Buffer.from(frameOf(number))
      for (const response of responses) response.write(frame)
      if (everyMs !== undefined) await rest(everyMs)
    }
  })
  server.closeAllConnections()
  return sample
}

/** As the server would write it. @param {number} number */
function frameOf(number) {
  const event = {
    id: `1-${number}`,
    session: '00000000-0000-4000-8000-000000000000',
    time: new Date().toISOString(),
    type: 'text_delta',
    message_id: 'msg_1',
    index: number % 2,
    text: `${process.hrtime.bigint()};${'x'.repeat(pad)}`,
  }
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
}

/**
 * A round to warm up, and one that counts.
 *
 * @param {{ port: number, path: string, tokens: string[], firstFrames: number, frames: number }} target
 * @param {() => Promise<void>} say
 */
async function measured({ frames, ...target }, say) {
  const subscribers = startHelper('subscribers.mjs')
  await subscribers.ask({ open: { ...target, count: subscriberCount } })
  let sample = { per_second: 0, cpu_us: 0 }
  for (let round = 0; round < 2; round++) {
    await rest(500)
    await subscribers.ask({ frames })
    const before = cpuTime()
    await say()
    const { seconds, lost } = await subscribers.ask({ complete: true })
    if (lost > 0) throw new Error(`${lost} subscribers lost their connection`)
    const deliveries = frames * subscriberCount
    sample = { per_second: deliveries / seconds, cpu_us: (cpuTime() - before) / deliveries }
  }
  subscribers.end()
  return sample
}
