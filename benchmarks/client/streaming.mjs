/** 200 texts a second in a long session: when each is painted, what a frame costs, and how long a key waits for its letter. */
import { percentile } from '../server/statistics.mjs'
import { writeStreamCli } from '../server/stream-cli.mjs'
import { startBarePage } from './bare-page.mjs'
import { openBrowser, openLongSession, openPage } from './open-session.mjs'
import { countFrames, watchKeys, watchPaint } from './probes.mjs'

const everyMs = 5
const count = 1000
const keys = 60

/** @typedef {{ cliPath: string }} Input */
/** @typedef {import('playwright-core').Page} Page */

/** @type {import('../question.mjs').Question} */
export const streaming = {
  name: 'streaming',
  rounds: 3,
  async prepare() {
    const { path, dispose } = await writeStreamCli({ count, everyMs, pad: 20, paragraph: 25 })
    return { input: { cliPath: path }, dispose }
  },
  subjects: { ours, bare },
  metrics: [
    {
      metric: 'client.event_to_paint_p50',
      unit: 'ms',
      ours: 'ours.paint_p50_ms',
      floor: 'bare.paint_p50_ms',
    },
    {
      metric: 'client.event_to_paint_p95',
      unit: 'ms',
      ours: 'ours.paint_p95_ms',
      floor: 'bare.paint_p95_ms',
    },
    {
      metric: 'client.script_per_frame',
      unit: 'ms',
      ours: 'ours.script_ms',
      floor: 'bare.script_ms',
      target: { most: 8 },
    },
    { metric: 'client.work_per_frame', unit: 'ms', ours: 'ours.work_ms', floor: 'bare.work_ms' },
    { metric: 'client.frames_per_second', unit: '1/s', ours: 'ours.frames', floor: 'bare.frames' },
    { metric: 'client.key_to_paint_p95', unit: 'ms', ours: 'ours.key_p95_ms', floor: 'bare.key_p95_ms' },
  ],
}

/** @param {Input} input */
async function ours({ cliPath }) {
  const { page, client, id, show, close } = await openLongSession({ turns: 2500, cliPath })
  await show()
  let turns = 0
  const say = async () => {
    turns++
    await client.sendMessage({ params: { id }, body: { content: 'go' } })
    for (;;) {
      const { turns: known } = await client.listTurns({ params: { id } })
      if (known.filter(({ ended_at }) => ended_at !== undefined).length >= turns) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const sample = await measured(page, say)
  await close()
  return sample
}

/** @param {Input} input */
async function bare({ cliPath }) {
  const browser = await openBrowser()
  const page = await openPage(browser)
  const { url, say, close } = await startBarePage(cliPath)
  await page.goto(url)
  const sample = await measured(page, say)
  await browser.close()
  await close()
  return sample
}

/** A turn for each question, since what answers one would be in the other's way. @param {Page} page @param {() => Promise<void>} say */
async function measured(page, say) {
  await page.evaluate(watchPaint, { toWallMs: wallMinusShared() })
  await say()
  const ages = await readList(page, 'paintAges')
  await page.evaluate(countFrames)
  const work = await workOf(page, say)
  await page.evaluate(watchKeys)
  const over = say()
  await page.locator('textarea').focus()
  for (let n = 0; n < keys; n++) await page.keyboard.press('a', { delay: 30 })
  await over
  const delays = await readList(page, 'keyDelays')
  return {
    paint_p50_ms: percentile(ages, 0.5),
    paint_p95_ms: percentile(ages, 0.95),
    key_p95_ms: percentile(delays, 0.95),
    ...work,
  }
}

/** What the browser's own counters say about a turn. @param {Page} page @param {() => Promise<void>} say */
async function workOf(page, say) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const of = (/** @type {string} */ name) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
    const frames = await page.evaluate(
      () => Object.getOwnPropertyDescriptor(window, 'drawnFrames')?.value.count,
    )
    return { script: of('ScriptDuration'), task: of('TaskDuration'), time: of('Timestamp'), frames }
  }
  const before = await read()
  await say()
  const after = await read()
  const frames = after.frames - before.frames
  return {
    script_ms: ((after.script - before.script) * 1000) / frames,
    work_ms: ((after.task - before.task) * 1000) / frames,
    frames: frames / (after.time - before.time),
  }
}

/** @param {Page} page @param {string} name @returns {Promise<number[]>} */
function readList(page, name) {
  return page.evaluate((key) => Object.getOwnPropertyDescriptor(window, key)?.value, name)
}

/** From the clock that processes share to the one that pages have, in milliseconds. */
function wallMinusShared() {
  return performance.timeOrigin + performance.now() - Number(process.hrtime.bigint()) / 1e6
}
