// Checks the packages as they would be published, each packed once: publint, the types from the outside (arethetypeswrong), and that
// nothing in them names a package of ours that is not published.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const packages = readdirSync(join(root, 'packages')).map((folder) => {
  const directory = join(root, 'packages', folder)
  return { directory, ...JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) }
})
const unpublished = packages.filter((each) => each.private).map(({ name }) => name)
const scratch = mkdtempSync(join(tmpdir(), 'dorkos-packed-'))
let failed = false

try {
  const packed = await pack(packages.filter((each) => !each.private))
  for (const { directory, files } of packed) checkNames(directory, files)
  for (const { tarball } of packed)
    await Promise.all([
      run(bin('publint'), ['--strict', tarball]),
      run(bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii']),
    ])
} finally {
  rmSync(scratch, { recursive: true })
}
process.exit(failed ? 1 : 0)

async function pack(published) {
  const chosen = published.map(({ name }) => `--workspace=${name}`)
  const args = ['pack', '--json', `--pack-destination=${scratch}`, ...chosen]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 2 ** 26 })
  const all = JSON.parse(stdout)
  return published.map(({ directory, name }) => {
    const { filename, files } = all.find((each) => each.name === name)
    return { directory, files, tarball: join(scratch, filename) }
  })
}

/** What it says is shown when it is done, so that two at a time do not mix. */
async function run(command, args) {
  const { code = 0, stdout, stderr } = await promisify(execFile)(command, args, { cwd: root }).catch((e) => e)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  if (code !== 0) failed = true
}

function checkNames(directory, files) {
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
