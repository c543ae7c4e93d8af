// Checks the packages as they would be published: publint, and the types from the outside (arethetypeswrong).
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
let failed = false

for (const name of readdirSync(join(root, 'packages'))) {
  const directory = join(root, 'packages', name)
  if (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).private) continue
  run(bin('publint'), ['--strict', directory])
  run(bin('attw'), ['--pack', directory, '--profile', 'esm-only', '--format', 'ascii'])
}
process.exit(failed ? 1 : 0)

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed = true
}
