/** How much JavaScript does a browser load before it shows a session? */
import { openLongSession } from './open-session.mjs'

/** @type {import('../question.mjs').Question} */
export const firstLoad = {
  name: 'first load',
  rounds: 3,
  prepare: async () => ({ input: {}, dispose: async () => {} }),
  subjects: { ours },
  metrics: [
    { metric: 'client.first_load_javascript', unit: 'KB', ours: 'ours.kilobytes', target: { most: 250 } },
    { metric: 'client.first_load_javascript_brotli', unit: 'KB', ours: 'ours.brotli_kilobytes' },
    { metric: 'client.first_load_scripts', unit: 'files', ours: 'ours.scripts' },
    { metric: 'client.first_load_javascript_with_idle', unit: 'KB', ours: 'ours.idle_kilobytes' },
    { metric: 'client.first_load_time', unit: 'ms', ours: 'ours.ms' },
  ],
}

/** The scripts that a session needs to be shown; then with what the page fetches besides while it waits for the server. */
async function ours() {
  const session = await openLongSession({ turns: 20 })
  await session.show()
  const needed = await loadCold(session, { idle: false })
  const all = await loadCold(session, { idle: true })
  await session.close()
  return {
    kilobytes: needed.kilobytes,
    brotli_kilobytes: needed.brotliKilobytes,
    scripts: needed.scripts,
    idle_kilobytes: all.kilobytes,
    ms: all.ms,
  }
}

/**
 * Every script that was asked for until the words of the session are there, with an empty cache.
 *
 * @param {Awaited<ReturnType<typeof openLongSession>>} session
 * @param {{ idle: boolean }} options Whether what waits for a pause gets one.
 */
async function loadCold({ page, id, server }, { idle }) {
  const context = await page
    .context()
    .browser()
    ?.newContext({ storageState: await page.context().storageState() })
  if (!context) throw new Error('the browser is gone')
  const cold = await context.newPage()
  if (!idle) await cold.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
  /** @type {Set<string>} */
  const scripts = new Set()
  cold.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  })
  const began = performance.now()
  await cold.goto(`${server.url}/sessions/${id}`, { waitUntil: 'commit' })
  await cold.getByText('Question 19 of').first().waitFor()
  const ms = performance.now() - began
  const loaded = [...scripts]
  const kilobytes = await kilobytesOf(loaded, 'gzip')
  const brotliKilobytes = await kilobytesOf(loaded, 'br')
  await context.close()
  return { kilobytes, brotliKilobytes, scripts: loaded.length, ms }
}

/**
 * As a browser gets them that takes only this. Chromium takes brotli over HTTPS and from its own machine, and gzip over plain HTTP.
 *
 * @param {string[]} urls
 * @param {'gzip' | 'br'} encoding
 */
async function kilobytesOf(urls, encoding) {
  const sizes = await Promise.all(urls.map((url) => compressedSize(url, encoding)))
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** @param {string} url @param {string} encoding @returns {Promise<number>} */
async function compressedSize(url, encoding) {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let size = 0
      response.on('data', (chunk) => {
        size += chunk.length
      })
      response.on('end', () => resolve(size))
    })
    request.on('error', reject)
  })
}
