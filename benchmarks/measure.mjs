/** Runs subjects in processes of their own, in turns, and takes medians. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const childFile = fileURLToPath(new URL('./child.mjs', import.meta.url))
const longestRunMs = 300_000
const firstCore = ['taskset', '-c', '0']
const pin = canRun([...firstCore, 'true']) ? firstCore : []

/**
 * A B C, A B C, …: what slows the machine down for a while then slows all of them.
 *
 * @param {import('./question.mjs').Question} question
 * @param {{ part: string, subjects: string[], rounds: number, profileDir?: string | undefined, page?: string | undefined, progress(text: string): void }} options
 * @returns {Promise<Record<string, import('./question.mjs').Sample[]>>} by subject
 */
export async function measure(question, { part, subjects, rounds, profileDir, page, progress }) {
  /** @type {Record<string, import('./question.mjs').Sample[]>} */
  const samples = Object.fromEntries(subjects.map((subject) => [subject, []]))
  const { input, dispose } = await question.prepare({ page })
  const home = await mkdtemp(join(tmpdir(), 'benchmark-'))
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const subject of subjects) {
        progress(`${question.name}: round ${round} of ${rounds}, ${subject}`)
        const profile = profileDir === undefined ? [] : profileArguments(profileDir, question.name, subject)
        const command = [...(question.oneCore ? pin : []), process.execPath, ...profile]
        const run = { part, question: question.name, subject, input }
        samples[subject]?.push(await runChild(command, run, home))
      }
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
    await dispose()
  }
  return samples
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (Number.isInteger(middle)) return (Number(sorted[middle - 1]) + Number(sorted[middle])) / 2
  return Number(sorted[Math.floor(middle)])
}

/**
 * @param {string[]} command
 * @param {{ part: string, question: string, subject: string, input: Record<string, unknown> }} run
 * @param {string} home
 */
async function runChild([program = '', ...args], run, home) {
  const child = spawn(program, [...args, childFile, JSON.stringify(run)], {
    cwd: home,
    // Nothing of the caller's that could change what a subject does.
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: longestRunMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(`${run.question}, ${run.subject}: the run ended with ${signal ?? code}`)
  return /** @type {import('./question.mjs').Sample} */ (JSON.parse(output))
}

/** @param {string[]} command */
function canRun([program = '', ...args]) {
  return spawnSync(program, args).status === 0
}

/** @param {string} dir @param {string} question @param {string} subject */
function profileArguments(dir, question, subject) {
  return ['--cpu-prof', `--cpu-prof-dir=${dir}`, `--cpu-prof-name=${question}.${subject}.cpuprofile`]
}
