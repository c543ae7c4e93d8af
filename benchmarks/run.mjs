/**
 * `npm run bench -- [part…] [<text>] [--only <text>] [--runs <n>] [--json] [--profile <folder>] [--page <folder>]`
 *
 * `--page`: the root of another checkout, built, whose page does the tasks of the part `tasks`; it is measured for its own figures alone.
 *
 * Prints one line of JSON a metric, then a table. Exits with 1 where a target is missed, 2 when it cannot be run so.
 */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './measure.mjs'
import { subjectsOf } from './question.mjs'
import { toLine, toTable } from './report.mjs'

/** A part is a folder with `questions.mjs`. */
const parts = ['sdk', 'server', 'client', 'tasks']

const { wanted, only, runs, json, profileDir, page } = readCommand()
if (profileDir !== undefined) await mkdir(profileDir, { recursive: true })
const lines = []
for (const part of wanted) {
  const { questions } = await import(new URL(`./${part}/questions.mjs`, import.meta.url).href)
  for (const question of questions) lines.push(...(await answer(part, question)))
}
if (lines.length === 0) refuse(`There is neither a part '${only}' nor a metric whose name contains it.`)
if (!json) process.stdout.write(`\n${toTable(lines)}\n`)
process.exitCode = lines.some((line) => line.holds === false) ? 1 : 0

/** @param {string} part @param {import('./question.mjs').Question} question */
async function answer(part, question) {
  const isWhole = question.name.replaceAll(' ', '_').includes(only)
  const asked = question.metrics.filter(({ metric }) => isWhole || metric.includes(only))
  const metrics = page === undefined ? asked : asked.flatMap(asFigure)
  if (metrics.length === 0) return []
  const subjects = Object.keys(question.subjects).filter((subject) =>
    metrics.some((metric) => subjectsOf(metric).includes(subject)),
  )
  const rounds = runs ?? question.rounds
  const samples = await measure(question, { part, subjects, rounds, profileDir, page, progress })
  const answered = metrics.map((metric) => toLine(metric, samples))
  progress('')
  for (const line of answered) process.stdout.write(`${JSON.stringify(line)}\n`)
  return answered
}

/** Without what it is measured against: another page is not judged. @param {import('./question.mjs').Metric} metric */
function asFigure({ metric, unit, ours, peer, target }) {
  return target && peer === undefined ? [] : [{ metric, unit, ours }]
}

/** On a terminal, one line that is written over. @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', default: '' },
        runs: { type: 'string' },
        json: { type: 'boolean', default: false },
        profile: { type: 'string' },
        page: { type: 'string' },
      },
    })
    const wanted = positionals.filter((word) => parts.includes(word))
    // What is not a part is what `--only` takes, written shorter.
    const [only = values.only, ...others] = positionals.filter((word) => !parts.includes(word))
    if (others.length > 0) refuse(`There is no part '${others[0]}'.`)
    const runs = values.runs === undefined ? undefined : Number(values.runs)
    if (runs !== undefined && !(Number.isInteger(runs) && runs > 0)) refuse(`--runs takes a count.`)
    if (values.page !== undefined && wanted.join() !== 'tasks') refuse('--page is for the part tasks.')
    return {
      wanted: wanted.length > 0 ? wanted : parts,
      only,
      runs,
      json: values.json,
      profileDir: values.profile === undefined ? undefined : resolve(values.profile),
      page: values.page === undefined ? undefined : resolve(values.page),
    }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

/** @param {string} reason @returns {never} */
function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.stderr.write(
    `Usage: npm run bench -- [part…] [<text>] [--only <text>] [--runs <n>] [--json] [--profile <folder>] [--page <folder>]\n`,
  )
  process.stderr.write(`Parts: ${parts.join(', ')} (all of them when none is named)\n`)
  process.exit(2)
}
