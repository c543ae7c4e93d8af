// `npm test`: everything, from a fresh clone: install (a sandbox too, where that can be), build, types, lint, packages, unused code, tests.
// Ends with the line "N passed, N failed" and a non-zero code if anything failed.
import './ensure-installed.mjs'
import './ensure-sandbox.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const scratch = mkdtempSync(join(tmpdir(), 'dorkos-test-'))
const report = join(scratch, 'report.json')
const counted = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]

const asUser = 'tests of what holds agents back, as an ordinary user'
/** They need the build and not each other: as many run at once as there is room for. */
const checks = [
  ['packages as published', process.execPath, ['scripts/check-packages.mjs']],
  ['types', bin('tsc'), ['-p', 'tsconfig.check.json']],
  ['types of the page', bin('tsc'), ['-p', 'packages/client/tsconfig.page.json']],
  ['types of the tests of the page', bin('tsc'), ['-p', 'packages/client/tsconfig.test.json']],
  ['lint and import directions', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['snippets of the documentation', process.execPath, ['scripts/check-docs.mjs']],
  ['the page of configuration keys', process.execPath, ['scripts/config-docs.mjs', '--check']],
  ['unused code and dependencies', bin('knip'), []],
]
// Arguments narrow the tests: npm test -- packages/testkit
// After so many failures nothing new is learnt, and each may take its whole time limit.
const asked = [...counted, '--bail=30', ...process.argv.slice(2)]
const tests = [
  ['tests', bin('vitest'), ['run', ...asked]],
  ...(process.getuid?.() === 0
    ? [[asUser, process.execPath, ['scripts/test-user.mjs', '--passWithNoTests', ...asked]]]
    : []),
]

let passed = 0
let failed = 0
/** Said again at the end: in the output of thousands of tests nobody finds them. */
const failures = []
/** How long each file took, in seconds: where the next minute is to be saved. */
const durations = []
if (run('build', process.execPath, ['scripts/ensure-built.mjs']) === 0) {
  passed++
  await runTogether(checks)
  for (const [name, command, args] of tests) {
    const status = run(name, command, args)
    // None where no argument names one of them.
    if (name !== asUser || status !== 0 || existsSync(report)) countTests(status)
  }
} else {
  failed++
  failures.push('build')
}
rmSync(scratch, { recursive: true, force: true })
printSlowest()
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((each) => `  ${each}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Shows what it says as it comes. */
function run(name, command, args) {
  console.log(`\n▸ ${name}`)
  const started = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(outcome(status, started))
  return status
}

/** Shows what each said once it is over. */
async function runTogether(list) {
  const left = [...list]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, command, args] = next
      const started = performance.now()
      const { status, said } = await outputOf(command, args)
      console.log(`\n▸ ${name}\n${said}${outcome(status, started)}`)
      if (status === 0) passed++
      else {
        failed++
        failures.push(name)
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

function outcome(status, started) {
  return `  ${status === 0 ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1000).toFixed(1)} s)`
}

function outputOf(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
      })
    child.on('error', ({ message }) => resolve({ status: 1, said: `${message}\n` }))
    child.on('close', (status) => resolve({ status, said }))
  })
}

/** The runner's own counts; a run that left no report, or failed without a failed test, counts as a failure. */
function countTests(status) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const found = testResults.flatMap(failuresOf)
    for (const each of found) console.log(`  ${each}`)
    failures.push(...found)
    for (const { name, startTime, endTime } of testResults)
      durations.push({ file: relative(root, name), seconds: (endTime - startTime) / 1000 })
    passed += numPassedTests
    failed += numFailedTests
    if (status !== 0 && numFailedTests === 0) failed++
    if (numPassedTests === 0) failed++
    rmSync(report)
  } catch {
    failed++
  }
}

function printSlowest() {
  const slowest = durations.sort((a, b) => b.seconds - a.seconds).slice(0, 15)
  if (slowest.length === 0) return
  console.log('\nSlowest files, in seconds:')
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`)
}

/** One line for each test of a file that failed, or for the file where it could not be run. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(root, name)
  const line = (what, text = '') => `${file}: ${what} (${text.split('\n')[0].slice(0, 200)})`
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (tests.length === 0 && status === 'failed') return [line('the file', message)]
  return tests.map((test) => line(test.fullName, test.failureMessages[0]))
}
