// Checks the packages as they would be published: publint, the types from the outside (arethetypeswrong), and that nothing in them
// names a package of ours that is not published.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const packages = readdirSync(join(root, 'packages')).map((folder) => {
  const directory = join(root, 'packages', folder)
  return { directory, ...JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) }
})
const unpublished = packages.filter((each) => each.private).map(({ name }) => name)
let failed = false

for (const { directory, private: isPrivate } of packages) {
  if (isPrivate) continue
  run(bin('publint'), ['--strict', directory])
  run(bin('attw'), ['--pack', directory, '--profile', 'esm-only', '--format', 'ascii'])
  checkNames(directory)
}
process.exit(failed ? 1 : 0)

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed = true
}

function checkNames(directory) {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: directory, encoding: 'utf8' })
  const [{ files }] = JSON.parse(stdout)
  const faults = files
    .filter(({ path }) => /\.([cm]?js|d\.ts)$/.test(path))
    .filter(({ path }) => {
      const text = readFileSync(join(directory, path), 'utf8')
      return unpublished.some((name) => text.includes(`'${name}'`) || text.includes(`"${name}"`))
    })
  for (const { path } of faults)
    console.error(`${join(directory, path)} names a package that is not published`)
  if (faults.length > 0) failed = true
}
