// Installs and builds what is missing or out of date, for commands that run the compiled packages.
import './ensure-installed.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.built-sources')
const packages = readdirSync(join(root, 'packages'))
const sources = fingerprint()
const isBuilt =
  packages.every((name) => existsSync(join(root, 'packages', name, 'dist', 'index.js'))) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === sources

// Even a build with nothing to do takes a second: a server that only starts should not wait for it.
if (!isBuilt) await build()

async function build() {
  if (!existsSync(stamp)) console.log('Building …')
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const { status } = spawnSync(tsc, ['-b'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  await import('./bundle.mjs')
  writeFileSync(stamp, sources)
}

/** Names, sizes and times of everything that the build reads. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version)
  const add = (path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  for (const name of packages) {
    const folder = join(root, 'packages', name)
    add(join(folder, 'package.json'))
    add(join(folder, 'tsconfig.json'))
    for (const entry of readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.test.ts'))
        add(join(entry.parentPath ?? entry.path, entry.name))
  }
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json']) add(join(root, name))
  return hash.digest('hex')
}
