/** What does a person have to do for each of the ten main tasks, and how long does that take? */
import { tasks } from './tasks.mjs'

/** @typedef {{ tree: string, version: 'now' | 'before' }} Input */
/** @typedef {import('../question.mjs').Metric} Metric */

const comparable = tasks.filter(({ before }) => before)
const ownTree = new URL('../..', import.meta.url)

/** @type {import('../question.mjs').Question} */
export const tenTasks = {
  name: 'ten tasks',
  rounds: 3,
  prepare: async ({ page } = {}) => {
    const { fileURLToPath } = await import('node:url')
    const input = { tree: page ?? fileURLToPath(ownTree), version: page === undefined ? 'now' : 'before' }
    return { input, dispose: async () => {} }
  },
  subjects: { ours, before },
  metrics: [
    ...tasks.flatMap(metricsOf),
    {
      metric: 'tasks.better_than_before',
      unit: 'tasks',
      ours: 'ours.better',
      target: { least: tasks.length / 2 },
    },
  ],
}

/** None may take more than it did. Seconds are there to be seen. @param {import('./tasks.mjs').Task} task @returns {Metric[]} */
function metricsOf({ name, before: earlier }) {
  const peer = (/** @type {string} */ value) => (earlier ? { peer: `before.${name}_${value}` } : {})
  return [
    {
      metric: `tasks.${name}_actions`,
      unit: 'actions',
      ours: `ours.${name}_actions`,
      ...peer('actions'),
      ...(earlier && { target: { most: 1 } }),
    },
    { metric: `tasks.${name}_seconds`, unit: 's', ours: `ours.${name}_seconds`, ...peer('seconds') },
  ]
}

/** @param {Input} input */
async function ours({ tree, version }) {
  const { openWorld } = await import('./world.mjs')
  const { pageWords } = await import('../../scripts/page-words.mjs')
  const words = await pageWords(tree)
  const world = await openWorld({ tree })
  /** @type {import('../question.mjs').Sample} */
  const sample = {}
  for (const task of tasks) {
    const steps = task[version]
    if (!steps) continue
    const { actions, seconds } = await done(task, steps, { world, words })
    sample[`${task.name}_actions`] = actions
    sample[`${task.name}_seconds`] = seconds
  }
  await world.close()
  sample.better = await countBetter(sample)
  return sample
}

/**
 * @param {import('./tasks.mjs').Task} task
 * @param {import('./tasks.mjs').Steps} steps
 * @param {Pick<import('./tasks.mjs').Hands, 'world' | 'words'>} around
 */
async function done(task, steps, { world, words }) {
  const { CountingDriver, Counts } = await import('./counting-driver.mjs')
  const counts = new Counts()
  const page = await world.openHome(task.on)
  const device = new CountingDriver(page, counts, { hasTouch: task.on === 'phone' })
  const other = task.withStranger ? await world.openStranger() : undefined
  const stranger = other && new CountingDriver(other, counts, { hasTouch: true })
  const began = performance.now()
  try {
    await steps({ device, world, words, ...(stranger && { stranger }) })
  } catch (error) {
    throw new Error(`${task.name} cannot be done`, { cause: error })
  }
  const pageSeconds = (performance.now() - began) / 1000
  await page.context().close()
  await other?.context().close()
  return { actions: counts.actions, seconds: pageSeconds + counts.personSeconds }
}

/** Those that take less than before, or were not possible. @param {import('../question.mjs').Sample} sample */
async function countBetter(sample) {
  const earlier = await before()
  const fewer = comparable.filter(
    ({ name }) => Number(sample[`${name}_actions`]) < Number(earlier[`${name}_actions`]),
  )
  return fewer.length + tasks.length - comparable.length
}

/** The page before it was made anew, as it was measured then: `before.jsonl` says how. @returns {Promise<import('../question.mjs').Sample>} */
async function before() {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL('./before.jsonl', import.meta.url), 'utf8').catch(() => '')
  const lines = text.split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const { metric, ours: value } = JSON.parse(line)
      return [metric.slice('tasks.'.length), value]
    }),
  )
}
