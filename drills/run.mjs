/**
 * `npm run drill -- kill9 --runs 500`, `-- cuts --runs 10000`, `-- soak --runs 1000`, `-- soak --turns 2000` and
 * `-- interleave --runs 5000 --real 200`: breaks or wears out what can be, and counts what was lost or left.
 * Prints one JSON line; exits with 1 on any loss. `--seed` repeats a run's choices.
 */
import { parseArgs } from 'node:util'
import { cuts } from './cuts.mjs'
import { interleave } from './interleave.mjs'
import { kill9 } from './kill9.mjs'
import { soak } from './soak.mjs'

const drills = { kill9, cuts, soak, interleave }
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Every so many runs of kill9 use the real CLI. */
    'real-every': { type: 'string', default: '10' },
    /** So many further runs of interleave use the real CLI. */
    real: { type: 'string', default: '0' },
    /** Keeps every core busy with something else while interleave runs. */
    load: { type: 'boolean', default: false },
    /** Has soak try so many turns of one session instead. */
    turns: { type: 'string', default: '0' },
  },
})
const [name = ''] = positionals
const drill = drills[name]
const numbers = [values.runs, values.seed, values['real-every'], values.real, values.turns].map(Number)
const [runs, seed, realEvery, real, turns] = numbers
if (!drill || !numbers.every((number) => Number.isInteger(number) && number >= 0) || (runs < 1 && real < 1)) {
  console.error(
    'usage: npm run drill -- kill9|cuts|soak|interleave [--runs N] [--seed N] [--real-every N] [--real N] [--load] [--turns N]',
  )
  process.exit(2)
}
const started = performance.now()
const log = (message) => console.error(`${((performance.now() - started) / 1000).toFixed(1)} s  ${message}`)
log(`${name}: ${runs} runs, seed ${seed}`)
const { ok, ...counts } = await drill({
  runs,
  seed,
  realEvery: realEvery || Number.POSITIVE_INFINITY,
  real,
  load: values.load,
  turns,
  log,
})
const seconds = Math.round((performance.now() - started) / 1000)
console.log(JSON.stringify({ drill: name, runs, ...counts, seed, seconds, ok }))
process.exit(ok ? 0 : 1)
