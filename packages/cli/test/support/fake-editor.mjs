/**
 * An editor that does what it was told: argv is its plan file and the file to edit. The plan is a list of texts, one for each time it is
 * opened; a number is the exit code, null saves nothing, and `{ after, text }` waits until the file `after` is there. What it found each time is written beside the plan.
 */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [plan, file] = process.argv.slice(2)
const [next, ...rest] = JSON.parse(readFileSync(plan, 'utf8'))
const modes = [file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8))
const seen = { file, modes, text: readFileSync(file, 'utf8'), token: process.env.DORKOS_TOKEN }
appendFileSync(`${plan}.seen`, `${JSON.stringify(seen)}\n`)
writeFileSync(plan, JSON.stringify(rest))
if (next?.after) while (!existsSync(next.after)) await new Promise((resolve) => setTimeout(resolve, 20))
const saved = next?.text ?? next
if (typeof saved === 'string') writeFileSync(file, saved)
if (typeof next === 'number') process.exit(next)
