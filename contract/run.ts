/**
 * `npm run contract`: every case against the CLI that is installed. `-- --cli <path>` and `-- --version 2.1.N` name others; with more than one
 * the table at the end says what moved from the first to each. `-- --only <text>` runs the cases with that text in their id, `-- --jobs <n>` so
 * many at a time. Exits with 1 where a case fails.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { realCliPath } from '@dorkos/testkit'
import { fetchCli } from './fetch-cli.ts'
import { failureText, type Run, tableOfMoves } from './report.ts'
import { runCases, versionOf } from './run-cases.ts'
import { contractCases } from './suite.ts'

const { values } = parseArgs({
  options: {
    cli: { type: 'string', multiple: true, default: [] },
    version: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const jobs = Number(values.jobs)
const cases = contractCases.filter((one) => one.id.includes(values.only))
if (cases.length === 0 || !Number.isInteger(jobs) || jobs < 1) {
  console.error(
    'usage: npm run contract -- [--cli <path>]… [--version 2.1.N]… [--only <part of an id>] [--jobs <n>]',
  )
  process.exit(2)
}
const fetched = await Promise.all(values.version.map(fetchCli))
const named = [...values.cli.map((path) => resolve(path)), ...fetched]

const runs: Run[] = []
for (const cliPath of named.length > 0 ? named : [realCliPath()]) runs.push(await runOne(cliPath))
if (runs.length > 1) console.log(`\n${tableOfMoves(cases, runs)}`)
process.exit(runs.some(({ results }) => results.some(({ verdict }) => verdict === 'failed')) ? 1 : 0)

async function runOne(cliPath: string): Promise<Run> {
  const version = await versionOf(cliPath)
  console.log(`\nCLI ${version}, ${cases.length} cases`)
  const started = performance.now()
  const results = await runCases(cases, {
    cliPath,
    version,
    jobs,
    onResult: (result) => {
      if (result.verdict === 'failed') console.log(failureText(cases, result))
      else if (result.verdict !== 'passed')
        console.log(`  ${result.verdict}: ${result.id} (${result.reason})`)
    },
  })
  const count = (verdict: string): number => results.filter((result) => result.verdict === verdict).length
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `${count('passed')} passed, ${count('failed')} failed, ${count('absent') + count('unavailable')} left out (${seconds} s)`,
  )
  return { version, results }
}
